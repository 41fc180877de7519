// One attention head in full, on the text that the reader types and the model in use: q · k for every pair, the division,
// the mask, softmax, the blend of values, and what goes through W_O. A stage at a time, through every head of every
// layer; a cell opens to its arithmetic, checked in double precision (web/proof).
//
// The parts lie in one-head/: stages (words and shapes), work (what is asked of the core), reading (what a cell shows),
// words (title, description, table), board (tokens and grid), opened (arithmetic), elsewhere (when another model is meant).

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../engine/types.ts';
import { kindOf, modelName } from '../marks/model-label.ts';
import { pager } from '../marks/pager.ts';
import '../reader/model-shelf.ts';
import { choice, flag, integer, text } from '../state/schema.ts';
import { defineFigure, type Update, type ViewContext } from './definition.ts';
import './one-head/board.ts';
import { type BoardContext, stillBoard } from './one-head/board-view.ts';
import { elsewhere } from './one-head/elsewhere.ts';
import { openedView } from './one-head/opened.ts';
import { stageLine } from './one-head/stage-line.ts';
import { stageNames } from './one-head/stages.ts';
import { awaitedBytes, awaitedSentence, describe, table, title } from './one-head/words.ts';
import { look, nearest, traced, type Result, type Seen, type State } from './one-head/work.ts';
import { ways } from './ways.ts';

const order = choice(['size', 'place'], 'size');

const schema = {
  /** What the head reads. Longer than any window, so that the core can say what its window is. */
  text: text({ most: 20_000, initial: 'When Mary and John went to the store, John gave a drink to' }),
  /** The same for models without a vocabulary. */
  ids: text({ most: 8_000, initial: '0, 1, 2' }),
  /** Counted from 0; beyond the model's, the last is shown. */
  layer: integer({ min: 0, max: 999, initial: 0 }),
  head: integer({ min: 0, max: 999, initial: 0 }),
  /** Whose layer and head are meant. */
  model: choice(['any', 'little', 'gpt2', 'other'], 'any'),
  stage: choice(stageNames, 'raw'),
  /** The open cell in the stage's grid (−1: none). */
  row: integer({ min: -1, max: 99_999, initial: -1 }),
  col: integer({ min: -1, max: 99_999, initial: -1 }),
  /** Order of the products, and ids under the tokens. */
  order,
  showids: flag(false),
};

export const figure = defineFigure({
  name: 'one-head',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['order', 'showids', 'model'],
  compute: (engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> => look(engine, state, signal, update),
  title,
  describe,
  table,
  traced,
  view(context: ViewContext<State, Result>): TemplateResult {
    const { result } = context;
    return html`${inputView(context, result)} ${bodyView(context, result)}`;
  },
});

function bodyView(context: ViewContext<State, Result>, result: Result): TemplateResult {
  if (result.kind === 'seen') return seenView(context, result);
  if (result.kind === 'refused') return html`<p class="figure-error" role="alert">${result.sentence}</p>`;
  const { done, all } = awaitedBytes(result);
  // Layers that are there can be seen meanwhile.
  return html`<div class="head-pagers needs-script">${pagers(context, { ...nearest(context.state, result.model), model: result.model })}</div>
    <div class="head-awaited"><p>${awaitedSentence(result)}</p><progress aria-hidden="true" max=${all} .value=${done}></progress></div>`;
}

/** Drawn by the compiler, which runs no element and whose page takes no text yet. */
const compiled = typeof document === 'undefined';

/** What is read and by which model. */
function inputView({ id, state, set }: ViewContext<State, Result>, result: Result): TemplateResult {
  const { model, shelf } = result;
  const key = model.vocabulary === 'none' ? 'ids' : 'text';
  // Who types a text means the head at hand.
  const here = result.kind === 'seen' ? hereOf(result) : {};
  return html`<div class="head-input" data-control="text" data-page-only>
      <label class="label" for="${id}-text">${key === 'text' ? 'Text' : 'Token ids'}</label>
      ${compiled ? html`<span class="field head-text" id="${id}-text">${state[key]}</span>` : html`<textarea class="field head-text" id="${id}-text" rows="1" spellcheck="false" autocomplete="off" .value=${live(state[key])}
        @input=${(event: Event) => set({ [key]: (event.target as HTMLTextAreaElement).value, ...here })}></textarea>`}
    </div>
    <details class="head-model needs-script" data-control="model" data-page-only><summary>Model: ${modelName(model)} · open another</summary><model-shelf .engine=${shelf}></model-shelf></details>`;
}

function seenView(context: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const { id, state, set, page } = context;
  return html`${stageLine({ id, stage: state.stage, sizes: seen.sizes, set: (stage) => set({ stage }) })}
    <div class="head-pagers needs-script">
      ${pagers(context, seen)}
      <label class="head-ids" data-page-only><input type="checkbox" .checked=${live(state.showids)} @change=${(event: Event) => set({ showids: (event.target as HTMLInputElement).checked })} /> ids of tokens</label>
    </div>
    ${elsewhere(state, seen, page.base)}
    ${board({ id, state, seen, page, set })}
    ${openedView({ id, state, seen, page, order, set })}`;
}

/** The head that is shown, as a link names it. */
function hereOf({ layer, head, model }: Seen): Pick<State, 'layer' | 'head' | 'model'> {
  return { layer, head, model: kindOf(model) };
}

function board(context: BoardContext): TemplateResult {
  if (compiled) return html`<head-board>${stillBoard(context)}</head-board>`;
  return html`<head-board .context=${context}></head-board>`;
}

/** Through every head of every layer: after a layer's last head comes the next layer's first. */
function pagers({ id, set, wanted, page }: ViewContext<State, Result>, { layer, head, model }: Pick<Seen, 'layer' | 'head' | 'model'>): TemplateResult {
  const { n_layers, n_heads } = model.config;
  const all = n_layers * n_heads;
  const at = layer * n_heads + head;
  // Who pages means the model at hand, whatever the link spoke of.
  const turn = (nextLayer: number, nextHead: number) => set({ layer: nextLayer, head: nextHead, model: kindOf(model) });
  const now = () => (wanted ? nearest(wanted(), model) : { layer, head });
  const layers = ways(layer, n_layers, () => now().layer, (next) => turn(next, now().head));
  const heads = ways(at, all, () => now().layer * n_heads + now().head, (next) => turn(Math.floor(next / n_heads), next % n_heads));
  return html`${pager({ id, noun: 'Layer', at: layer, count: n_layers, base: page.base, set: (next) => turn(next, head), ...layers })}
    ${pager({ id, noun: 'Head', at: head, count: n_heads, base: page.base, set: (next) => turn(layer, next), ...heads })}`;
}
