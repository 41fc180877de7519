// What one-head asks the core: the run, the head's grids, and the arithmetic of the cell that is open, beside a check of
// it in double precision.

import { withRun } from '../../engine/with-run.ts';
import { EngineError, type CellArithmetic, type Engine, type HeadGrids, type Input, type LoadProgress, type ModelInfo, type Run, type SumArithmetic } from '../../engine/types.ts';
import { proveBlend, proveDot, proveRow, proveScaled, proveWrite, type Proved, type ProvedRow } from '../../proof/head-row.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import type { Place } from '../../marks/grid.ts';
import type { ModelKind } from '../../marks/model-label.ts';
import { fixed } from '../../marks/number.ts';
import type { Update } from '../definition.ts';
import { stageWords, type Sizes, type Stage } from './stages.ts';

export interface State {
  text: string;
  ids: string;
  layer: number;
  head: number;
  model: ModelKind | 'any';
  stage: Stage;
  row: number;
  col: number;
  order: 'size' | 'place';
  showids: boolean;
}

/** The model cannot take the input. */
export interface Refused {
  kind: 'refused';
  shelf: ShelfEngine;
  model: ModelInfo;
  sentence: string;
}

/** The model is on its way, and what is asked for has not come. */
export interface Awaited {
  kind: 'awaited';
  shelf: ShelfEngine;
  model: ModelInfo;
  /** The layer that is waited for, by its part for the numbers that the head writes; null: the tokens of the text. */
  layer: number | null;
  progress: LoadProgress;
}

export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  run: Run;
  /** The layer and head that are shown: the nearest that the model has. */
  layer: number;
  head: number;
  sizes: Sizes;
  grids: HeadGrids;
  /** The cell that is open; null for none. */
  opened: Opened | null;
}

/** A score: all of its arithmetic, and the same in double precision. */
export interface OpenedScore {
  kind: 'score';
  place: Place;
  cell: CellArithmetic;
  raw: Proved;
  scaled: Proved;
  row: ProvedRow;
}

/** A number of the blend, the sum of [row + 1] shares times values. */
export interface OpenedBlend {
  kind: 'blend';
  place: Place;
  cell: SumArithmetic;
  proved: Proved;
}

/** A number that the head writes, the sum of [d_head] numbers of the blend times weights. */
export interface OpenedOutput {
  kind: 'output';
  place: Place;
  cell: SumArithmetic;
  proved: Proved;
}

export type Opened = OpenedScore | OpenedBlend | OpenedOutput;
export type Result = Refused | Awaited | Seen;

export async function look(engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> {
  const model = await engine.inUse({ signal });
  if (!model) throw new EngineError('no_model', 'No model is open, so this figure has nothing to show.');
  const input = inputOf(state, model);
  if (typeof input === 'string') return { kind: 'refused', shelf: engine, model, sentence: input };
  const first = lookNow(engine, model, input, state, signal);
  return model.arriving ? whileArriving(engine, model, first, () => lookNow(engine, model, input, state, signal), signal, update) : first;
}

async function lookNow(engine: Engine, model: ModelInfo, input: Input, state: State, signal: AbortSignal): Promise<Result> {
  try {
    return await withRun(engine, input, signal, (run) => seen(engine, model, run, state, signal));
  } catch (problem) {
    // What was typed does not fit: the figure stays in use, so that it can be typed otherwise.
    if (problem instanceof EngineError && ['window_full', 'bad_argument'].includes(problem.code)) {
      return { kind: 'refused', shelf: engine, model, sentence: problem.message };
    }
    const progress = engine.arriving();
    if (!(problem instanceof EngineError) || problem.code !== 'not_yet' || !progress) throw problem;
    return { kind: 'awaited', shelf: engine, model, layer: nearest(state, model).layer, progress };
  }
}

/** How long a look may take before the figure says what it waits for. Milliseconds. */
const patience = 400;

/**
 * A first result soon, and a new one whenever more has come, until what is asked for is seen. A model that is whole is
 * told to the figure, which then looks anew.
 */
async function whileArriving(
  engine: Engine,
  model: ModelInfo,
  first: Promise<Result>,
  again: () => Promise<Result>,
  signal: AbortSignal,
  update: Update<Result>,
): Promise<Result> {
  let newest: Result | null = null;
  let looking = true;
  let returned = false; // before that there is no result to take the place of
  const keep = (look: Promise<Result>) => look.then(
    (result) => {
      newest = result;
      looking = false;
      if (result.kind !== 'awaited') stop();
      return result;
    },
    (problem) => {
      stop();
      throw problem;
    },
  );
  const waiting = (progress: LoadProgress): Awaited => ({ kind: 'awaited', shelf: engine, model, layer: newest?.kind === 'awaited' ? newest.layer : null, progress });
  const stop = engine.onArrival((progress) => {
    if (!progress || !returned) return;
    update(waiting(progress));
    if (looking || newest?.kind !== 'awaited' || progress.layers_begun <= newest.layer!) return;
    looking = true;
    void keep(again()).then((result) => result.kind === 'awaited' || update(result, true), () => {});
  });
  signal.addEventListener('abort', stop, { once: true });
  const soon = keep(first);
  const progress = engine.arriving();
  const result = await Promise.race([soon, new Promise<null>((resolve) => setTimeout(resolve, patience, null))]);
  returned = true;
  if (result || !progress) return soon;
  void soon.then((late) => late.kind === 'awaited' || update(late, true), () => {});
  return waiting(engine.arriving() ?? progress);
}

/** What the trace behind a figure is of. */
export function traced(state: State, result: Result): Input | null {
  if (result.kind !== 'seen' || result.model.arriving) return null;
  const input = inputOf(state, result.model);
  return typeof input === 'string' ? null : input;
}

/** The input, or a sentence about what is wrong with it. */
function inputOf(state: State, model: ModelInfo): Input | string {
  if (model.vocabulary !== 'none') return state.text === '' ? 'Type a text for the head to read.' : { text: state.text };
  const parts = state.ids.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !/^\d{1,9}$/.test(part) || Number(part) >= model.config.d_vocab);
  if (wrong !== undefined) return `“${wrong}” is no token of this model; whole numbers from 0 to ${fixed(model.config.d_vocab - 1, 0)} were expected, parted by commas.`;
  return parts.length === 0 ? 'Type token ids for the head to read, such as 0, 1, 2.' : { ids: parts.map(Number) };
}

