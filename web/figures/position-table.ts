// The learned position table: a row for each place, drawn whole; how alike the rows are; and where a token begins, which is
// its own row plus the row of its place. The table has as many rows as the model was made with, and not one more.
//
// The parts lie in position-table/: work (what is asked of the core), words (title, description, table), board (the
// picture), sum (token row, position row, start).

import { html, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import '../reader/model-shelf.ts';
import { fixed } from '../marks/number.ts';
import { slider } from '../marks/slider.ts';
import { tokenStrip } from '../marks/token.ts';
import { integer } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { refusedView, textFields, textInput, tokenViews, type Seen } from './model-text.ts';
import { board } from './position-table/board.ts';
import { sumView } from './position-table/sum.ts';
import { describe, sizesOf, table, title } from './position-table/words.ts';
import { look, type Places, type Result, type State } from './position-table/work.ts';

const schema = {
  ...textFields("The animal didn't cross the bridge because it"),
  place: integer({ min: 0, max: 99_999, initial: 5 }),
  col: integer({ min: 0, max: 99_999, initial: 0 }),
};

export const figure = defineFigure({
  name: 'position-table',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['col', 'model'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, state, result, set } = context;
    return html`${textInput({ id, state, result, set })}${result.kind === 'refused' ? refusedView(result) : seenView(context, result)}`;
  },
});

function seenView(context: ViewContext<State, Result>, result: Seen<Places>): TemplateResult {
  const { id, state, set, wanted, page } = context;
  const { tokens } = result.run;
  return html`<div class="head-tokens ${tokens.length > 40 ? 'head-tokens-many' : ''}">
      ${tokenStrip({
        id,
        label: 'Tokens; pick one to see the row of its place',
        base: page.base,
        tokens: tokenViews(tokens),
        asking: state.place < tokens.length ? state.place : null,
        onPick: (place) => set({ place }),
      })}
    </div>
    <div class="figure-controls needs-script">
      ${slider({ id: `${id}-place`, label: 'Place', field: { ...schema.place, max: sizesOf(result).rows }, value: state.place, shift: page.base, set: (place) => set({ place }) })}
      <span class="hint">${fixed(sizesOf(result).rows, 0)} rows; the slider’s end is the place after the last.</span>
    </div>
    ${board({ id, state, result, set, ...(wanted && { wanted }) })} ${sumView(context, result)}`;
}
