// What reading costs on the reader's own machine, with the model in use: time and memory for texts of 8 tokens up to the
// window, against the count of multiplications; what it saves to keep keys and values; where the window ends.
//
// The parts lie in price-here/: measure (passes and their times), words (title, description, table, units).

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { share } from '../marks/number.ts';
import { segmented } from '../marks/slider.ts';
import { choice, integer, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { beginPrice, type Price } from './price-here/measure.ts';
import { describe, many, openRow, room, table, time, title, whole } from './price-here/words.ts';

const show = choice(['time', 'next', 'memory'], 'time');

export const schema = {
  show,
  /** The length of text whose arithmetic is open; one that is not measured means the longest. */
  open: integer({ min: 0, max: 1_000_000, initial: 0 }),
};

export type State = StateOf<typeof schema>;
type View = ViewContext<State, Price>;

export const figure = defineFigure({
  name: 'price-here',
  model: (price: Price) => price.model,
  alone: true, // it measures this machine, and has no text of its own
  schema,
  viewOnly: ['show', 'open'],
  compute: (engine: Engine, _state: State, signal: AbortSignal, update): Promise<Price> => beginPrice(engine, signal, update),
  title,
  describe,
  table,
  view(context: View) {
    const { state, set, result: price } = context;
    return html`<div class="price">
      ${segmented({ label: 'What is shown', field: show, value: state.show, names: { time: 'a whole pass', next: 'one more token', memory: 'memory' }, set: (next) => set({ show: next }) })}
      <ol class="price-rows" aria-label=${headings[state.show]}>
        <li class="price-row price-heads" aria-hidden="true"><span>tokens</span><span>${headings[state.show]}</span></li>
        ${price.lengths.map((_, at) => row(context, at))}
        <li class="price-row price-end"><span class="num">${whole(price.lengths.at(-1)! + 1)}</span><span>${price.refusal}</span></li>
      </ol>
      ${legend(state, price)}
      ${arithmetic(state, price)}
      ${controls(price)}
    </div>`;
  },
});

const headings = { time: 'time of a pass from nothing', next: 'time of the last token', memory: 'memory' };

// ---------------------------------------------------------------------------------------------------------------- rows

interface Bar {
  className: string;
  value: number;
  /** The part of it that goes into looks, where that is counted. */
  looks?: number;
  words: string;
}

/** The bars of a length. What is not measured yet is drawn by the count of multiplications. */
function barsOf(state: State, { counts, measured }: Price, at: number): Bar[] {
  const [row, times] = [counts.rows[at]!, measured[at]];
  const all = row.for_looks + row.for_tables;
  if (state.show === 'memory') {
    return [
      { className: 'price-keys', value: row.cache_bytes, words: `${room(row.cache_bytes)} keys and values` },
      { className: 'price-grids', value: row.grid_bytes, words: `${room(row.grid_bytes)} all grids` },
    ];
  }
  if (measured.length < counts.rows.length) {
    const pass = { className: 'price-counted', value: all, looks: row.for_looks, words: times ? time(times.whole) : `${many(all)} multiplications` };
    if (state.show === 'time') return [pass];
    return [{ className: 'price-counted', value: row.for_last_token, words: times?.next ? time(times.next) : `${many(row.for_last_token)} multiplications, kept` }, pass];
  }
  if (state.show === 'time') return [{ className: 'price-measured', value: times!.whole, words: time(times!.whole) }];
  return [
    { className: 'price-measured', value: times!.next ?? 0, words: times!.next === null ? 'nothing before it' : `${time(times!.next)} kept` },
    { className: 'price-anew', value: times!.whole, words: `${time(times!.whole)} anew` },
  ];
}

function row({ id, state, result: price, set }: View, at: number): TemplateResult {
  const marks = state.show === 'time' ? price.counts.rows.map((one) => one.expected_milliseconds ?? 0) : [];
  const longest = Math.max(...marks, ...price.lengths.flatMap((_, place) => barsOf(state, price, place).map((bar) => bar.value)));
  const { tokens, expected_milliseconds: expected } = price.counts.rows[at]!;
  const open = openRow(state, price) === at;
  const mark = state.show === 'time' ? expected : null;
  return html`<li class="price-row">
    <button type="button" class="price-length" id="${id}-row-${at}" aria-pressed=${open ? 'true' : 'false'} @click=${() => set({ open: tokens })}>${whole(tokens)}</button>
    <span class="price-bars">${barsOf(state, price, at).map((bar) => barLine(bar, longest, mark))}</span>
  </li>`;
}

function barLine({ className, value, looks, words }: Bar, longest: number, mark: number | null): TemplateResult {
  const percent = (part: number) => `${Math.round((part / longest) * 10000) / 100}%`;
  return html`<span class="price-bar"><svg class="bar" width="100%" height="12" aria-hidden="true">
      <rect class="bar-room" width="100%" height="12" rx="2"></rect>
      ${svg`<rect class=${className} width=${percent(value)} height="12" rx="2"></rect>`}
      ${looks === undefined ? nothing : svg`<rect class="price-looks" x=${percent(value - looks)} width=${percent(looks)} height="12"></rect>`}
      ${mark === null ? nothing : svg`<line class="price-mark" x1=${percent(mark)} x2=${percent(mark)} y1="-2" y2="14"></line>`}
    </svg><span class="num">${words}</span></span>`;
}

// ------------------------------------------------------------------------------------------------------------- in words

function legend({ show }: State, { counts, measured }: Price): TemplateResult {
  const swatch = (className: string, words: string) =>
    html`<span class="legend"><svg class="legend-swatch" width="14" height="14" aria-hidden="true"><rect class=${className} width="14" height="14"></rect></svg>${words}</span>`;
  const done = measured.length === counts.rows.length;
  if (show === 'memory') return html`<p class="price-legend">${swatch('price-keys', 'keys and values, which a program that writes has to keep')} ${swatch('price-grids', 'every head’s grid of shares, if one kept them')}</p>`;
  if (!done) return html`<p class="price-legend">${swatch('price-counted', 'multiplications in tables')} ${swatch('price-looks', 'for looks')}</p>`;
  if (show === 'next') return html`<p class="price-legend">${swatch('price-measured', 'measured, keys and values kept')} ${swatch('price-anew', 'measured, all worked out anew')}</p>`;
  return html`<p class="price-legend">${swatch('price-measured', 'measured here')} <span class="legend"><svg width="8" height="16" aria-hidden="true"><line class="price-mark" x1="4" x2="4" y2="16"></line></svg>by the formula, at one speed for all</span></p>`;
}

/** Where the multiplications of the open length come from. */
function arithmetic(state: State, price: Price): TemplateResult {
  const at = openRow(state, price);
  const { tokens, looks, looks_in_all, for_looks, for_tables, looks_part, for_last_token, cache_bytes } = price.counts.rows[at]!;
  const { n_layers, n_heads, d_head, d_model } = price.model.config;
  const num = (words: string) => html`<span class="num">${words}</span>`;
  if (state.show === 'memory') {
    const kept = price.measured[at]?.trace_bytes;
    return html`<p class="price-says">${num(whole(tokens))} tokens: ${num(whole(n_layers))} layers × ${num('2')} lists of ${num(whole(d_model))} numbers × ${num('4')} bytes for each, ${num(room(cache_bytes))} in all.
      ${kept === undefined ? nothing : html`This book’s engine keeps ${num(room(kept))}: queries and rows too, so that figures can show them.`}</p>`;
  }
  if (state.show === 'next') {
    return html`<p class="price-says">The last of ${num(whole(tokens))} tokens looks ${num(whole(tokens))} times in each head and goes once through the tables: ${num(many(for_last_token))} multiplications. All tokens anew take ${num(many(for_looks + for_tables))}.</p>`;
  }
  return html`<p class="price-says">${num(whole(tokens))} tokens: ${num(whole(looks))} looks × ${num(whole(n_layers * n_heads))} heads = ${num(whole(looks_in_all))}.
    A look takes ${num(whole(d_head))} products for its score and ${num(whole(d_head))} for the blend, which makes ${num(many(for_looks))} multiplications. The tables of the layers take ${num(many(for_tables))}.
    So ${num(share(looks_part))} of the work is looking back.</p>`;
}

function controls({ measured, lengths, running, problem, counts, model, start, stop }: Price): TemplateResult {
  const done = measured.length === lengths.length;
  const says = running ? `Measuring: ${measured.length} of ${lengths.length} lengths.` : model.arriving ? 'The model is still on its way.' : done ? `${many(counts.speed!)} multiplications a second here. Times vary from run to run.` : 'Nothing leaves your machine; a large model keeps it busy for some seconds.';
  return html`<div class="figure-controls price-controls needs-script">
    <button type="button" class="button" data-control="measure" data-page-only ?disabled=${model.arriving} @click=${running ? stop : start}>${running ? 'Stop' : done ? 'Measure again' : 'Measure'}</button>
    <span class="hint">${says}</span>
    ${problem ? html`<p class="figure-error" role="alert">${problem}</p>` : nothing}
  </div>`;
}
