// Bars with their numbers, one line each: label, bar, number. Shares on one scale from 0 to 100 %; scores from 0 to
// the extent given, negative ones to the left of a middle line.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { scoreInk, shareInk } from './ink.ts';
import { percent, score, share, signed } from './number.ts';

export interface Bar {
  label: TemplateResult | string;
  /** Length from 0 to 1; with `start` a piece in the middle. */
  length: number;
  start: number;
  className: string;
  opacity: number;
  number: string;
  extra?: string;
  note?: TemplateResult | string;
}

/** A share from 0 to 1. `whole` gives the number to show where percentages were made to add up to 100. */
export function shareBar(options: { label: TemplateResult | string; share: number; whole?: number; extra?: string; note?: TemplateResult | string }): Bar {
  const { label, extra, note } = options;
  const length = Math.min(Math.max(options.share, 0), 1);
  return { label, length, start: 0, className: 'bar-share', opacity: 1, number: options.whole === undefined ? share(options.share) : percent(options.whole), extra, note };
}

/** A score on a scale from 0 to `extent`, or from −`extent` to `extent` when `negative`. */
export function scoreBar(options: {
  label: TemplateResult | string;
  score: number;
  extent: number;
  negative?: boolean;
  extra?: string;
  note?: TemplateResult | string;
}): Bar {
  const { label, extent, negative = false, extra, note } = options;
  const ink = scoreInk(options.score, extent);
  const length = extent > 0 ? Math.min(Math.abs(options.score) / extent, 1) * (negative ? 0.5 : 1) : 0;
  const start = negative ? (options.score < 0 ? 0.5 - length : 0.5) : 0;
  const number = negative ? signed(options.score) : score(options.score);
  return { label, length, start, className: ink.className === 'ink-slate' ? 'bar-slate' : 'bar-score', opacity: 1, number, extra, note };
}

export function bars(options: { rows: readonly Bar[]; label?: string }): TemplateResult {
  return html`<ol class="bars" aria-label=${options.label ?? nothing}>
    ${options.rows.map(
      (row) => html`<li class="bar-row ${row.extra ?? ''}">
        <span class="bar-label">${row.label}</span>
        ${barPicture(row)}
        <span class="bar-number">${row.number}</span>
        ${row.note === undefined ? nothing : html`<span class="bar-note">${row.note}</span>`}
      </li>`,
    )}
  </ol>`;
}

/** The bar alone; its width is the room it is given. */
export function barPicture(bar: Pick<Bar, 'length' | 'start' | 'className' | 'opacity'>): TemplateResult {
  return html`<svg class="bar" width="100%" height="10" aria-hidden="true">
    <rect class="bar-room" width="100%" height="10" rx="2"></rect>
    ${svg`<rect class=${bar.className} x="${round(bar.start * 100)}%" width="${round(bar.length * 100)}%" height="10" rx="2" fill-opacity=${bar.opacity}></rect>`}
  </svg>`;
}

/** A bar the height of a line of text, for the room under a chip. */
export function tinyShare(value: number): TemplateResult {
  const ink = shareInk(value);
  return html`<svg class="tiny-share" width="100%" height="4" aria-hidden="true">
    <rect class="bar-room" width="100%" height="4"></rect>
    ${svg`<rect class=${ink.className} width="${round(Math.min(Math.max(value, 0), 1) * 100)}%" height="4"></rect>`}
  </svg>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
