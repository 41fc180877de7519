// How the next token is drawn: temperature, top-k, top-p, and the seed that the draws follow from.

import { html, type TemplateResult } from 'lit';
import { fixed, plain, share } from '../../marks/number.ts';
import { slider } from '../../marks/slider.ts';
import { integer, number } from '../../state/schema.ts';
import { longSlider } from '../cost-counter/long-slider.ts';
import { stepField } from '../dial-field.ts';
import type { State } from './work.ts';

export const settingFields = {
  /** Scores are divided by it; 0: greedy. */
  temperature: number({ min: 0, max: 3, step: 0.05, initial: 1 }),
  /** 0: no limit. */
  topk: integer({ min: 0, max: 99_999, initial: 0 }),
  /** 1: no limit. */
  topp: number({ min: 0.01, max: 1, step: 0.01, initial: 1 }),
  seed: integer({ min: 0, max: 999_999, initial: 1 }),
};

interface SettingsContext {
  id: string;
  state: State;
  wanted?: (() => State) | undefined;
  set(patch: Partial<State>): void;
}

export function settings({ id, state, wanted, set }: SettingsContext): TemplateResult {
  const { temperature, topk, topp, seed } = state;
  const button = (name: string, on: boolean, patch: Partial<State>) =>
    html`<button type="button" class="step-button" aria-pressed=${on ? 'true' : 'false'} @click=${() => set(patch)}>${name}</button>`;
  return html`<div class="next-settings">
    <div class="next-presets needs-script" data-page-only>
      ${button('Greedy', temperature === 0, { temperature: 0 })}
      ${button('As the model says', temperature === 1 && topk === 0 && topp === 1, { temperature: 1, topk: 0, topp: 1 })}
      <span class="next-seed"><span class="label" aria-hidden="true">Seed</span> ${stepField({ id: `${id}-seed`, label: 'Seed', field: settingFields.seed, value: seed, wanted: wanted && (() => wanted().seed), stride: 1, set: (next) => set({ seed: next }) })}</span>
    </div>
    <div class="next-sliders needs-script" data-page-only>
      ${slider({ id: `${id}-temperature`, label: 'Temperature', field: settingFields.temperature, value: temperature, set: (next) => set({ temperature: next }), spoken: temperature === 0 ? '0, greedy' : plain(temperature) })}
      ${longSlider({ id: `${id}-topk`, label: 'Top-k (0: all)', field: settingFields.topk, value: topk, wanted: wanted && (() => wanted().topk), set: (next) => set({ topk: next }) })}
      ${slider({ id: `${id}-topp`, label: 'Top-p (1: all)', field: settingFields.topp, value: topp, set: (next) => set({ topp: next }) })}
    </div>
    <p class="next-rule">${ruleOf(state)}</p>
  </div>`;
}

/** The draw in one sentence. */
export function ruleOf({ temperature, topk, topp, seed }: State): string {
  if (temperature === 0) return 'The likeliest token is taken each time; no seed plays a part.';
  const scores = temperature === 1 ? '' : `Scores are divided by ${plain(temperature)}. `;
  const limits = [
    ...(topk > 0 ? [topk === 1 ? 'the likeliest token stays' : `the ${fixed(topk, 0)} likeliest tokens stay`] : []),
    ...(topp < 1 ? [`${topk > 0 ? 'of these' : ''} the fewest that together reach ${share(topp)}${topk > 0 ? '' : ' stay'}`.trim()] : []),
  ].join(', and ');
  const drawn = limits === '' ? 'Each token of the whole vocabulary can be drawn' : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}; one of them is drawn`;
  return `${scores}${drawn}, by the chances shown, with seed ${seed}.`;
}
