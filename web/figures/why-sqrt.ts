// Why scores are divided by √d: dot products of random queries and keys of d numbers, how far they spread, and the shares
// that softmax makes of them, before the division and after it. Every number is the core's; this file only places them.

import { html, svg, type TemplateResult } from 'lit';
import type { SpreadOutput, SpreadScores } from '../engine/lessons-scores.ts';
import type { Engine } from '../engine/types.ts';
import { barPicture, scoreBar, shareBar } from '../marks/bars.ts';
import { fixed, plain, score, share } from '../marks/number.ts';
import { segmented, slider } from '../marks/slider.ts';
import { choice, integer, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { stepField } from './dial-field.ts';

const scores = choice(['raw', 'divided'], 'raw');

export const schema = {
  /** How many numbers a query and a key have. */
  d: integer({ min: 1, max: 256, initial: 64 }),
  scores,
  /** Of the random numbers. */
  seed: integer({ min: 0, max: 1_000_000, initial: 1 }),
};

export type State = StateOf<typeof schema>;
type View = ViewContext<State, SpreadOutput>;

/** Ends of the scale of one row's scores. */
const rowExtent = 30;

export const figure = defineFigure({
  name: 'why-sqrt',
  schema,
  viewOnly: ['scores'],
  compute: (engine: Engine, { d, seed }: State, signal: AbortSignal): Promise<SpreadOutput> => engine.lesson('spread', { d, seed }, { signal }),

  title(state: State, result: SpreadOutput) {
    const { spread, top_share: top } = result[state.scores];
    const how = state.scores === 'divided' ? `Divided by ${plain(result.root)}` : state.d === 1 ? 'With 1 number a list' : `With ${state.d} numbers a list`;
    return `${how}, random scores spread about ${fixed(spread, 1)} around zero, and the best of ${result.keys} keys gets ${share(top)} on average`;
  },

  describe(state: State, result: SpreadOutput) {
    const { raw, divided, root, rows, keys } = result;
    const row = result[state.scores];
    const first = row.row.map((value, at) => `${score(value)} gets ${share(row.shares[at]!)}`).join('; ');
    return `${rows} random queries of ${state.d} numbers, each with ${keys} random keys. The scores spread by ${fixed(raw.spread, 2)}; the square root of ${state.d} is ${fixed(root, 2)}. The largest share of a row is ${share(raw.top_share)} on average. Divided by the root, the scores spread by ${fixed(divided.spread, 2)} and the largest share is ${share(divided.top_share)}. The first row, ${state.scores}: ${first}.`;
  },

  table(_state: State, { lengths }: SpreadOutput) {
    return {
      caption: 'Random queries and keys of d numbers: spread of the scores, and the largest share of a row on average',
      columns: ['d', '√d', { label: 'spread', as: 'fixed3' as const }, { label: 'largest share', as: 'share' as const }, { label: 'spread, divided', as: 'fixed3' as const }, { label: 'largest share, divided', as: 'share' as const }],
      rows: lengths.map((row) => [row.d, row.root, row.spread, row.top_share, row.divided_spread, row.divided_top_share]),
    };
  },

  view(context: View) {
    const { id, state, result, set, wanted } = context;
    return html`<div class="spread">
      <div class="figure-controls spread-controls">
        ${slider({ id: `${id}-d`, label: 'numbers in a list', field: schema.d, value: state.d, set: (d) => set({ d }) })}
        ${segmented({ label: 'Scores', field: scores, value: state.scores, names: { raw: 'scores as they are', divided: `divided by √${state.d} = ${plain(result.root)}` }, set: (next) => set({ scores: next }) })}
      </div>
      <p class="hint">${fixed(result.rows * result.keys, 0)} scores: ${result.rows} random queries with ${result.keys} random keys each. Every bar counts the scores in its stretch of the scale.</p>
      ${histogram(result[state.scores], result)}
      <div class="spread-columns">${firstRow(context)} ${lengths(context)}</div>
      <div class="spread-seed needs-script" data-page-only>
        <label class="label" for="${id}-seed">seed of the random numbers</label>
        ${stepField({ id: `${id}-seed`, label: 'seed of the random numbers', field: schema.seed, value: state.seed, wanted: wanted && (() => wanted().seed), set: (seed) => set({ seed }), stride: 1 })}
      </div>
    </div>`;
  },
});

// ----------------------------------------------------------------------------------------------------------- histogram

const height = 150;
const floor = height - 22;
const top = 24;

function histogram({ counts, spread }: SpreadScores, { low, width }: SpreadOutput): TemplateResult {
  const high = low + counts.length * width;
  const place = (value: number) => `${Math.round(((value - low) / (high - low)) * 10000) / 100}%`;
  const tallest = Math.max(...counts);
  const ticks = [-40, -20, 0, 20, 40].filter((tick) => tick > low && tick < high);
  return html`<svg class="spread-histogram" width="100%" height=${height} aria-hidden="true">
    <line class="spread-axis" x1="0" x2="100%" y1=${floor} y2=${floor}></line>
    ${counts.map((count, at) => {
      const tall = Math.round((count / tallest) * (floor - top) * 10) / 10;
      const middle = low + (at + 0.5) * width;
      return count === 0 ? '' : svg`<rect class=${middle < 0 ? 'bar-slate' : 'bar-score'} x=${place(low + at * width)} y=${floor - tall} width="${100 / counts.length - 0.1}%" height=${tall}></rect>`;
    })}
    ${[-spread, spread].map((edge) => svg`<line class="spread-edge" x1=${place(edge)} x2=${place(edge)} y1=${top - 6} y2=${floor}></line>`)}
    <text class="spread-note" x="50%" y="12" text-anchor="middle">spread ${fixed(spread, 2)} to either side</text>
    ${ticks.map((tick) => svg`<text class="spread-tick" x=${place(tick)} y=${height - 6} text-anchor="middle">${fixed(tick, 0)}</text>`)}
  </svg>`;
}

// ----------------------------------------------------------------------------------------------------------------- row

function firstRow({ state, result }: View): TemplateResult {
  const { row, shares } = result[state.scores];
  return html`<div class="spread-row" role="group" aria-label="One query: its scores and their shares">
    <p class="label">one query, its ${result.keys} keys</p>
    <ol class="spread-keys">
      ${row.map(
        (value, at) => html`<li>
          <span class="num">${score(value)}</span> ${barPicture(scoreBar({ label: '', score: value, extent: rowExtent, negative: true }))}
          ${barPicture(shareBar({ label: '', share: shares[at]! }))} <span class="num">${share(shares[at]!)}</span>
        </li>`,
      )}
    </ol>
    <p class="spread-ends" aria-hidden="true"><span></span><span><span>−${rowExtent}</span><span>score</span><span>${rowExtent}</span></span><span><span>0</span><span>share</span><span>100 %</span></span><span></span></p>
  </div>`;
}

/** Lists of other lengths, from the same seed. */
function lengths({ id, state, result, set }: View): TemplateResult {
  return html`<table class="spread-lengths">
    <thead>
      <tr><th scope="col" rowspan="2">numbers</th><th scope="col" rowspan="2">root</th><th scope="colgroup" colspan="2">as they are</th><th scope="colgroup" colspan="2">divided</th></tr>
      <tr><th scope="col">spread</th><th scope="col">best share</th><th scope="col">spread</th><th scope="col">best share</th></tr>
    </thead>
    <tbody>
      ${result.lengths.map(
        (row) => html`<tr class=${row.d === state.d ? 'spread-here' : ''}>
          <th scope="row"><button type="button" class="dial-do" id="${id}-length-${row.d}" aria-label="${row.d} numbers in a list" @click=${() => set({ d: row.d })}>${row.d}</button></th>
          <td>${plain(row.root)}</td><td>${fixed(row.spread, 2)}</td><td>${share(row.top_share)}</td><td>${fixed(row.divided_spread, 2)}</td><td>${share(row.divided_top_share)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
