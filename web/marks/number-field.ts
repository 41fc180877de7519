// A number to type. It stands as the book writes numbers, with a narrow space in thousands and a real minus sign; while
// it is edited its digits stand plainly. The arrow keys step. What lies outside the range becomes its nearest end, and a
// sentence says so. A field of the browser's own kind for numbers could show neither the space nor the sign.

import { html, nothing, type TemplateResult } from 'lit';
import { readWritten } from '../state/schema.ts';
import { written } from './number.ts';
import { unfocused } from './unfocused.ts';

export interface NumberFieldOptions {
  id?: string;
  /** What the number is, in words; or the id of the element that says it; neither where a label names the field's id. */
  label?: string;
  labelledBy?: string;
  className?: string;
  min: number;
  max: number;
  /** What an arrow key adds. */
  step: number;
  /** The range and what can be typed are whole numbers. */
  whole?: boolean;
  value: number;
  /** The newest number that was asked for, where it may be ahead of the value shown. */
  wanted?: (() => number) | undefined;
  /** The nearest number that is allowed; never outside the range. */
  clamp(value: number): number;
  set(value: number): void;
  /** Whether a number counts as soon as it is typed, not only when the reader is done. */
  early?: boolean;
}

/** What was typed into a field and taken, until the field is left. */
const taken = new WeakMap<HTMLInputElement, number>();

/** As it is edited: a real minus, no spaces. */
const plainly = (value: number) => written(value).replace(/\s/g, '');

export function numberField(options: NumberFieldOptions): TemplateResult {
  const { id, label, labelledBy, className = 'slider-number', min, max, step, whole = false, value, wanted, clamp, set, early = false } = options;
  const now = () => wanted?.() ?? value;
  const numberIn = (input: HTMLInputElement) => readWritten(input.value, whole);
  const take = (input: HTMLInputElement, number: number) => {
    taken.set(input, number);
    set(number);
  };

  const focus = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    taken.delete(input);
    if (input.value === plainly(numberIn(input))) return;
    const all = input.selectionStart === 0 && input.selectionEnd === input.value.length;
    input.value = plainly(numberIn(input));
    if (all) input.select();
  };
  // While typing, "1" on the way to "12" counts, "1." and "−" wait for the rest.
  const type = ({ target }: Event) => {
    const number = numberIn(target as HTMLInputElement);
    if (early && !Number.isNaN(number) && clamp(number) === number) take(target as HTMLInputElement, number);
  };
  const settle = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    const number = numberIn(input);
    if (Number.isNaN(number)) {
      if (input.value.trim() !== '') say(input, `Type a number from ${written(min)} to ${written(max)}.`);
      input.value = plainly(taken.get(input) ?? now());
      return;
    }
    if (number < min || number > max) say(input, `The range is ${written(min)} to ${written(max)}.`);
    input.value = plainly(clamp(number));
    take(input, clamp(number));
  };
  const leave = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    input.value = written(taken.get(input) ?? value);
    taken.delete(input);
  };
  const key = (event: KeyboardEvent) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (way === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const input = event.target as HTMLInputElement;
    const number = numberIn(input);
    const next = clamp((Number.isNaN(number) ? now() : number) + way * step);
    input.value = plainly(next);
    take(input, next);
  };

  return html`<input
    class=${className}
    type="text"
    role="spinbutton"
    inputmode=${min < 0 ? 'text' : whole ? 'numeric' : 'decimal'}
    autocomplete="off"
    spellcheck="false"
    id=${id ?? nothing}
    aria-label=${label ?? nothing}
    aria-labelledby=${labelledBy ?? nothing}
    aria-valuemin=${min}
    aria-valuemax=${max}
    aria-valuenow=${value}
    aria-valuetext=${written(value)}
    .value=${unfocused(written(value))}
    @focus=${focus}
    @input=${type}
    @change=${settle}
    @blur=${leave}
    @keydown=${key}
  />`;
}

/** Below the field, until the reader does something else. */
function say(input: HTMLInputElement, words: string): void {
  const sentence = document.createElement('span');
  sentence.className = 'number-said';
  sentence.role = 'alert';
  sentence.textContent = words;
  input.after(sentence);
  // It stands at the corner of its room, from where it is moved under the field and not beyond the screen.
  const [from, field] = [sentence.getBoundingClientRect(), input.getBoundingClientRect()];
  const left = Math.max(8, Math.min(field.left, document.documentElement.clientWidth - from.width - 8));
  sentence.style.left = `${left - from.left}px`;
  sentence.style.top = `${field.bottom + 4 - from.top}px`;
  const done = new AbortController();
  const end = () => {
    done.abort();
    sentence.remove();
  };
  for (const next of ['keydown', 'pointerdown']) document.addEventListener(next, end, { capture: true, signal: done.signal });
}
