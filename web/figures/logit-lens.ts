// The logit lens: the final read-out, which comes after the last layer, put to a token's row after every layer. What
// would the model say if it had to guess now? A slider over the layers done, the top guesses of each, and the chance of a
// target word on its way.
//
// The parts lie in logit-lens/: work (what is asked of the core), words (title, description, table), picture.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../engine/types.ts';
import '../reader/model-shelf.ts';
import { slider } from '../marks/slider.ts';
import { tokenStrip } from '../marks/token.ts';
import { flag, integer, text } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { refusedView, textFields, textInput, tokenViews, type Seen } from './model-text.ts';
import { picture } from './logit-lens/picture.ts';
import { sentence } from './logit-lens/recorded.ts';
import { describe, stretch, table, title } from './logit-lens/words.ts';
import { doneOf, look, pending, type Lens, type Result, type State } from './logit-lens/work.ts';

const schema = {
  ...textFields(sentence),
  /** The token whose row is read (−1: the last). */
  position: integer({ min: -1, max: 99_999, initial: -1 }),
  /** The word that is followed; empty: the model's own last guess. */
  target: text({ most: 60, initial: '' }),
  /** A count, not a place: it never shifts with the display. Beyond the model's layers: all of them. */
  done: integer({ min: 0, max: 999, initial: 999 }),
  /** Guess first; `guess` beyond the layers: never. */
  quiz: flag(false),
  guess: integer({ min: -1, max: 999, initial: -1 }),
};

export const figure = defineFigure({
  name: 'logit-lens',
  model: (result: Result) => (result.kind === 'recorded' ? null : result.model),
  schema,
  viewOnly: ['done', 'quiz', 'guess'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, state, result, set } = context;
    const shown = result.kind === 'recorded' ? 'what was recorded from it' : undefined;
    return html`${textInput({ id, state, result, set, shown })}${result.kind === 'refused' ? refusedView(result) : result.kind === 'recorded' ? body(context, result.seen) : seenView(context, result)}`;
  },
});

function seenView(context: ViewContext<State, Result>, { run, seen }: Seen<Lens>): TemplateResult {
  const { id, set, page, state } = context;
  // Who asks elsewhere means the model at hand.
  const here = state.model === 'any' ? {} : { model: 'any' as const };
  return html`<div class="head-tokens ${run.tokens.length > 40 ? 'head-tokens-many' : ''}">
      ${tokenStrip({
        id,
        label: 'Tokens; pick one to ask what follows it',
        base: page.base,
        tokens: tokenViews(run.tokens),
        asking: seen.position,
        onPick: (position) => set({ position, guess: -1, ...here }),
      })}
    </div>
    ${body(context, seen)}`;
}

function body({ id, state, set }: ViewContext<State, Result>, lens: Lens): TemplateResult {
  return html`${picture({ id, state, lens, set })} ${controls({ id, state, set }, lens)}`;
}

function controls({ id, state, set }: Pick<ViewContext<State, Result>, 'id' | 'state' | 'set'>, lens: Lens): TemplateResult {
  const layers = lens.depths.length - 1;
  const done = doneOf(state, lens);
  return html`<div class="figure-controls needs-script" data-page-only>
    ${pending(state)
      ? ''
      : slider({ id: `${id}-done`, label: 'Layers done', field: integer({ min: 0, max: layers, initial: layers }), value: done, set: (next) => set({ done: next }), spoken: stretch(done, layers) })}
    <span class="lens-target"><label class="label" for="${id}-target">Target word</label>
      <input class="field lens-field" id="${id}-target" type="text" spellcheck="false" autocomplete="off" maxlength="60" placeholder="its last guess"
        .value=${live(state.target)} @change=${(event: Event) => set({ target: (event.target as HTMLInputElement).value, guess: -1, model: 'any' })} /></span>
    ${state.quiz
      ? html`<button type="button" class="step-button" data-control="quiz" @click=${() => set({ quiz: false, guess: -1 })}>Stop guessing</button>`
      : html`<button type="button" class="step-button" data-control="quiz" data-takes-focus @click=${() => set({ quiz: true, guess: -1 })}>Guess first</button>`}
  </div>`;
}
