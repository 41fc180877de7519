// A number of the dials to type or step, for values that are dragged elsewhere in the picture. The buttons are for
// pointers; in the field the arrow keys step, so the keyboard does not stop at them.

import { html, type TemplateResult } from 'lit';
import { numberField } from '../marks/number-field.ts';
import { isWhole, within } from '../marks/slider.ts';
import type { NumberField } from '../state/schema.ts';

export interface StepFieldOptions {
  id: string;
  /** What the number is, in full words. */
  label: string;
  field: NumberField;
  value: number;
  /** The newest number that was asked for: presses may come faster than pictures. */
  wanted?: (() => number) | undefined;
  set(value: number): void;
  /** Step of the buttons and of the arrow keys. */
  stride: number;
}

export function stepField({ id, label, field: wide, value, wanted, set, stride }: StepFieldOptions): TemplateResult {
  const field = within(wide);
  const button = (sign: string, name: string, by: number, off: boolean) =>
    html`<button type="button" class="slider-step" data-page-only tabindex="-1" aria-label="${name}: ${label}" ?disabled=${off} @click=${() => set(field.clamp((wanted?.() ?? value) + by))}>${sign}</button>`;
  return html`<span class="slider-typed" data-control=${id}>
    ${button('−', 'Less', -stride, value <= field.min)}
    ${numberField({ id, label, min: field.min, max: field.max, step: stride, whole: isWhole(field), value, wanted, clamp: field.clamp, set, early: true })}
    ${button('+', 'More', stride, value >= field.max)}
  </span>`;
}
