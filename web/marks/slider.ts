// A number under control: a slider to drag, a field to type in, and − and + to step. All three show the same value and
// are bound by the same field of the state's schema.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ChoiceField, NumberField } from '../state/schema.ts';
import { written } from './number.ts';
import { numberField } from './number-field.ts';
import { moveFocus } from './token.ts';

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
  return html`<div class="slider" data-control=${id} role="group" aria-labelledby="${id}-label">
    <span class="slider-label" id="${id}-label">${label}</span>
    <input
      class="slider-range"
      type="range"
      id="${id}-range"
      aria-labelledby="${id}-label"
      aria-valuetext=${spoken ?? written(value + shift) + (unit === undefined ? '' : ` ${unit}`)}
      min=${field.min + shift}
      max=${field.max + shift}
      step=${field.step}
      .value=${live(String(value + shift))}
      @input=${(event: Event) => set(field.clamp(Number((event.target as HTMLInputElement).value) - shift))}
    />
    <span class="slider-typed">
      <button type="button" class="slider-step" aria-label="Less" ?disabled=${value <= field.min} @click=${() => step(-stride)}>−</button>
      ${numberField({
        labelledBy: `${id}-label`,
        min: field.min + shift,
        max: field.max + shift,
        step: field.step,
        whole: isWhole(field),
        value: value + shift,
        wanted: options.wanted && (() => options.wanted!() + shift),
        clamp: (number) => field.clamp(number - shift) + shift,
        set: (number) => set(number - shift),
        early: true,
      })}${unit === undefined ? nothing : html`<span class="slider-unit">${unit}</span>`}
      <button type="button" class="slider-step" aria-label="More" ?disabled=${value >= field.max} @click=${() => step(stride)}>+</button>
    </span>
  </div>`;
}

/** A field whose ends were moved in, such as to the layers of a model, still has the clamp of the wider one. */
export function within(field: NumberField): NumberField {
  return { ...field, clamp: (value) => Math.min(Math.max(field.clamp(value), field.min), field.max) };
}

/** Whether a field holds whole numbers only. */
export function isWhole({ min, step }: NumberField): boolean {
  return Number.isInteger(min) && Number.isInteger(step);
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
