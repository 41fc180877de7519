// A layer as a map: a token's row goes through it, attention collects and adds, the feed-forward step reworks and adds.
// Shapes at every step, the sizes of what is added in every layer, and the neurons of the feed-forward step on the bend.
//
// The parts lie in layer-map/: work (what is asked of the core), words (title, description, table), path, neurons.

import { html, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import '../reader/model-shelf.ts';
import { pager } from '../marks/pager.ts';
import { tokenStrip } from '../marks/token.ts';
import { integer } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { neuronsView } from './layer-map/neurons.ts';
import { layers, path } from './layer-map/path.ts';
import { describe, nameOf, table, title } from './layer-map/words.ts';
import { look, type Map, type Result, type State } from './layer-map/work.ts';
import { refusedView, textFields, textInput, tokenViews, type Seen } from './model-text.ts';
import { ways } from './ways.ts';

const schema = {
  ...textFields("The animal didn't cross the street because it was too tired"),
  /** The token whose row is followed (−1: the last). */
  position: integer({ min: -1, max: 99_999, initial: -1 }),
  /** Counted from 0; beyond the model's, the last is shown. */
  layer: integer({ min: 0, max: 999, initial: 0 }),
  /** The neuron that is spoken of (−1: the strongest). */
  neuron: integer({ min: -1, max: 99_999, initial: -1 }),
};

export const figure = defineFigure({
  name: 'layer-map',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['neuron', 'model'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, state, result, set } = context;
    return html`${textInput({ id, state, result, set })}${result.kind === 'refused' ? refusedView(result) : seenView(context, result)}`;
  },
});

function seenView({ id, state, set, wanted, page }: ViewContext<State, Result>, result: Seen<Map>): TemplateResult {
  const { run, seen: map, model } = result;
  const [named, { base }] = [nameOf(result), page];
  // Another token or layer has other strong neurons.
  const turn = (layer: number) => set({ layer, neuron: -1 });
  return html`<div class="head-tokens ${run.tokens.length > 40 ? 'head-tokens-many' : ''}">
      ${tokenStrip({
        id,
        label: 'Tokens; pick one to follow its row',
        base,
        tokens: tokenViews(run.tokens),
        asking: map.position,
        onPick: (position) => set({ position, neuron: -1 }),
      })}
    </div>
    <div class="head-pagers needs-script" data-page-only>${pager({ id, noun: 'Layer', at: map.layer, count: model.config.n_layers, base, set: turn, ...ways(map.layer, model.config.n_layers, wanted && (() => Math.min(wanted().layer, model.config.n_layers - 1)), turn) })}</div>
    <div class="map-parts">
      ${path(map, named)}
      <div>${layers({ id, map, base, set: ({ layer }) => turn(layer) })}<p class="hint">Lengths of rows: the root of the sum of their squares.</p></div>
    </div>
    ${neuronsView({ id, state, map, named, base, set })}`;
}
