// How far a loading is: one bar, cut into the model's parts by their bytes; what it says in words; and what a screen
// reader hears.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { LoadProgress } from '../engine/types.ts';
import { lateView } from '../marks/late.ts';
import { fixed, megabytes, ordinal } from '../marks/number.ts';
import { speedOf, timeLeft, type Pace } from './pace.ts';

export interface ProgressContext {
  name: string;
  progress: LoadProgress | null;
  pace: Pace;
  /** Layers are counted from it. */
  base: 0 | 1;
  cancel(): void;
  /** The engine takes long to start; and has it started anew. */
  late: boolean;
  again(): void;
}

export function progressView({ name, progress, pace, base, cancel, late, again }: ProgressContext): TemplateResult {
  const done = progress?.done_bytes ?? 0;
  const total = progress?.total_bytes ?? 0;
  return html`<div class="shelf-loading">
    <p class="shelf-name"><b>Opening ${name === '' ? 'the model' : name}</b></p>
    <button type="button" class="button button-quiet" @click=${cancel}>Cancel</button>
    <div class="shelf-bar" role="progressbar" aria-label="Opening ${name === '' ? 'the model' : name}" aria-valuemin="0" aria-valuemax="100"
      aria-valuenow=${Math.floor((100 * done) / Math.max(total, 1))}>${partsBar(progress)}</div>
    ${progress && progress.parts.length > 0 ? legend(progress, base) : nothing}
    <p class="shelf-quiet">${total > 0 ? amounts(done, total, pace) : 'Looking at its files'}</p>
    ${late ? lateView(again) : nothing}
    ${progress?.notice ? html`<p class="shelf-warning">${progress.notice}</p>` : nothing}
  </div>`;
}

function amounts(done: number, total: number, pace: Pace): string {
  if (done === 0) return `${megabytes(total)} in all`;
  if (done >= total) return 'Everything is here; checking it';
  const speed = speedOf(pace);
  const left = timeLeft(pace, total);
  const fast = speed === null ? [] : [speed < 1e5 ? `${fixed(speed / 1e3, 0)}\u202FkB a second` : `${megabytes(speed)} a second`];
  return [`${megabytes(done)} of ${megabytes(total)}`, ...fast, ...(left ? [`${left} left`] : [])].join(' · ');
}

// ---------------------------------------------------------------------------------------------------------------- bar

const WIDTH = 1000;
const GAP = 2;
/** Parts that would be too small to be seen get this much of the width. */
const LEAST = 4;

/** Widths are set by attributes: the page's policy allows no style of its own. */
function partsBar(progress: LoadProgress | null): TemplateResult {
  const parts = progress?.parts ?? [];
  const total = parts.reduce((sum, part) => sum + part.total_bytes, 0);
  const widths = parts.map((part) => Math.max(LEAST, (WIDTH * part.total_bytes) / total));
  const scale = WIDTH / Math.max(1, widths.reduce((sum, width) => sum + width, 0));
  let x = 0;
  return html`<svg class="shelf-parts" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true">${
    parts.length === 0
      ? svg`<rect class="shelf-part" width=${WIDTH} height="12"></rect>`
      : parts.map(({ done_bytes, total_bytes }, at) => {
          const width = Math.max(1, widths[at]! * scale - (at < parts.length - 1 ? GAP : 0));
          const left = x;
          x += widths[at]! * scale;
          return svg`<rect class="shelf-part" x=${left} width=${width} height="12"></rect><rect class="shelf-part-done" x=${left} width=${(width * done_bytes) / Math.max(1, total_bytes)} height="12"></rect>`;
        })
  }</svg>`;
}

/** "Token table, then layers 0 to 11. Layers 0 to 2 can be looked at." */
function legend({ parts, layers_begun }: LoadProgress, base: 0 | 1): TemplateResult {
  const layers = parts.filter(({ part }) => typeof part === 'number').length;
  const seen = layers_begun === 0 ? '' : layers_begun === 1 ? `Layer ${ordinal(0, base)} can be looked at.` : `Layers ${ordinal(0, base)} to ${ordinal(layers_begun - 1, base)} can be looked at.`;
  return html`<p class="shelf-legend"><span>token table</span><span class="shelf-seen">${seen}</span><span>layers ${ordinal(0, base)} to ${ordinal(layers - 1, base)}</span></p>`;
}

/** What a screen reader hears of the progress: every tenth, and what went wrong. */
export function milestone(progress: LoadProgress | null): TemplateResult {
  const tenth = progress && progress.total_bytes > 0 ? Math.floor((10 * progress.done_bytes) / progress.total_bytes) : 0;
  return html`<span class="visually-hidden">Opening the model, ${tenth * 10} percent read. ${progress?.notice ?? ''}</span>`;
}
