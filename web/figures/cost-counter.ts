// How many looks a text takes: n (n + 1) / 2 in a head, times the heads; and what more text adds. Every number is the
// core's; this file only places them. The picture lies in cost-counter/.

import { html, nothing, type TemplateResult } from 'lit';
import type { CostOutput } from '../engine/lessons-price.ts';
import type { Engine } from '../engine/types.ts';
import { fixed, plain } from '../marks/number.ts';
import { integer, type StateOf } from '../state/schema.ts';
import { longSlider } from './cost-counter/long-slider.ts';
import { picture } from './cost-counter/picture.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { stepField } from './dial-field.ts';

const most = 200_000;

export const schema = {
  tokens: integer({ min: 1, max: most, initial: 9 }),
  /** What comes behind the text. */
  added: integer({ min: 0, max: most, initial: 9 }),
  layers: integer({ min: 1, max: 1000, initial: 12 }),
  heads: integer({ min: 1, max: 200, initial: 12 }),
  /** The framed row, by how many tokens it has in sight; 0: none. */
  sight: integer({ min: 0, max: 2 * most, initial: 0 }),
};

export type State = StateOf<typeof schema>;
type View = ViewContext<State, CostOutput>;

const whole = (value: number) => fixed(value, 0);
const counted = (value: number, noun: string) => `${whole(value)} ${noun}${value === 1 ? '' : 's'}`;

export const figure = defineFigure({
  name: 'cost-counter',
  schema,
  viewOnly: ['sight'],
  compute: (engine: Engine, { tokens, added, layers, heads }: State, signal: AbortSignal): Promise<CostOutput> =>
    engine.lesson('cost', { tokens, added, layers, heads }, { signal }),
  title,
  describe,
  table,
  view(context: View) {
    const { id, state, set, wanted } = context;
    return html`<div class="cost">
      <div class="cost-columns">
        <div>${picture({ tokens: state.tokens, added: state.added, sight: state.sight, pick: (sight) => set({ sight }) })} ${sightLine(context)}</div>
        <div class="cost-words">
          <div class="cost-sliders sliders">
            ${longSlider({ id: `${id}-tokens`, label: 'tokens of the text', field: schema.tokens, value: state.tokens, wanted: wanted && (() => wanted().tokens), set: (tokens) => set({ tokens }) })}
            ${longSlider({ id: `${id}-added`, label: 'tokens added', field: schema.added, value: state.added, wanted: wanted && (() => wanted().added), set: (added) => set({ added }) })}
          </div>
          ${additions(context)} ${sum(context)}
        </div>
      </div>
      ${doublings(context.result)}
    </div>`;
  },
});

// -------------------------------------------------------------------------------------------------------------- words

/** With so many digits that what is more than once does not read as once. */
const timesOf = (times: number) => (times > 1 && times < 1.01 ? fixed(times, Math.ceil(-Math.log10(times - 1))) : plain(times));

function title({ tokens, added }: State, { before, after, across, among, heads_in_all: heads }: CostOutput): string {
  if (added === 0) return `${counted(tokens, 'token')}: ${counted(before.looks, 'look')} in one head, ${whole(before.looks_in_all)} in ${heads === 1 ? 'all' : `all ${whole(heads)} heads`}`;
  if (added === 1) return `One more token takes ${counted(across + among, 'new look')} in a head, one at each token in sight`;
  const text = added === tokens ? 'Twice the text' : `${whole(added)} tokens more`;
  return `${text}, ${timesOf(after.times!)} times the looks: ${counted(tokens, 'token')} take ${whole(before.looks)} in a head, ${whole(after.tokens)} take ${whole(after.looks)}`;
}

function describe({ tokens, added, layers, heads, sight }: State, { before, after, across, among, heads_in_all }: CostOutput): string {
  const said = [`A text of ${counted(tokens, 'token')} takes ${counted(before.looks, 'look')} in one head.`];
  if (added > 0) {
    said.push(`With ${whole(added)} more, what is new looks ${whole(across)} times at the text and ${whole(among)} times at itself, which makes ${whole(after.looks)} looks, ${timesOf(after.times!)} times as many.`);
  }
  said.push(`In ${counted(layers, 'layer')} of ${counted(heads, 'head')}, ${whole(heads_in_all)} in all, that is ${whole(after.looks_in_all)} looks.`);
  if (sight > 0 && sight <= after.tokens) said.push(`The framed token has ${whole(sight)} in sight.`);
  return said.join(' ');
}

