// Where one token looks, through three heads and on average over all of them: pick a token, pick a view. On the reader's
// text and the model in use. What a head is good for is left to the reader.
//
// The parts lie in head-views/: input (text and model), work (what is asked of the core), words (title, description,
// table), rows (arcs, tokens, bars), recorded (what GPT-2 gave, for readers who have not opened it).

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { kindOf } from '../marks/model-label.ts';
import { pager } from '../marks/pager.ts';
import { segmented } from '../marks/slider.ts';
import { choice, integer, text, texts } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { modelChoice, refusedView, textField } from './head-views/input.ts';
import { sentence } from './head-views/recorded.ts';
import { rows } from './head-views/rows.ts';
import { describe, table, title, tokensSeen, viewNames } from './head-views/words.ts';
import { askedOf, look, nameOf, sharesOf, views, type HeadAt, type Recorded, type Result, type Seen, type State } from './head-views/work.ts';
import { elsewhere, way } from './one-head/elsewhere.ts';
import { ways } from './ways.ts';

const schema = {
  /** Longer than any window, so that the core can say what its window is. */
  text: text({ most: 20_000, initial: sentence }),
  /** The same for models without a vocabulary. */
  ids: text({ most: 8_000, initial: '0, 1, 2' }),
  /** The token that looks; −1 the last. */
  from: integer({ min: -1, max: 99_999, initial: -1 }),
  /** Three heads, "layer.head" from 0; beyond the model's, the last is shown. */
  heads: texts({ length: 7, most: 3, initial: ['0.0', '0.1', '0.2'] }),
  view: choice(views, 'first'),
  /** Whose heads are meant. */
  model: choice(['any', 'little', 'gpt2', 'other'], 'any'),
  /** Whether the endings of the first sentence are offered: not where a chapter gives a text of its own. */
  endings: choice(['on', 'off'], 'on'),
};

/** Sentences that part at the last word, and there change what “it” is. */
const endings = [
  { name: '… too tired', text: sentence },
  { name: '… too wide', text: "The animal didn't cross the street because it was too wide" },
];

export const figure = defineFigure({
  name: 'head-views',
  model: (result: Result) => (result.kind === 'recorded' ? null : result.model),
  schema,
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, result, state, set } = context;
    const { model, shelf } = result;
    const key = model.vocabulary === 'none' ? 'ids' : 'text';
    return html`
      ${textField({ id: `${id}-text`, label: key === 'text' ? 'Text' : 'Token ids', value: state[key], typed: (value) => set({ [key]: value, ...atHand(result) }) })}
      <div class="looks-choices needs-script" data-page-only>
        ${key === 'text' && state.endings === 'on' ? endings.map((ending) => html`<button type="button" class="step-button" aria-pressed=${ending.text === state.text ? 'true' : 'false'} @click=${() => set({ text: ending.text, ...atHand(result) })}>${ending.name}</button>`) : nothing}
      </div>
      ${modelChoice(model, shelf)}
      ${result.kind === 'refused' ? refusedView(result) : body(context, result)}`;
  },
});

/** Who types means the heads at hand, whatever the link spoke of. */
function atHand(result: Result): Partial<State> {
  return result.kind === 'seen' ? { heads: result.heads.map(nameOf), model: kindOf(result.model) } : { model: 'any' };
}

function body(context: ViewContext<State, Result>, result: Seen | Recorded): TemplateResult {
  const { id, state, set, page } = context;
  const pick = result.kind === 'seen' ? (from: number) => set({ from }) : undefined;
  return html`
    <div class="looks-views">${segmented({ label: 'View', field: schema.view, value: state.view, names: viewNames(result, state), set: (view) => set({ view }) })}</div>
    ${result.kind === 'seen' ? html`${pagers(context, result)} ${spokenOf(context, result)}` : recordNote(result)}
    ${rows({ id, tokens: tokensSeen(result), from: result.from, shares: sharesOf(state, result), base: page.base, pick })}
    <p class="looks-legend"><svg class="looks-swatch" width="26" height="12" aria-hidden="true"><path class="arc" d="M1 6H25" stroke-width="3"></path></svg> an arc for each share from 0.5 %, thicker for more; bars run from 0 to 100 %</p>`;
}

/** Any head may take the place of the one in view. */
function pagers({ id, state, set, wanted, page }: ViewContext<State, Result>, { heads, model }: Seen): TemplateResult {
  if (state.view === 'mean') return html`<p class="hint">The average of the shares in every head of every layer.</p>`;
  const at = views.indexOf(state.view);
  const { layer, head } = heads[at]!;
  const { n_layers, n_heads } = model.config;
  const now = () => (wanted ? askedOf(wanted()).map((asked) => ({ layer: Math.min(asked.layer, n_layers - 1), head: Math.min(asked.head, n_heads - 1) })) : heads);
  // Who pages means the model at hand, whatever the link spoke of.
  const turn = (next: HeadAt) => set({ heads: now().map((old, place) => nameOf(place === at ? next : old)), model: kindOf(model) });
  return html`<div class="head-pagers needs-script">
    ${pager({ id, noun: 'Layer', at: layer, count: n_layers, base: page.base, set: (next) => turn({ layer: next, head }), ...ways(layer, n_layers, () => now()[at]!.layer, (next) => turn({ layer: next, head: now()[at]!.head })) })}
    ${pager({ id, noun: 'Head', at: head, count: n_heads, base: page.base, set: (next) => turn({ layer, head: next }), ...ways(head, n_heads, () => now()[at]!.head, (next) => turn({ layer: now()[at]!.layer, head: next })) })}
  </div>`;
}

function spokenOf({ state, page }: ViewContext<State, Result>, seen: Seen): TemplateResult | typeof nothing {
  const at = state.view === 'mean' ? 0 : views.indexOf(state.view);
  return elsewhere({ model: state.model, ...seen.asked[at]! }, { ...seen, ...seen.heads[at]! }, page.base);
}

function recordNote(result: Recorded): TemplateResult {
  return html`<p class="head-elsewhere"><span>Recorded figures of GPT-2 small, which is not open here. They were computed with its published weights, in whole %.</span> ${way('gpt2', result)}</p>`;
}
