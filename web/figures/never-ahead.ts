// Two texts that begin alike: up to where they part, every token's numbers are the same in both, to the last bit, after
// every layer. Each text is worked out from nothing. On the reader's texts and the model in use.
//
// The parts lie in never-ahead/: work (what is asked of the core), words (title, description, table, names of cells).

import { html, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { grid } from '../marks/grid.ts';
import { shareInk, type Ink } from '../marks/ink.ts';
import { fixed, ordinal } from '../marks/number.ts';
import { slider } from '../marks/slider.ts';
import { integer, text } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { modelChoice, refusedView, textField } from './head-views/input.ts';
import { afterLayers, cellName, describe, nameAt, table, title } from './never-ahead/words.ts';
import { bitsOf, layersOf, look, type Result, type Seen, type State } from './never-ahead/work.ts';

const schema = {
  one: text({ most: 20_000, initial: "The animal didn't cross the street because it was too tired" }),
  two: text({ most: 20_000, initial: "The animal didn't cross the street because it was too wide" }),
  /** The same for models without a vocabulary. */
  oneids: text({ most: 8_000, initial: '0, 1, 2' }),
  twoids: text({ most: 8_000, initial: '0, 1, 1' }),
  token: integer({ min: 0, max: 99_999, initial: 8 }),
  layers: integer({ min: 0, max: 999, initial: 999 }),
};

/** So many places are drawn at most, around the one that is spoken of. */
const mostPlaces = 40;
/** So many of a row's numbers are written out. */
const written = 6;

export const figure = defineFigure({
  name: 'never-ahead',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['layers'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view({ id, state, result, set, page }: ViewContext<State, Result>): TemplateResult {
    const { model, shelf } = result;
    const [one, two] = model.vocabulary === 'none' ? (['oneids', 'twoids'] as const) : (['one', 'two'] as const);
    return html`<div class="ahead-inputs">
        ${textField({ id: `${id}-one`, label: 'First text', value: state[one], typed: (value) => set({ [one]: value }) })}
        ${textField({ id: `${id}-two`, label: 'Second text', value: state[two], typed: (value) => set({ [two]: value }) })}
      </div>
      ${modelChoice(model, shelf)}
      ${result.kind === 'refused' ? refusedView(result) : body({ id, state, result, set, page })}`;
  },
});

function body({ id, state, result, set, page }: ViewContext<State, Seen>): TemplateResult {
  const layers = layersOf(state, result);
  const { differing, place } = result;
  const shared = differing[0]!.length;
  const start = Math.max(0, Math.min(place - Math.floor(mostPlaces / 2), shared - mostPlaces));
  const places = Array.from({ length: Math.min(shared, mostPlaces) }, (_, at) => start + at);
  const last = differing.length - 1;
  return html`<div class="ahead-grid">
      <p class="ahead-axis">Rows: tokens. Columns: layers done, from none to ${last}.</p>
      ${grid({
        id,
        label: 'Whether a token’s numbers are the same in both texts; rows are tokens, columns layers done',
        rows: places.map((at) => nameAt(result, at)),
        columns: differing.map((_, at) => String(at)),
        cell: (row, column) => ({ ...cellOf(result, column, places[row]!), name: cellName(result, column, places[row]!) }),
        active: [place - start, layers],
        onPick: ([row, column]) => set({ layers: column, token: places[row]! }),
      })}
    </div>
    <p class="ahead-legend"><span><b>=</b> every number the same, to the last bit</span><span><b>≠</b> some differ; darker where more do</span></p>
    <div class="figure-controls sliders needs-script">
      ${slider({ id: `${id}-layers`, label: 'Layers done', field: { ...schema.layers, max: last }, value: layers, set: (next) => set({ layers: next }) })}
      ${slider({ id: `${id}-token`, label: 'Token', field: { ...schema.token, max: shared - 1 }, value: place, shift: page.base, spoken: nameAt(result, place), set: (token) => set({ token }) })}
    </div>
    ${opened(result, layers, page.base)}`;
}

function cellOf({ differing, model }: Seen, layers: number, at: number): { ink: Ink; text: string } {
  const count = differing[layers]![at]!;
  // Any difference is seen, the smallest as a fifth of the ink.
  return count === 0 ? { ink: shareInk(0), text: '=' } : { ink: shareInk(0.2 + (0.4 * count) / model.config.d_model), text: '≠' };
}

/** The beginning of the row in both texts, with the bits of each number. */
function opened(seen: Seen, layers: number, base: 0 | 1): TemplateResult {
  const { place, model, differing } = seen;
  const [one, two] = [seen.rows[0][layers]!, seen.rows[1][layers]!];
  const [bits, others] = [bitsOf(one), bitsOf(two)];
  const all = model.config.d_model;
  const equal = all - differing[layers]![place]!;
  const count = Math.min(written, all);
  return html`<div class="ahead-opened">
    <p>The first ${count} of the ${fixed(all, 0)} numbers of <b>${nameAt(seen, place)}</b> ${afterLayers(layers)}. In all, <b class="num">${fixed(equal, 0)}</b> of <span class="num">${fixed(all, 0)}</span> are equal to the last bit.</p>
    <div class="ahead-frame" tabindex="0" role="region" aria-label="Numbers of the token in both texts">
      <table class="ahead-numbers">
        <thead><tr><th scope="col">number</th><th scope="col">first text</th><th class="ahead-bits" scope="col">its bits</th><th scope="col">second text</th><th class="ahead-bits" scope="col">its bits</th><th scope="col">equal</th></tr></thead>
        <tbody>${Array.from({ length: count }, (_, at) => {
          const same = bits[at] === others[at];
          return html`<tr class=${same ? '' : 'ahead-differs'}><th scope="row">${ordinal(at, base)}</th><td>${fixed(one[at]!, 6)}</td><td class="ahead-bits">${hexadecimal(bits[at]!)}</td>
            <td>${fixed(two[at]!, 6)}</td><td class="ahead-bits">${hexadecimal(others[at]!)}</td><td>${same ? 'yes' : 'no'}</td></tr>`;
        })}</tbody>
      </table>
    </div>
  </div>`;
}

function hexadecimal(bits: number): string {
  return bits.toString(16).toUpperCase().padStart(8, '0');
}