function table(_state: State, { before, after, across, among, heads_in_all: heads, doublings: rows }: CostOutput) {
  const line = (label: string, looks: number, all: number, times: number | null = null) => [label, looks, all, times];
  return {
    caption: `Looks in one head, and in ${heads === 1 ? 'all' : `all ${whole(heads)}`}`,
    columns: ['tokens', { label: 'looks in a head', as: 'integer' as const }, { label: 'in all heads', as: 'integer' as const }, { label: 'times', as: 'number' as const }],
    rows: [
      line(`${whole(before.tokens)}, the text`, before.looks, before.looks_in_all),
      line('what is added, at the text', across, across * heads),
      line('what is added, at itself', among, among * heads),
      line(`${whole(after.tokens)}, both`, after.looks, after.looks_in_all, after.times),
      ...rows.map((row) => line(whole(row.tokens), row.looks, row.looks_in_all, row.times)),
    ],
  };
}

// --------------------------------------------------------------------------------------------------------------- parts

/** The row under the mouse or the typed one, in words. */
function sightLine({ id, state, set, wanted }: View): TemplateResult {
  const n = state.tokens + state.added;
  const sight = Math.min(state.sight, n);
  const words = sight === 0 ? `One row a token. Choose how many tokens it sees${n <= 40 ? ', or point at one,' : ''} to frame it.` : sight === 1 ? 'This token is the first: it sees itself alone.' : `This token sees ${whole(sight)}: itself and the ${whole(sight - 1)} before it.`;
  return html`<p class="cost-sight"><span class="needs-script" data-page-only>${stepField({ id: `${id}-sight`, label: 'tokens in sight of the framed row', field: { ...schema.sight, max: n, clamp: (value) => Math.min(schema.sight.clamp(value), n) }, value: sight, wanted: wanted && (() => Math.min(wanted().sight, n)), set: (next) => set({ sight: next }), stride: 1 })}</span>
    <span class="hint">${words}</span></p>`;
}

/** The parts of the picture, added up. */
function sum({ id, state, result, set, wanted }: View): TemplateResult {
  const { before, after, across, among, heads_in_all: heads, added } = result;
  const field = (key: 'layers' | 'heads', label: string) => stepField({ id: `${id}-${key}`, label, field: schema[key], value: state[key], wanted: wanted && (() => wanted()[key]), set: (value) => set({ [key]: value }), stride: 1 });
  return html`<dl class="cost-sum">
    ${part('cost-before', 'the text, looking back', triangle(before.tokens), before.looks)}
    ${added > 0 ? html`${part('cost-across', 'new tokens, looking at the text', html`${whole(added)} × ${whole(before.tokens)}`, across)} ${part('cost-among', 'new tokens, looking at the new', triangle(added), among)}` : nothing}
    <div class="cost-part cost-total">
      <dt>in one head</dt>
      <dd><b class="num">${whole(after.looks)}</b>${added > 0 ? html` <span class="cost-times">${timesOf(after.times!)} times the text’s</span>` : nothing}</dd>
    </div>
    <div class="cost-part cost-heads">
      <dt><span class="cost-fields"><span class="cost-field">${field('layers', 'layers')} layers ×</span> <span class="cost-field">${field('heads', 'heads in a layer')} heads</span></span></dt>
      <dd>× <span class="num">${whole(heads)}</span> = <b class="num">${whole(after.looks_in_all)}</b></dd>
    </div>
  </dl>`;
}

function part(className: string, words: string, arithmetic: TemplateResult, looks: number): TemplateResult {
  return html`<div class="cost-part">
    <dt><svg class="cost-swatch" width="14" height="14" aria-hidden="true"><rect class=${className} width="14" height="14"></rect></svg> ${words}</dt>
    <dd><span class="num">${arithmetic}</span> = <span class="num">${whole(looks)}</span></dd>
  </div>`;
}

const triangle = (n: number) => html`${whole(n)} × ${whole(n + 1)} ÷ 2`;

function additions({ state, set }: View): TemplateResult {
  const button = (words: string, added: number) =>
    html`<button type="button" class="dial-do" aria-pressed=${state.added === added ? 'true' : 'false'} @click=${() => set({ added })}>${words}</button>`;
  return html`<span class="dial-deeds needs-script" data-page-only>${button('add nothing', 0)} ${button('one token', 1)} ${button('double the text', state.tokens)}</span>`;
}

/** The text, twice as long, four times … */
function doublings({ doublings: rows, heads_in_all: heads }: CostOutput): TemplateResult {
  return html`<div class="cost-table" tabindex="0" role="region" aria-label="The text, doubled again and again">
    <table>
      <thead><tr><th scope="col">tokens</th><th scope="col">looks in a head</th><th scope="col">in ${heads === 1 ? 'all' : `all ${whole(heads)}`}</th><th scope="col">times the row above</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr><th scope="row">${whole(row.tokens)}</th><td>${whole(row.looks)}</td><td>${whole(row.looks_in_all)}</td><td>${row.times === null ? '' : fixed(row.times, 3)}</td></tr>`)}</tbody>
    </table>
  </div>`;
}
