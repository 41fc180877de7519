// What figures share that show a model reading a text: the text (or ids), whose model is meant, the field and the shelf
// above the picture, and the way from a state to a result.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { withRun } from '../engine/with-run.ts';
import { EngineError, type Engine, type Input, type ModelInfo, type Run, type Token } from '../engine/types.ts';
import { kindOf, modelName, type ModelKind } from '../marks/model-label.ts';
import { fixed } from '../marks/number.ts';
import type { TokenView } from '../marks/token.ts';
import { openLittle } from '../reader/model-shelf.ts';
import { choice, text } from '../state/schema.ts';

/** What a model reads. Longer than any window, so that the core can say what its window is. */
export const textFields = (initial: string) => ({
  text: text({ most: 20_000, initial }),
  /** The same for models without a vocabulary. */
  ids: text({ most: 8_000, initial: '0, 1, 2' }),
  /** Whose numbers are meant. */
  model: choice(['any', 'little', 'gpt2', 'other'], 'any'),
});

export interface TextState {
  text: string;
  ids: string;
  model: ModelKind | 'any';
}

/** The model cannot take the input, or not yet. */
export interface Refused {
  kind: 'refused';
  engine: Engine;
  model: ModelInfo;
  sentence: string;
}

export interface Seen<T> {
  kind: 'seen';
  engine: Engine;
  model: ModelInfo;
  run: Run;
  seen: T;
}

export type Looked<T> = Refused | Seen<T>;

/** Runs the text of a state in the model in use, and looks at the run. `awaited` says what is missing while the model arrives. */
export async function lookAt<T>(engine: Engine, state: TextState, signal: AbortSignal, look: (run: Run, model: ModelInfo) => Promise<T>, awaited = 'This figure needs every layer, and some are still on their way.'): Promise<Looked<T>> {
  const model = await engine.inUse({ signal });
  if (!model) throw new EngineError('no_model', 'No model is open, so this figure has nothing to show.');
  const refused = (sentence: string): Refused => ({ kind: 'refused', engine, model, sentence });
  const input = inputOf(state, model);
  if (typeof input === 'string') return refused(input);
  try {
    return await withRun(engine, input, signal, async (run) => ({ kind: 'seen' as const, engine, model, run, seen: await look(run, model) }));
  } catch (problem) {
    if (!(problem instanceof EngineError)) throw problem;
    // What was typed does not fit: the figure stays in use, so that it can be typed otherwise.
    if (['window_full', 'bad_argument'].includes(problem.code)) return refused(problem.message);
    // The figure is told when the model is whole.
    if (problem.code === 'not_yet') return refused(awaited);
    throw problem;
  }
}

/** The input, or a sentence about what is wrong with it. */
export function inputOf(state: TextState, model: ModelInfo): Input | string {
  if (model.vocabulary !== 'none') return state.text === '' ? 'Type a text for the model to read.' : { text: state.text };
  const parts = state.ids.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !isId(part, model));
  if (wrong !== undefined) return `“${wrong}” is no token of this model; whole numbers from 0 to ${fixed(model.config.d_vocab - 1, 0)} were expected, parted by commas.`;
  return parts.length === 0 ? 'Type token ids for the model to read, such as 0, 1, 2.' : { ids: parts.map(Number) };
}

export function isId(text: string, { config }: ModelInfo): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) < config.d_vocab;
}

/** Tokens as marks show them; a model without vocabulary knows its tokens by their ids. */
export function tokenViews(tokens: readonly Token[]): TokenView[] {
  return tokens.map(({ id, pieces, word }) => ({ pieces: piecesOf({ id, pieces }), word }));
}

export function piecesOf({ id, pieces }: Pick<Token, 'id' | 'pieces'>): Token['pieces'] {
  return pieces.length > 0 ? pieces : [{ kind: 'text', shown: String(id) }];
}

/** −1 and what lies beyond the text mean the last token. */
export function positionOf(at: number, { tokens }: Run): number {
  return at >= 0 && at < tokens.length ? at : tokens.length - 1;
}

/** Drawn by the compiler, which runs no element and whose page takes no text yet. */
const compiled = typeof document === 'undefined';

export interface TextInputOptions {
  id: string;
  state: TextState;
  result: { model: ModelInfo; engine: Engine };
  set(patch: Partial<TextState>): void;
  /** What is shown when it is not the model in use. */
  shown?: string | undefined;
}

/** What is read, and by which model. */
export function textInput({ id, state, result, set, shown }: TextInputOptions): TemplateResult {
  const { model, engine } = result;
  const key = model.vocabulary === 'none' ? 'ids' : 'text';
  // Who types means the model at hand.
  const typed = (event: Event) => set({ [key]: (event.target as HTMLTextAreaElement).value, model: 'any' });
  return html`<div class="head-input" data-control="text" data-page-only>
      <label class="label" for="${id}-text">${key === 'text' ? 'Text' : 'Token ids'}</label>
      ${compiled
        ? html`<span class="field head-text" id="${id}-text">${state[key]}</span>`
        : html`<textarea class="field head-text" id="${id}-text" rows="1" spellcheck="false" autocomplete="off" .value=${live(state[key])} @input=${typed}></textarea>`}
    </div>
    <details class="head-model needs-script" data-control="model" data-page-only><summary>Model: ${modelName(model)} · open another</summary><model-shelf .engine=${engine}></model-shelf></details>
    ${elsewhere(state, result, shown ?? modelName(model))}`;
}

export function refusedView({ sentence }: Refused): TemplateResult {
  return html`<p class="figure-error" role="alert">${sentence}</p>`;
}

const spokenOf: Record<ModelKind, string> = { little: 'the little model', gpt2: 'GPT-2 small', other: 'a model that somebody opened' };

/** Where a link speaks of another model than the one in use. */
function elsewhere({ model: meant }: TextState, { model, engine }: TextInputOptions['result'], shown: string): TemplateResult | typeof nothing {
  if (meant === 'any' || meant === kindOf(model)) return nothing;
  const way = {
    gpt2: html`<button type="button" class="button button-quiet" data-page-only @click=${openShelf}>Open GPT-2 small…</button>`,
    little: html`<button type="button" class="button button-quiet" data-page-only @click=${() => void openLittle(engine)}>Back to the little model</button>`,
    other: nothing,
  }[meant];
  return html`<p class="head-elsewhere"><span>This is about ${spokenOf[meant]}; shown is ${shown}.</span> ${way}</p>`;
}

/** The shelf says what is needed and has the buttons. */
function openShelf(event: Event): void {
  const details = (event.currentTarget as Element).closest('.figure')!.querySelector<HTMLDetailsElement>('.head-model')!;
  details.open = true;
  details.querySelector('summary')!.focus();
}
