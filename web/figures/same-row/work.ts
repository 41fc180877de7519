// What same-row asks the core: one token's row in each of two texts, from the token table on through every layer, and what
// the model expects to come next. Which numbers are equal is told by their bits.

import { withRun } from '../../engine/with-run.ts';
import { EngineError, type Engine, type Guess, type Input, type ModelInfo, type Token } from '../../engine/types.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { inputOf, modelInUse, orRefused, type Refused } from '../head-views/input.ts';

export interface State {
  one: string;
  two: string;
  oneids: string;
  twoids: string;
  /** The place of the token in each text; −1: the last token that both texts have. */
  first: number;
  second: number;
  /** 0: the table, 1: its place added, 2 …: after 1 … layers; beyond the model's, the last. */
  stage: number;
  /** The number that is spelled out. */
  col: number;
}

/** A token in its text. */
export interface Side {
  tokens: readonly Token[];
  place: number;
  /** [n_layers + 2][d_model] */
  rows: readonly Float32Array[];
  guesses: readonly Guess[];
}

export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  sides: readonly [Side, Side];
  /** [n_layers + 2]: how many of the row's numbers are the same in both, bit for bit. */
  equal: readonly number[];
  /** [n_layers + 2]: the length of the difference of the two rows, as a part of the first row's length. */
  apart: readonly number[];
}

export type Result = Refused | Seen;

/** Guesses that are shown. */
const guessed = 2;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  const model = await modelInUse(engine, signal);
  const inputs = [inputOf({ text: state.one, ids: state.oneids }, model), inputOf({ text: state.two, ids: state.twoids }, model)];
  const wrong = inputs.find((input) => typeof input === 'string');
  if (wrong !== undefined) return { kind: 'refused', shelf: engine, model, sentence: wrong as string };
  const [one, two] = inputs as [Input, Input];
  try {
    return await orRefused(engine, model, seen(engine, model, one, two, state, signal));
  } catch (problem) {
    if (!(problem instanceof EngineError && problem.code === 'not_yet')) throw problem;
    return { kind: 'refused', shelf: engine, model, sentence: 'This figure needs every layer, and some are still on their way.' };
  }
}

async function seen(engine: Engine, model: ModelInfo, one: Input, two: Input, state: State, signal: AbortSignal): Promise<Seen> {
  const tokens = [await tokensOf(engine, one, signal), await tokensOf(engine, two, signal)] as const;
  const [first, second] = places(tokens[0], tokens[1], state);
  const sides = [await side(engine, model, one, tokens[0], first, signal), await side(engine, model, two, tokens[1], second, signal)] as const;
  const equal = sides[0].rows.map((row, stage) => equalNumbers(row, sides[1].rows[stage]!));
  const apart = sides[0].rows.map((row, stage) => lengthOf(row, (value, at) => value - sides[1].rows[stage]![at]!) / (lengthOf(row, (value) => value) || 1));
  return { kind: 'seen', shelf: engine, model, sides, equal, apart };
}

function tokensOf(engine: Engine, input: Input, signal: AbortSignal): Promise<readonly Token[]> {
  if ('text' in input) return engine.tokenize(input.text, { signal });
  return Promise.resolve(input.ids.map((id, word) => ({ id, pieces: [], word })));
}

/** Where no place is given: the last token of the second text that the first has too, else the last of each. */
function places(one: readonly Token[], two: readonly Token[], { first, second }: State): [number, number] {
  const within = (place: number, tokens: readonly Token[]) => Math.min(place, tokens.length - 1);
  const shared = two.findLastIndex(({ id }) => one.some((other) => other.id === id));
  const j = second >= 0 ? within(second, two) : shared >= 0 ? shared : two.length - 1;
  const same = one.findLastIndex(({ id }) => id === two[j]!.id);
  return [first >= 0 ? within(first, one) : same >= 0 ? same : one.length - 1, j];
}

function side(engine: Engine, model: ModelInfo, input: Input, tokens: readonly Token[], place: number, signal: AbortSignal): Promise<Side> {
  return withRun(engine, input, signal, async (run) => {
    const { shape, data } = await engine.activation(run, `rows.${place}`, { signal });
    const [stages = 0, width = 0] = shape;
    const rows = Array.from({ length: stages }, (_, stage) => data.slice(stage * width, (stage + 1) * width));
    return { tokens, place, rows, guesses: await engine.lens(run, model.config.n_layers, place, guessed, { signal }) };
  });
}

function equalNumbers(one: Float32Array, two: Float32Array): number {
  const [bits, others] = [bitsOf(one), bitsOf(two)];
  return bits.reduce((count, value, at) => count + (value === others[at] ? 1 : 0), 0);
}

function lengthOf(row: Float32Array, of: (value: number, at: number) => number): number {
  return Math.sqrt(row.reduce((sum, value, at) => sum + of(value, at) ** 2, 0));
}

/** The 32 bits of each number. */
export function bitsOf(row: Float32Array): Uint32Array {
  return new Uint32Array(row.buffer, row.byteOffset, row.length);
}

export function stageOf({ stage }: Pick<State, 'stage'>, { equal }: Pick<Seen, 'equal'>): number {
  return Math.min(stage, equal.length - 1);
}

export function colOf({ col }: Pick<State, 'col'>, { model }: Pick<Seen, 'model'>): number {
  return Math.min(col, model.config.d_model - 1);
}
