// Which head looks hardest from one token at another: every head's share in a map of layers and heads, and the hardest in
// order. On the reader's text and the model in use.
//
// The parts lie in head-finder/: work (what is asked of the core), words (title, description, table).

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { bars, shareBar, tinyShare } from '../marks/bars.ts';
import { grid } from '../marks/grid.ts';
import { shareInk } from '../marks/ink.ts';
import { shareLegend } from '../marks/legend.ts';
import { kindOf, modelName } from '../marks/model-label.ts';
import { ordinal, share } from '../marks/number.ts';
import { tokenStrip } from '../marks/token.ts';
import { choice, integer, text, texts } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { modelChoice, refusedView, textField } from './head-views/input.ts';
import { capitalSentence } from './head-views/recorded.ts';
import { headName } from './head-views/words.ts';
import { nameOf } from './head-views/work.ts';
import { describe, namesOf, pair, says, table, title } from './head-finder/words.ts';
import { look, pickedOf, ranked, rowOf, type Recorded, type Result, type Seen, type State } from './head-finder/work.ts';
import { spokenOf, way } from './one-head/elsewhere.ts';
import { tokensOf } from './one-head/reading.ts';

const schema = {
  text: text({ most: 20_000, initial: capitalSentence }),
  /** The same for models without a vocabulary. */
  ids: text({ most: 8_000, initial: '0, 1, 2' }),
  from: integer({ min: -1, max: 99_999, initial: -1 }),
  to: integer({ min: 0, max: 99_999, initial: 3 }),
  /** The head that is picked, "layer.head" from 0; none: the one that looks hardest. */
  heads: texts({ length: 7, most: 1, initial: [] }),
  /** Whose heads are meant. */
  model: choice(['any', 'little', 'gpt2', 'other'], 'any'),
};

/** So many heads stand in the list. */
const listed = 6;

export const figure = defineFigure({
  name: 'head-finder',
  model: (result: Result) => (result.kind === 'recorded' ? null : result.model),
  schema,
  viewOnly: ['heads'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { id, state, result, set } = context;
    const { model, shelf } = result;
    const key = model.vocabulary === 'none' ? 'ids' : 'text';
    return html`
      ${textField({ id: `${id}-text`, label: key === 'text' ? 'Text' : 'Token ids', value: state[key], typed: (value) => set({ [key]: value, heads: [], model: 'any' }) })}
      ${modelChoice(model, shelf)}
      ${result.kind === 'refused' ? refusedView(result) : result.kind === 'recorded' ? recordView(context, result) : body({ ...context, result })}`;
  },
});

function body(context: ViewContext<State, Seen>): TemplateResult {
  const { id, state, result, set, page } = context;
  const { from, to, model } = result;
  const tokens = tokensOf(result.run.tokens);
  const picked = pickedOf(state, result);
  const row = rowOf(result, picked);
  const anew = { heads: [] };
  return html`${meant(context)}
    <div class="finder-strips">
      <div class="finder-strip"><p class="label">Who looks</p>
        ${tokenStrip({ id: `${id}-from`, label: 'The token that looks', base: page.base, tokens, asking: from, onPick: (at) => set({ from: at, to: Math.min(to, at), ...anew }) })}</div>
      <div class="finder-strip"><p class="label">At whom. Below: what ${headName(picked)} gives to each</p>
        ${tokenStrip({
          id: `${id}-to`, label: 'The token looked at', base: page.base, asking: to,
          tokens: tokens.map((token, at) => {
            if (at > from) return { ...token, disabled: true, below: '–' };
            return { ...token, below: html`${share(row[at]!)}${tinyShare(row[at]!)}`, extra: at === to ? 'finder-to' : '' };
          }),
          onPick: (at) => set({ to: at, ...anew }),
        })}</div>
    </div>
    <div class="finder-heads ${model.config.n_heads > 10 ? 'finder-heads-many' : ''}">
      <div><p class="label">Every head: rows are layers, columns heads</p>${map(context)}</div>
      <div><p class="label">The hardest from ${pair(result)}</p>${list(context)}</div>
    </div>
    <p class="finder-says">${says(state, result)}</p>
    <p>${shareLegend()}</p>`;
}

function map({ id, state, result, set, page }: ViewContext<State, Seen>): TemplateResult {
  const { n_layers, n_heads } = result.model.config;
  const names = namesOf(result);
  const picked = pickedOf(state, result);
  const at = (row: number, column: number) => result.heads[row * n_heads + column]!;
  return grid({
    id,
    label: `Share from ${pair(result)} in every head; rows are layers, columns heads`,
    rows: Array.from({ length: n_layers }, (_, layer) => ordinal(layer, page.base)),
    columns: Array.from({ length: n_heads }, (_, head) => ordinal(head, page.base)),
    cell: (row, column) => {
      const { share: value } = at(row, column);
      return { ink: shareInk(value), text: share(value), name: `${headName(at(row, column))}, from “${names[result.from]}” to “${names[result.to]}”: ${share(value)}` };
    },
    active: [picked.layer, picked.head],
    onPick: ([layer, head]) => set({ heads: [nameOf({ layer, head })], model: kindOf(result.model) }),
  });
}

function list({ state, result, set }: ViewContext<State, Seen>): TemplateResult {
  const picked = pickedOf(state, result);
  return bars({
    label: 'Heads by their share, hardest first',
    rows: ranked(result).slice(0, listed).map((head) =>
      shareBar({
        label: html`<button type="button" aria-pressed=${head === picked ? 'true' : 'false'} @click=${() => set({ heads: [nameOf(head)], model: kindOf(result.model) })}>${headName(head)}</button>`,
        share: head.share,
        extra: head === picked ? 'finder-picked' : '',
      }),
    ),
  });
}

function recordView({ page }: ViewContext<State, Result>, result: Recorded): TemplateResult {
  return html`<p class="head-elsewhere"><span>A recorded figure of GPT-2 small, which is not open here; it was computed with its published weights. Which head it is, and what the others do, the figure finds when GPT-2 is open.</span> ${way('gpt2', result)}</p>
    ${bars({ label: 'The recorded share', rows: [shareBar({ label: `layer ${ordinal(result.layer, page.base)}, its hardest`, share: result.share })] })}`;
}

/** A passage may speak of another model than the one that is open. */
function meant({ state, result }: ViewContext<State, Seen>): TemplateResult | typeof nothing {
  if (state.model === 'any' || state.model === kindOf(result.model)) return nothing;
  return html`<p class="head-elsewhere"><span>This is about ${spokenOf[state.model]}; shown is ${modelName(result.model)}.</span> ${way(state.model, result)}</p>`;
}
