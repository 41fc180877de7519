// What a training of repeated patterns begins with: its seed and its texts.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { slider } from '../../marks/slider.ts';
import type { State, schema as Schema } from '../train-live.ts';
import { seedField } from '../training/controls.ts';

export interface BeginningOptions {
  id: string;
  state: State;
  schema: typeof Schema;
  set(patch: Partial<State>): void;
}

export function beginning({ id, state, schema, set }: BeginningOptions): TemplateResult {
  const slide = (key: 'words' | 'shortest' | 'longest', label: string, patch: (value: number) => Partial<State>) =>
    slider({ id: `${id}-${key}`, label, field: schema[key], value: state[key], set: (value) => set(patch(value)) });
  return html`<details class="figure-aside needs-script train-beginning" data-page-only>
    <summary>Another seed, other texts</summary>
    <p class="hint">Every change begins a new training. The same seed gives the same curve in every browser.</p>
    ${seedField({ id, seed: state.seed, field: schema.seed, setSeed: (seed) => set({ seed }) })}
    <label class="train-repeats"><input type="checkbox" .checked=${live(state.repeats)} @change=${(event: Event) => set({ repeats: (event.target as HTMLInputElement).checked })} /> patterns come round</label>
    <div class="sliders">
      ${slide('words', 'words to draw from', (words) => ({ words }))}
      ${slide('shortest', 'shortest pattern', (shortest) => ({ shortest, longest: Math.max(shortest, state.longest) }))}
      ${slide('longest', 'longest pattern', (longest) => ({ longest, shortest: Math.min(longest, state.shortest) }))}
    </div>
  </details>`;
}