async function seen(engine: Engine, model: ModelInfo, run: Run, state: State, signal: AbortSignal): Promise<Seen> {
  const { n_heads, d_head, d_model } = model.config;
  const { layer, head } = nearest(state, model);
  const grids = await headOf(engine, run, layer, head, signal);
  if (state.stage === 'output' && !grids.output) throw new EngineError('not_yet', 'What the head writes has not come yet.');
  const sizes = { n: run.tokens.length, d_head, d_model };
  const at = { engine, run, layer, head, n_heads, d_head, grids, signal };
  const place = placeOf(state, sizes);
  return { kind: 'seen', shelf: engine, model, run, layer, head, sizes, grids, opened: place && (await openCell(at, state.stage, place)) };
}

/** The layer and head that are asked for, or the nearest that the model has. */
export function nearest({ layer, head }: State, { config }: ModelInfo): { layer: number; head: number } {
  return { layer: Math.min(layer, config.n_layers - 1), head: Math.min(head, config.n_heads - 1) };
}

/** The open cell, where the stage has it. */
export function placeOf({ stage, row, col }: Pick<State, 'stage' | 'row' | 'col'>, sizes: Sizes): Place | null {
  const [rows, columns] = stageWords[stage].shape(sizes);
  return row >= 0 && col >= 0 && row < rows && col < columns ? [row, col] : null;
}

interface At {
  engine: Engine;
  run: Run;
  layer: number;
  head: number;
  n_heads: number;
  d_head: number;
  grids: HeadGrids;
  signal: AbortSignal;
}

async function openCell(at: At, stage: Stage, place: Place): Promise<Opened> {
  const { engine, run, layer, head, signal } = at;
  const [row, column] = place;
  const keys = await rowsOf(at, 'hook_k');
  if (stage === 'blend' || stage === 'output') {
    const queries = await rowsOf(at, 'hook_q');
    const values = await rowsOf(at, 'hook_v');
    const proved = proveRow({ query: queries(row), key: keys, row });
    const blend = (i: number) => proveBlend(proved, Array.from({ length: row + 1 }, (_, position) => values(position)[i]!)).sum;
    if (stage === 'blend') return { kind: 'blend', place, cell: await engine.blended(run, layer, head, row, column, { signal }), proved: blend(column) };
    const cell = await engine.written(run, layer, head, row, column, { signal });
    return { kind: 'output', place, cell, proved: proveWrite(Array.from({ length: at.d_head }, (_, i) => blend(i)), cell.right).sum };
  }
  const cell = await engine.cell(run, layer, head, row, column, { signal });
  const raw = proveDot(cell.query, keys(column));
  return {
    kind: 'score',
    place,
    cell,
    raw,
    scaled: proveScaled(raw, at.d_head),
    row: proveRow({ query: cell.query, key: keys, row }),
  };
}

// ------------------------------------------------------------------------------------------------- kept for the run

/** The last head and the last layer's queries, keys and values of a run: walking through stages and cells asks again. */
interface Kept {
  head?: { name: string; grids: HeadGrids };
  layer?: { layer: number; rows: Map<string, Float32Array> };
}

const kept = new WeakMap<Run, Kept>();

function keptOf(run: Run): Kept {
  let found = kept.get(run);
  if (!found) kept.set(run, (found = {}));
  return found;
}

async function headOf(engine: Engine, run: Run, layer: number, head: number, signal: AbortSignal): Promise<HeadGrids> {
  const store = keptOf(run);
  const name = `${layer}.${head}`;
  if (store.head?.name === name) return store.head.grids;
  const grids = await engine.head(run, layer, head, { signal });
  if (grids.output) store.head = { name, grids }; // else its last part is still on its way
  return grids;
}

/** Rows of this head in q, k or v: a function from a position to [d_head] numbers. */
async function rowsOf(at: At, hook: 'hook_q' | 'hook_k' | 'hook_v'): Promise<(position: number) => Float32Array> {
  const { engine, run, layer, head, n_heads, d_head, signal } = at;
  const store = keptOf(run);
  if (store.layer?.layer !== layer) store.layer = { layer, rows: new Map() };
  const { rows } = store.layer;
  let data = rows.get(hook);
  if (!data) rows.set(hook, (data = (await engine.activation(run, `blocks.${layer}.attn.${hook}`, { signal })).data));
  const all = data;
  return (position) => all.subarray((position * n_heads + head) * d_head, (position * n_heads + head + 1) * d_head);
}
