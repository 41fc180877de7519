// One token in two texts: its row in the token table, which is one and the same, and what the layers make of it.
//
// The parts lie in same-row/: work (what is asked of the core), words (title, description, table), strips (the picture).

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { scoreLegend } from '../marks/legend.ts';
import { scoreExtent } from '../marks/ink.ts';
import { fixed } from '../marks/number.ts';
import { pager } from '../marks/pager.ts';
import { slider } from '../marks/slider.ts';
import { tokenStrip } from '../marks/token.ts';
import { integer, text } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { modelChoice, refusedView, textField } from './head-views/input.ts';
import { tokensOf } from './one-head/reading.ts';
import { strips } from './same-row/strips.ts';
import { apartText, describe, equalText, guessText, nameAt, sameToken, stageName, table, title } from './same-row/words.ts';
import { bitsOf, colOf, look, stageOf, type Result, type Seen, type State } from './same-row/work.ts';

const schema = {
  one: text({ most: 20_000, initial: "The animal didn't cross the bridge because it" }),
  two: text({ most: 20_000, initial: "The train didn't cross the bridge because it" }),
  /** The same for models without a vocabulary. */
  oneids: text({ most: 8_000, initial: '0, 1, 2' }),
  twoids: text({ most: 8_000, initial: '0, 3, 2' }),
  first: integer({ min: -1, max: 99_999, initial: -1 }),
  second: integer({ min: -1, max: 99_999, initial: -1 }),
  stage: integer({ min: 0, max: 999, initial: 2 }),
  col: integer({ min: 0, max: 99_999, initial: 0 }),
};

export const figure = defineFigure({
  name: 'same-row',
  model: (result: Result) => result.model,
  schema,
  viewOnly: ['stage', 'col'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => look(engine, state, signal),
  title,
  describe,
  table,
  view({ id, state, result, set, page }: ViewContext<State, Result>): TemplateResult {
    const { model, shelf } = result;
    const seen = result.kind === 'seen' ? result : null;
    const [one, two] = model.vocabulary === 'none' ? (['oneids', 'twoids'] as const) : (['one', 'two'] as const);
    // Another text has other places.
    const typed = (key: typeof one | typeof two) => (value: string) => set({ [key]: value, first: -1, second: -1 });
    return html`
      ${textField({ id: `${id}-one`, label: 'First text', value: state[one], typed: typed(one) })} ${seen ? chips(0) : nothing}
      ${textField({ id: `${id}-two`, label: 'Second text', value: state[two], typed: typed(two) })} ${seen ? chips(1) : nothing}
      ${modelChoice(model, shelf)}
      ${result.kind === 'refused' ? refusedView(result) : rows({ id, state, result, set, page })}`;

    function chips(at: 0 | 1): TemplateResult {
      const { tokens, place } = seen!.sides[at];
      const key = at === 0 ? 'first' : 'second';
      return html`<div class="same-tokens ${tokens.length > 40 ? 'head-tokens-many' : ''}">${tokenStrip({
        id: `${id}-${key}`,
        label: `Tokens of the ${key} text; pick the one to compare`,
        base: page.base,
        tokens: tokensOf(tokens),
        asking: place,
        onPick: (next) => set({ first: seen!.sides[0].place, second: seen!.sides[1].place, [key]: next }),
      })}</div>`;
    }
  },
});

function rows({ id, state, result, set, page }: ViewContext<State, Seen>): TemplateResult {
  const stage = stageOf(state, result);
  const col = colOf(state, result);
  const last = result.equal.length - 1;
  const { d_model } = result.model.config;
  const pair = (at: number) => [result.sides[0].rows[at]!, result.sides[1].rows[at]!] as const;
  const [one, two] = pair(stage);
  const picture = (at: number) => strips({ rows: pair(at), col, label: `The rows of “${nameAt(result)}” in both texts ${stageName(at)}: ${equalText(result, at)}`, pick: (next) => set({ col: next }) });
  return html`<div class="same-stage">
      <p class="same-name">The row of <b>“${nameAt(result)}”</b> in the table: <b>${equalText(result, 0)}</b></p>
      ${picture(0)}
    </div>
    <div class="figure-controls needs-script">
      ${slider({ id: `${id}-stage`, label: 'How far', field: { ...schema.stage, max: last }, value: stage, spoken: stageName(stage), set: (next) => set({ stage: next }) })}
      <span class="hint">0: the table · 1: place added · 2 to ${last}: after 1 to ${last - 1} layers</span>
    </div>
    <div class="same-stage">
      <p class="same-name">The same row ${stageName(stage)}: <b>${equalText(result, stage)}</b>${apartText(result, stage) === '' ? '' : `; ${apartText(result, stage)}`}</p>
      ${picture(stage)}
      <p class="same-legend">${scoreLegend({ extent: scoreExtent([...one, ...two]), negative: true, label: 'a number of the row' })} <span>first text, second text, and their difference; a tick: not the same to the last bit</span></p>
    </div>
    <div class="same-number">
      ${pager({ id, noun: 'Number', at: col, count: d_model, base: page.base, set: (next) => set({ col: next }) })}
      <p>${stageName(stage)}: ${spelledOut(one, col)} in the first text, ${spelledOut(two, col)} in the second</p>
    </div>
    <p class="same-next">What the model expects next: ${result.sides.map((side, at) => html`<span>after the ${at === 0 ? 'first' : 'second'} text <b>${guessText(side)}</b></span>${at === 0 ? '; ' : ''}`)}</p>
    ${sameToken(...result.sides) ? nothing : html`<p class="hint">Two different words are compared; their rows in the table differ.</p>`}`;
}

/** A number with its 32 bits, as eight hexadecimal signs. */
function spelledOut(row: Float32Array, at: number): TemplateResult {
  return html`<b>${fixed(row[at]!, 6)}</b> <span class="same-bits">${bitsOf(row)[at]!.toString(16).toUpperCase().padStart(8, '0')}</span>`;
}
