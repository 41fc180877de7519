// A number under control: a slider to drag, a field to type in, and − and + to step. All three show the same value and
// are bound by the same field of the state's schema.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { readNumber, type ChoiceField, type NumberField } from '../state/schema.ts';
import { moveFocus } from './token.ts';
import { unfocused } from './unfocused.ts';

export interface SliderOptions {
  id: string;
  label: string | TemplateResult;
  field: NumberField;
  value: number;
  set(value: number): void;
  /** What was asked for last, where it may be ahead of the value shown. */
  wanted?: (() => number) | undefined;
  /** What the value is said as by a screen reader, when the bare number does not speak for itself. */
  spoken?: string;
  unit?: string;
  /** What is added to the value on display, such as the counting base. */
  shift?: number;
  /** Step of the buttons; the field's step where absent. */
  stride?: number;
}

export function slider(options: SliderOptions): TemplateResult {
  const { id, label, value, set, spoken, unit, shift = 0, stride = options.field.step } = options;
  const field = within(options.field);
  const step = (by: number) => set(field.clamp((options.wanted?.() ?? value) + by));
  const typed = (event: Event, settled: boolean) => {
    const input = event.target as HTMLInputElement;
    const number = readNumber(input.value) - shift;
    // While typing, "1" on the way to "12" counts, "1." and "-" wait for the rest.
    if (!Number.isNaN(number) && (settled || String(field.clamp(number)) === String(number))) set(field.clamp(number));
    if (settled) input.value = String((Number.isNaN(number) ? value : field.clamp(number)) + shift);
  };
  return html`<div class="slider" data-control=${id} role="group" aria-labelledby="${id}-label">
    <span class="slider-label" id="${id}-label">${label}</span>
    <input
      class="slider-range"
      type="range"
      id="${id}-range"
      aria-labelledby="${id}-label"
      aria-valuetext=${spoken ?? nothing}
      min=${field.min + shift}
      max=${field.max + shift}
      step=${field.step}
      .value=${live(String(value + shift))}
      @input=${(event: Event) => set(field.clamp(Number((event.target as HTMLInputElement).value) - shift))}
    />
    <span class="slider-typed">
      <button type="button" class="slider-step" aria-label="Less" ?disabled=${value <= field.min} @click=${() => step(-stride)}>−</button>
      <input
        class="slider-number"
        type="number"
        inputmode="decimal"
        aria-labelledby="${id}-label"
        min=${field.min + shift}
        max=${field.max + shift}
        step=${field.step}
        .value=${unfocused(String(value + shift))}
        @input=${(event: Event) => typed(event, false)}
        @change=${(event: Event) => typed(event, true)}
      />${unit === undefined ? nothing : html`<span class="slider-unit">${unit}</span>`}
      <button type="button" class="slider-step" aria-label="More" ?disabled=${value >= field.max} @click=${() => step(stride)}>+</button>
    </span>
  </div>`;
}

/** A field whose ends were moved in, such as to the layers of a model, still has the clamp of the wider one. */
export function within(field: NumberField): NumberField {
  return { ...field, clamp: (value) => Math.min(Math.max(field.clamp(value), field.min), field.max) };
}

/** A few choices of which one is on. Arrow keys move between them. */
export function segmented<C extends string>(options: {
  label: string;
  field: ChoiceField<C>;
  value: C;
  names: Record<C, string>;
  set(value: C): void;
}): TemplateResult {
  const { label, field, value, names, set } = options;
  return html`<div class="segmented" role="group" aria-label=${label} @keydown=${moveFocus}>
    ${field.choices.map(
      (name) => html`<button type="button" class="segment" aria-pressed=${name === value ? 'true' : 'false'} @click=${() => set(name)}>${names[name]}</button>`,
    )}
  </div>`;
}
