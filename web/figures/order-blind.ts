// Two texts of the same words in another order. Without positions, one step of attention brings their last tokens the
// same; with positions it does not, and from the second layer on the mask alone tells the orders apart. On the reader's
// texts and the model in use; or as a sum in a toy world, where every term can be read.
//
// The parts lie in order-blind/: state, work (what is asked of the core), words (title, description, table), layers,
// shares, toy.

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { pager } from '../marks/pager.ts';
import { segmented } from '../marks/slider.ts';
import { counted } from '../marks/model-label.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { modelChoice, refusedView, textField, type Refused } from './head-views/input.ts';
import { layerList, opened } from './order-blind/layers.ts';
import { sharesView } from './order-blind/shares.ts';
import { schema, viewOnly, type State } from './order-blind/state.ts';
import { toyView } from './order-blind/toy.ts';
import { askerOf, describe, positionNames, table, title } from './order-blind/words.ts';
import { look, type Result, type Seen } from './order-blind/work.ts';

export const figure = defineFigure({
  name: 'order-blind',
  model: (result: Result) => (result.kind === 'toy' ? null : result.model),
  schema,
  viewOnly,
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { state, result, set } = context;
    return html`<div class="order-mode" data-page-only>${segmented({ label: 'Where to look', field: schema.mode, value: state.mode, names: { model: 'In the model', toy: 'The sum, in a toy world' }, set: (mode) => set({ mode }) })}</div>
      ${result.kind === 'toy' ? toyView(context, result) : modelView(context, result)}`;
  },
});

function modelView(context: ViewContext<State, Result>, result: Refused | Seen): TemplateResult {
  const { id, state, set } = context;
  const { model, shelf } = result;
  const [one, two] = model.vocabulary === 'none' ? (['oneids', 'twoids'] as const) : (['one', 'two'] as const);
  return html`<div class="order-inputs">
      ${textField({ id: `${id}-one`, label: 'First text', value: state[one], typed: (value) => set({ [one]: value }) })}
      ${textField({ id: `${id}-two`, label: 'Second text', value: state[two], typed: (value) => set({ [two]: value }) })}
    </div>
    <div class="order-choices">
      <span class="label">Positions</span>
      ${segmented({ label: 'Positions', field: schema.positions, value: state.positions, names: positionNames, set: (positions) => set({ positions }) })}
      ${state.positions === 'shuffled' ? pager({ id, noun: 'Shuffle', at: state.seed - schema.seed.min, count: schema.seed.max, base: 1, set: (at) => set({ seed: at + schema.seed.min }) }) : nothing}
    </div>
    ${modelChoice(model, shelf)}
    ${result.kind === 'refused' ? refusedView(result) : body(context, result)}`;
}

function body(context: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const count = seen.sides[0].tokens.length;
  return html`<p class="hint">${seen.reordered ? `Both texts are made of the same ${counted(count, 'token')} and end with “${askerOf(seen)}”.` : 'The two texts are not made of the same tokens with the same one at the end, so they may differ even where order does not count.'}</p>
    <div class="figure-columns">${layerList(context, seen)}${sharesView(context, seen)}</div>
    ${opened(context, seen)}`;
}
