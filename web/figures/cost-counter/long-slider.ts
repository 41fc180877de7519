// A slider for whole numbers of any size: its way is a logarithm, so that 9 and 100,000 are both within reach. The arrow
// keys go by one, the page keys by ten; the field beside it takes any number.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed } from '../../marks/number.ts';
import type { NumberField } from '../../state/schema.ts';
import { stepField } from '../dial-field.ts';

export interface LongSliderOptions {
  id: string;
  label: string;
  field: NumberField;
  value: number;
  /** The newest number that was asked for: keys may come faster than pictures. */
  wanted?: (() => number) | undefined;
  set(value: number): void;
}

const keys: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

export function longSlider({ id, label, field, value, wanted, set }: LongSliderOptions): TemplateResult {
  const placeOf = (number: number) => Math.log2(number - field.min + 1);
  const numberAt = (place: number) => field.clamp(field.min + Math.round(2 ** place) - 1);
  const key = (event: KeyboardEvent) => {
    const by = keys[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    set(field.clamp((wanted?.() ?? value) + by));
  };
  return html`<div class="slider" data-control=${id} role="group" aria-labelledby="${id}-label">
    <span class="slider-label" id="${id}-label">${label}</span>
    <input
      class="slider-range"
      data-page-only
      type="range"
      id="${id}-range"
      aria-labelledby="${id}-label"
      aria-valuetext=${fixed(value, 0)}
      min="0"
      max=${placeOf(field.max)}
      step="any"
      .value=${live(String(placeOf(value)))}
      @keydown=${key}
      @input=${(event: Event) => set(numberAt(Number((event.target as HTMLInputElement).value)))}
    />
    ${stepField({ id: `${id}-field`, label, field, value, wanted, set, stride: 1 })}
  </div>`;
}
