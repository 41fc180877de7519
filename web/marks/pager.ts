// One of many, by its number: the one before, a number to type, the one after. Counts as the reader does.

import { html, nothing, type TemplateResult } from 'lit';
import { ordinal } from './number.ts';
import { numberField } from './number-field.ts';

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
  const last = count - 1 + base;
  return html`<span class="pager" data-control=${noun} role="group" aria-label=${noun}>
    <label class="pager-noun" for="${id}-${noun}">${noun}</label>
    <button type="button" class="slider-step" data-page-only aria-label="${noun} before" ?disabled=${!back} @click=${back ?? nothing}>‹</button>
    ${numberField({
      id: `${id}-${noun}`,
      className: 'slider-number pager-number',
      min: base,
      max: last,
      step: 1,
      whole: true,
      value: at + base,
      clamp: (number) => Math.min(Math.max(Math.round(number), base), last),
      set: (number) => number - base !== at && set(number - base),
    })}
    <button type="button" class="slider-step" data-page-only aria-label="${noun} after" ?disabled=${!on} @click=${on ?? nothing}>›</button>
    <span class="pager-range" data-page-only>${base} to ${ordinal(count - 1, base)}</span>
  </span>`;
}
