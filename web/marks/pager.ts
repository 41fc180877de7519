// One of many, by its number: the one before, a number to type, the one after. Counts as the reader does.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { readNumber } from '../state/schema.ts';
import { ordinal } from './number.ts';

export interface PagerOptions {
  id: string;
  /** What is paged through: "layer". */
  noun: string;
  /** From 0. */
  at: number;
  count: number;
  base: 0 | 1;
  set(at: number): void;
  /** What the buttons do, where it is not a step within the count; undefined disables the button. */
  back?: (() => void) | undefined;
  on?: (() => void) | undefined;
}

export function pager(options: PagerOptions): TemplateResult {
  const { id, noun, at, count, base, set } = options;
  const back = 'back' in options ? options.back : at > 0 ? () => set(at - 1) : undefined;
  const on = 'on' in options ? options.on : at < count - 1 ? () => set(at + 1) : undefined;
  const typed = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const wanted = Math.round(readNumber(input.value)) - base;
    const next = Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), count - 1) : at;
    input.value = String(next + base);
    if (next !== at) set(next);
  };
  return html`<span class="pager" data-control=${noun} role="group" aria-label=${noun}>
    <label class="pager-noun" for="${id}-${noun}">${noun}</label>
    <button type="button" class="slider-step" data-page-only aria-label="${noun} before" ?disabled=${!back} @click=${back ?? nothing}>‹</button>
    <input class="slider-number pager-number" id="${id}-${noun}" type="number" inputmode="numeric" min=${base} max=${count - 1 + base} step="1"
      .value=${live(String(at + base))} @change=${typed} />
    <button type="button" class="slider-step" data-page-only aria-label="${noun} after" ?disabled=${!on} @click=${on ?? nothing}>›</button>
    <span class="pager-range" data-page-only>${base} to ${ordinal(count - 1, base)}</span>
  </span>`;
}
