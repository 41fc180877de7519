// A text goes on, token by token: the chances of what may come next, the draw, and every step's alternatives, of which
// another can be taken. Greedy, or by temperature, top-k and top-p over the whole distribution, from a seed: what is
// shown follows from the text, the settings, the number of steps and what was taken by hand, so a link holds all of it.
//
// The parts lie in continue-text/: work (what is asked of the core), words (title, description, table), picture (text and
// alternatives), settings (how the next token is drawn).

import { html, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import '../reader/model-shelf.ts';
import { integer, texts } from '../state/schema.ts';
import { refusedView, textFields, textInput } from './model-text.ts';
import { picture } from './continue-text/picture.ts';
import { settings, settingFields } from './continue-text/settings.ts';
import { describe, table, title } from './continue-text/words.ts';
import { look, type Result, type State } from './continue-text/work.ts';
import { defineFigure, type Update, type ViewContext } from './definition.ts';

const schema = {
  ...textFields('The dog chased the cat. The cat'),
  ...settingFields,
  /** How many tokens are added; as many as the window takes. */
  drawn: integer({ min: 0, max: 99_999, initial: 0 }),
  /** What the reader took in place of the draw: "step.token", steps from 0. Only what is among a step's alternatives. */
  taken: texts({ length: 16, most: 400, initial: [] }),
  /** The step whose alternatives are open (−1: the one to come). */
  at: integer({ min: -1, max: 99_999, initial: -1 }),
};

export const figure = defineFigure({
  name: 'continue-text',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['at', 'model'],
  compute: (engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> => look(engine, state, signal, update),
  title,
  describe,
  table,
  view({ id, state, result, set, wanted, page }: ViewContext<State, Result>): TemplateResult {
    // Another text begins anew.
    const typed = (patch: Partial<State>) => set({ ...patch, drawn: 0, taken: [], at: -1 });
    // Who goes on means the model at hand.
    const go = (patch: Partial<State>) => set({ ...patch, ...(state.model === 'any' ? {} : { model: 'any' as const }) });
    // Another way to draw draws everything anew.
    const how = settings({ id, state, wanted, set: (patch) => go({ ...patch, taken: [], at: -1 }) });
    return html`${textInput({ id, state, result, set: typed })}
      ${result.kind === 'refused' ? html`${refusedView(result)} ${how}` : picture({ id, state, base: page.base, model: result.model, seen: result.seen, settings: how, set: go })}`;
  },
});
