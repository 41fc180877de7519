// What never-ahead asks the core: every token's row before the first layer and after each, in two texts. Which numbers are
// equal is told by their bits.

import { withRun } from '../../engine/with-run.ts';
import type { Engine, Input, ModelInfo, Run, Token } from '../../engine/types.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { inputOf, modelInUse, orRefused, type Refused } from '../head-views/input.ts';

export interface State {
  one: string;
  two: string;
  oneids: string;
  twoids: string;
  /** The place that is spoken of; beyond the texts, the last that both have. */
  token: number;
  /** Layers done; beyond the model's, all of them. */
  layers: number;
}

export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  tokens: readonly [readonly Token[], readonly Token[]];
  /** The first place where the texts have different tokens, or one has none; null where they are the same text. */
  parting: number | null;
  /** [n_layers + 1][places that both texts have]: how many of a row's numbers differ. */
  differing: readonly (readonly number[])[];
  /** The rows of the place spoken of: [2][n_layers + 1] of d_model numbers. */
  place: number;
  rows: readonly [readonly Float32Array[], readonly Float32Array[]];
}

export type Result = Refused | Seen;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  const model = await modelInUse(engine, signal);
  const inputs = [inputOf({ text: state.one, ids: state.oneids }, model), inputOf({ text: state.two, ids: state.twoids }, model)] as const;
  for (const input of inputs) if (typeof input === 'string') return { kind: 'refused', shelf: engine, model, sentence: input };
  const [one, two] = inputs as readonly [Input, Input];
  return orRefused(engine, model, withRun(engine, one, signal, () => compare(engine, model, one, two, state, signal)));
}

async function compare(engine: Engine, model: ModelInfo, one: Input, two: Input, state: State, signal: AbortSignal): Promise<Seen> {
  const first = await afresh(engine, model, one, signal);
  const second = await afresh(engine, model, two, signal);
  const tokens = [first.run.tokens, second.run.tokens] as const;
  const shared = Math.min(tokens[0].length, tokens[1].length);
  const parts = Array.from({ length: shared }, (_, at) => at).find((at) => tokens[0][at]!.id !== tokens[1][at]!.id);
  const parting = parts ?? (tokens[0].length === tokens[1].length ? null : shared);
  const place = Math.min(state.token, shared - 1);
  const width = model.config.d_model;
  const rowAt = (data: Float32Array, at: number) => data.subarray(at * width, (at + 1) * width);
  const differing = first.stream.map((data, layers) => Array.from({ length: shared }, (_, at) => differences(rowAt(data, at), rowAt(second.stream[layers]!, at))));
  const rowsOf = (stream: readonly Float32Array[]) => stream.map((data) => rowAt(data, place).slice());
  return { kind: 'seen', shelf: engine, model, tokens, parting, differing, place, rows: [rowsOf(first.stream), rowsOf(second.stream)] };
}

/**
 * A text worked out from nothing. The engine keeps what a text shares with the one before it; two rows that are one and
 * the same row would prove nothing, so a text that begins otherwise comes between.
 */
async function afresh(engine: Engine, model: ModelInfo, input: Input, signal: AbortSignal): Promise<{ run: Run; stream: Float32Array[] }> {
  const begin = 'ids' in input ? input.ids[0]! : (await engine.tokenize(input.text, { signal }))[0]!.id;
  await engine.run({ ids: [begin === 0 ? 1 : 0] }, { signal });
  const run = await engine.run(input, { signal });
  const { n_layers } = model.config;
  const names = [...Array.from({ length: n_layers }, (_, layer) => `blocks.${layer}.hook_resid_pre`), `blocks.${n_layers - 1}.hook_resid_post`];
  const stream: Float32Array[] = [];
  for (const name of names) stream.push((await engine.activation(run, name, { signal })).data);
  return { run, stream };
}

/** How many numbers of two rows differ in any bit. */
function differences(one: Float32Array, two: Float32Array): number {
  const [bits, others] = [bitsOf(one), bitsOf(two)];
  return bits.reduce((count, value, at) => count + (value === others[at] ? 0 : 1), 0);
}

/** The 32 bits of each number. */
export function bitsOf(row: Float32Array): Uint32Array {
  return new Uint32Array(row.buffer, row.byteOffset, row.length);
}

/** Layers done that are spoken of. */
export function layersOf({ layers }: Pick<State, 'layers'>, { differing }: Seen): number {
  return Math.min(layers, differing.length - 1);
}
