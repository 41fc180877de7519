// All heads of the model in use at once, as small grids, on the reader's text: layer by layer, or in the order of what they
// mostly look at in it. Picking one opens it larger, with its scores and the way to the figure that steps through it.
//
// The parts lie in head-gallery/: work (what is asked of the core), words (scores, title, description, table), wall (the
// small grids), open-view and gallery-grid (the one that is open).

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { maskedLegend, shareLegend } from '../marks/legend.ts';
import { segmented } from '../marks/slider.ts';
import { choice, texts } from '../state/schema.ts';
import { defineFigure, type Update, type ViewContext } from './definition.ts';
import './head-gallery/gallery-grid.ts';
import { wall } from './head-gallery/wall.ts';
import { describe, reduced, scoreWords, sortNames, table, title, waiting } from './head-gallery/words.ts';
import { look, sorts, type Result, type Seen, type State } from './head-gallery/work.ts';
import { refusedView, textFields, textInput } from './model-text.ts';

const sort = choice(sorts, 'place');

const schema = {
  ...textFields('When Mary and John went to the store, John gave a drink to'),
  sort,
  heads: texts({ length: 7, most: 1, initial: [] }),
};

export const figure = defineFigure({
  name: 'head-gallery',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['sort', 'heads', 'model'],
  compute: (engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> => look(engine, state, signal, update),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, state, result, set } = context;
    return html`${textInput({ id, state, result, set })} ${result.kind === 'refused' ? refusedView(result) : seenView(context, result)}`;
  },
});

function seenView(context: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const { id, state, set, page } = context;
  const notes = [waiting(seen), reduced(seen)].filter((note) => note !== null);
  return html`<div class="gallery-sort">${segmented({ label: 'Order of the heads', field: sort, value: state.sort, names: sortNames, set: (next) => set({ sort: next }) })}</div>
    <p class="gallery-says">${state.sort === 'place' ? 'Every head on the same text. Rows look, columns are looked at; pick a grid to open it.' : `Below each grid: ${scoreWords[state.sort].counts}.`}</p>
    ${notes.length > 0 ? html`<p class="hint">${notes.join(' ')}</p>` : nothing}
    ${wall({ id, state, seen, page, set })}
    <p class="gallery-legend">${shareLegend()} ${maskedLegend(id, 'hidden: stands later')}</p>`;
}
