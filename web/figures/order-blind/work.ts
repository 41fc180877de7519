// What order-blind asks the core: what attention brings to the last token of each of two texts, in every layer, with the
// positions as the state has them; or the toy world's sums. How far two rows are apart is told number by number.

import { withRun } from '../../engine/with-run.ts';
import type { OrderOutput } from '../../engine/lessons-order.ts';
import type { Engine, Input, ModelInfo, Run, Token } from '../../engine/types.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { inputOf, modelInUse, orRefused, type Refused } from '../head-views/input.ts';
import type { State } from './state.ts';

/** A text's last token. */
export interface Side {
  tokens: readonly Token[];
  /** [n_layers] of d_model numbers: hook_attn_out. */
  brought: readonly Float32Array[];
  /** [n_layers] of n_heads · d_head numbers: hook_z, the heads' blends side by side. */
  blends: readonly Float32Array[];
  /** [n_layers, n_heads, n_tokens] */
  shares: Float32Array;
}

/** Two rows held against each other, as core/lens/apart.hpp does it. */
export interface Apart {
  /** Lengths: of each row, and of their difference. */
  one: number;
  two: number;
  difference: number;
  /** The largest difference of two numbers. */
  most: number;
  /** Numbers that are the same, bit for bit. */
  equal: number;
}

export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  sides: readonly [Side, Side];
  /** [n_layers]: what attention brings. */
  layers: readonly Apart[];
  /** Both texts are made of the same tokens and end with the same one. */
  reordered: boolean;
}

export interface Toy {
  kind: 'toy';
  told: OrderOutput;
}

export type Result = Refused | Seen | Toy;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  if (state.mode === 'toy') return toy(engine, state, signal);
  const model = await modelInUse(engine, signal);
  const inputs = [inputOf({ text: state.one, ids: state.oneids }, model), inputOf({ text: state.two, ids: state.twoids }, model)] as const;
  for (const input of inputs) if (typeof input === 'string') return { kind: 'refused', shelf: engine, model, sentence: input };
  return orRefused(engine, model, seen(engine, model, inputs as readonly [Input, Input], state, signal));
}

async function toy(engine: Engine, { toyone, toytwo, query, places }: State, signal: AbortSignal): Promise<Toy> {
  const input = { ...(toyone.trim() !== '' && { one: toyone }), ...(toytwo.trim() !== '' && { two: toytwo }), query, places };
  return { kind: 'toy', told: await engine.lesson('order', input, { signal }) };
}

async function seen(engine: Engine, model: ModelInfo, [first, second]: readonly [Input, Input], state: State, signal: AbortSignal): Promise<Seen> {
  const read = (input: Input) => withRun(engine, edited(input, state), signal, (run) => side(engine, model, run, signal));
  const sides = [await read(first), await read(second)] as const;
  const layers = sides[0].brought.map((row, layer) => apart(row, sides[1].brought[layer]!));
  return { kind: 'seen', shelf: engine, model, sides, layers, reordered: reordered(sides[0].tokens, sides[1].tokens) };
}

/** As other figures ask where nothing is changed, so that they can share the run. */
function edited(input: Input, { positions, seed }: State): Input {
  if (positions === 'learned') return input;
  return { ...input, edits: positions === 'none' ? { positions } : { positions, seed } };
}

async function side(engine: Engine, { config }: ModelInfo, run: Run, signal: AbortSignal): Promise<Side> {
  const last = run.tokens.length - 1;
  const rowOf = async (name: string) => (await engine.activation(run, name, { signal })).data.slice(-config.d_model);
  const brought: Float32Array[] = [];
  const blends: Float32Array[] = [];
  for (let layer = 0; layer < config.n_layers; layer++) {
    brought.push(await rowOf(`blocks.${layer}.hook_attn_out`));
    blends.push(await rowOf(`blocks.${layer}.attn.hook_z`));
  }
  return { tokens: run.tokens, brought, blends, shares: (await engine.activation(run, `shares.${last}`, { signal })).data };
}

export function apart(one: Float32Array, two: Float32Array): Apart {
  const [bits, others] = [bitsOf(one), bitsOf(two)];
  const between = Array.from(one, (value, at) => value - two[at]!);
  return {
    one: lengthOf([...one]),
    two: lengthOf([...two]),
    difference: lengthOf(between),
    most: between.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    equal: bits.reduce((count, value, at) => count + (value === others[at] ? 1 : 0), 0),
  };
}

function lengthOf(row: readonly number[]): number {
  return Math.sqrt(row.reduce((sum, value) => sum + value ** 2, 0));
}

/** The 32 bits of each number. */
export function bitsOf(row: Float32Array): Uint32Array {
  return new Uint32Array(row.buffer, row.byteOffset, row.length);
}

function reordered(one: readonly Token[], two: readonly Token[]): boolean {
  const sorted = (tokens: readonly Token[]) => tokens.map(({ id }) => id).sort((a, b) => a - b).join();
  return one.at(-1)!.id === two.at(-1)!.id && sorted(one) === sorted(two);
}

// -------------------------------------------------------------------------------------------------------- what is open

export function layerOf({ layer }: Pick<State, 'layer'>, { model }: Pick<Seen, 'model'>): number {
  return Math.min(layer, model.config.n_layers - 1);
}

export function headOf({ head }: Pick<State, 'head'>, { model }: Pick<Seen, 'model'>): number {
  return Math.min(head, model.config.n_heads - 1);
}

export function colOf({ col }: Pick<State, 'col'>, { model }: Pick<Seen, 'model'>): number {
  return Math.min(col, model.config.d_model - 1);
}

/** The blends of one head, held against each other. */
export function blendsApart({ sides: [one, two], model: { config } }: Seen, layer: number, head: number): Apart {
  const part = (row: Float32Array) => row.slice(head * config.d_head, (head + 1) * config.d_head);
  return apart(part(one.blends[layer]!), part(two.blends[layer]!));
}

/** A token of the first text and its fellow in the second; null where a text has none. */
export interface Fellows {
  one: number | null;
  two: number | null;
}

/** The tokens of the first text in order, each with the same token of the second, the first for the first and so on; then what only the second has. */
export function fellows({ sides: [one, two] }: Seen): Fellows[] {
  const left = new Set(two.tokens.keys());
  const rows: Fellows[] = one.tokens.map(({ id }, at) => {
    const found = [...left].find((other) => two.tokens[other]!.id === id) ?? null;
    if (found !== null) left.delete(found);
    return { one: at, two: found };
  });
  return [...rows, ...[...left].map((at) => ({ one: null, two: at }))];
}

/** The share that the last token of a side gives to a token. */
export function shareOf({ shares, tokens }: Side, { config }: ModelInfo, layer: number, head: number, at: number): number {
  return shares[(layer * config.n_heads + head) * tokens.length + at]!;
}

/** Features that something is added to in one of the sums, and the one that is written out. */
export function featuresOf({ feature }: Pick<State, 'feature'>, { told }: Toy): { shown: number[]; at: number } {
  const parts = [...told.one.tokens, ...told.two.tokens].map(({ part }) => part);
  const shown = told.features.map((_, at) => at).filter((at) => parts.some((part) => part[at]! >= 0.005));
  return { shown, at: shown.includes(feature) ? feature : (shown[0] ?? 0) };
}
