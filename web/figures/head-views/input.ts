// What figures about heads read: a text, or token ids where a model has no vocabulary; and by which model. Shared by the
// figures of this chapter.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { withRun } from '../../engine/with-run.ts';
import { EngineError, type Engine, type Input, type ModelInfo, type Run } from '../../engine/types.ts';
import { modelName } from '../../marks/model-label.ts';
import { fixed } from '../../marks/number.ts';
import '../../reader/model-shelf.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { page } from '../../state/page.ts';

/** The model cannot take what was typed. */
export interface Refused {
  kind: 'refused';
  shelf: ShelfEngine;
  model: ModelInfo;
  sentence: string;
}

/** Drawn by the compiler, which runs no element and whose page takes no text yet. */
export const compiled = typeof document === 'undefined';

/** As the reader counts; the compiled page counts from 0. */
export function base(): 0 | 1 {
  return compiled ? 0 : page().get().base;
}

/** The model in use; an error where there is none. */
export async function modelInUse(engine: Engine, signal: AbortSignal): Promise<ModelInfo> {
  const model = await engine.inUse({ signal });
  if (!model) throw new EngineError('no_model', 'No model is open, so this figure has nothing to show.');
  return model;
}

/** The input, or a sentence about what is wrong with it. */
export function inputOf({ text, ids }: { text: string; ids: string }, model: ModelInfo): Input | string {
  if (model.vocabulary !== 'none') return text === '' ? 'Type a text for the model to read.' : { text };
  const parts = ids.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !/^\d{1,9}$/.test(part) || Number(part) >= model.config.d_vocab);
  if (wrong !== undefined) return `“${wrong}” is no token of this model; whole numbers from 0 to ${fixed(model.config.d_vocab - 1, 0)} were expected, parted by commas.`;
  return parts.length === 0 ? 'Type token ids for the model to read, such as 0, 1, 2.' : { ids: parts.map(Number) };
}

/** Does `work` on the trace of what was typed; `Refused` where that does not fit the model, so that it can be typed otherwise. */
export async function reading<T>(engine: Engine, typed: { text: string; ids: string }, signal: AbortSignal, work: (model: ModelInfo, run: Run) => Promise<T>): Promise<T | Refused> {
  const model = await modelInUse(engine, signal);
  const input = inputOf(typed, model);
  if (typeof input === 'string') return { kind: 'refused', shelf: engine, model, sentence: input };
  return orRefused(engine, model, withRun(engine, input, signal, (run) => work(model, run)));
}

export async function orRefused<T>(shelf: ShelfEngine, model: ModelInfo, result: Promise<T>): Promise<T | Refused> {
  try {
    return await result;
  } catch (problem) {
    if (!(problem instanceof EngineError)) throw problem;
    const refused = (sentence: string): Refused => ({ kind: 'refused', shelf, model, sentence });
    if (['window_full', 'bad_argument'].includes(problem.code)) return refused(problem.message);
    // The figure is told when the model is whole.
    if (problem.code === 'not_yet') return refused('This figure needs every layer, and some are still on their way.');
    throw problem;
  }
}

// ------------------------------------------------------------------------------------------------------------- views

export function refusedView({ sentence }: Refused): TemplateResult {
  return html`<p class="figure-error" role="alert">${sentence}</p>`;
}

/** A line of text to type in. */
export function textField(options: { id: string; label: string; value: string; typed(value: string): void }): TemplateResult {
  const { id, label, value, typed } = options;
  return html`<div class="head-input" data-control=${id} data-page-only>
    <label class="label" for=${id}>${label}</label>
    ${compiled ? html`<span class="field head-text" id=${id}>${value}</span>` : html`<textarea class="field head-text" id=${id} rows="1" spellcheck="false" autocomplete="off" .value=${live(value)}
      @input=${(event: Event) => typed((event.target as HTMLTextAreaElement).value)}></textarea>`}
  </div>`;
}

/** Which model reads, and the way to another. */
export function modelChoice(model: ModelInfo, shelf: ShelfEngine): TemplateResult {
  return html`<details class="head-model needs-script" data-control="model" data-page-only><summary>Model: ${modelName(model)} · open another</summary><model-shelf .engine=${shelf}></model-shelf></details>`;
}
