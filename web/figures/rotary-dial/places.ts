// Where query and key stand: a slider for each, and one that moves both and leaves the distance.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { written } from '../../marks/number.ts';
import type { NumberField } from '../../state/schema.ts';
import { stepField } from '../dial-field.ts';
import { schema, type View } from './state.ts';

/** Ends of the sliders' way; the smallest that holds both places is taken. */
const reaches = [100, 1000, 10_000, 100_000];

export function placeSliders({ id, state: { m, n }, set, wanted }: View): TemplateResult {
  const reach = reaches.find((most) => Math.max(m, n) <= most) ?? reaches.at(-1)!;
  const first = Math.min(m, n);
  const beyond = Math.abs(m - n);
  // Presses may come faster than pictures: each goes on from where the one before has led.
  const now = wanted ?? (() => ({ m, n }));
  const start = () => Math.min(now().m, now().n);
  const together = { ...schema.m, max: schema.m.max - beyond, clamp: (value: number) => Math.min(schema.m.clamp(value), schema.m.max - beyond) };
  return html`<div class="rotary-places">
    ${placeSlider({ id: `${id}-m`, label: html`place of the <span class="q">query</span>`, name: 'Place of the query', field: schema.m, value: m, wanted: () => now().m, reach, set: (next) => set({ m: next }) })}
    ${placeSlider({ id: `${id}-n`, label: html`place of the <span class="k">key</span>`, name: 'Place of the key', field: schema.n, value: n, wanted: () => now().n, reach, set: (next) => set({ n: next }) })}
    ${placeSlider({ id: `${id}-both`, label: 'both together', name: 'Both together, from place', field: together, value: first, wanted: start, reach: reach - beyond, set: (next) => set({ m: now().m - start() + next, n: now().n - start() + next }) })}
  </div>`;
}

interface PlaceSlider {
  id: string;
  label: TemplateResult | string;
  /** The same in plain words. */
  name: string;
  field: NumberField;
  value: number;
  wanted(): number;
  reach: number;
  set(value: number): void;
}

function placeSlider({ id, label, name, field, value, wanted, reach, set }: PlaceSlider): TemplateResult {
  return html`<div class="slider" data-control=${id} role="group" aria-label=${name}>
    <span class="slider-label">${label}</span>
    <input class="slider-range" data-page-only type="range" id="${id}-range" aria-label=${name} aria-valuetext=${written(value)} min="0" max=${reach} step="1" .value=${live(String(value))}
      @input=${(event: Event) => set(field.clamp(Number((event.target as HTMLInputElement).value)))} />
    ${stepField({ id, label: name, field, value, wanted, set, stride: 1 })}
  </div>`;
}
