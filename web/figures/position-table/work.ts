// What position-table asks the core: the position table, how alike the picked row is to every row, and the row of the
// token that stands at the picked place, in the token table and with its place added.

import type { Engine, ModelInfo, Run } from '../../engine/types.ts';
import { lookAt, type Looked, type TextState } from '../model-text.ts';

export interface State extends TextState {
  /** Counted from 0. From the number of rows on there is no row. */
  place: number;
  /** The number of the rows that is spelled out; beyond the row's end, its last. */
  col: number;
}

/** A token at its place, [d_model] each: start = token + the place's row. */
export interface Sum {
  token: Float32Array;
  start: Float32Array;
}

export interface Places {
  /** [n_positions, d_model] */
  table: Float32Array;
  /** The picture's darkest ink: 99 of 100 numbers of the table are no larger. */
  extent: number;
  /** [n_positions]: of the picked row with each; null where there is no such row. */
  cosines: Float32Array | null;
  /** Null where the text has no token at the picked place. */
  sum: Sum | null;
}

export type Result = Looked<Places>;

export function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  const { place } = state;
  const work = async (run: Run, model: ModelInfo): Promise<Places> => {
    const { n_positions, d_model } = model.config;
    const ask = async (name: string) => (await engine.activation(run, name, { signal })).data;
    const { table, extent } = await tableOf(model, () => ask('wpe'));
    const cosines = place < n_positions ? await ask(`wpe_cosines.${place}`) : null;
    if (place >= run.tokens.length) return { table, extent, cosines, sum: null };
    const row = (rows: Float32Array) => rows.slice(place * d_model, (place + 1) * d_model);
    return { table, extent, cosines, sum: { token: row(await ask('hook_embed')), start: row(await ask('blocks.0.hook_resid_pre')) } };
  };
  return lookAt(engine, state, signal, work, 'The position table is still on its way.');
}

const tables = new WeakMap<ModelInfo, Pick<Places, 'table' | 'extent'>>();

/** A model's table is fetched once. */
async function tableOf(model: ModelInfo, ask: () => Promise<Float32Array>): Promise<Pick<Places, 'table' | 'extent'>> {
  let known = tables.get(model);
  if (!known) {
    const table = await ask();
    const sizes = table.map(Math.abs).sort();
    tables.set(model, (known = { table, extent: sizes[Math.floor(0.99 * sizes.length)] ?? 0 }));
  }
  return known;
}

export function rowOf({ table }: Places, place: number, width: number): Float32Array {
  return table.subarray(place * width, (place + 1) * width);
}

/** Other rows, most alike first; of equals the earlier. */
export function mostAlike(cosines: Float32Array, place: number, count: number): number[] {
  const others = Array.from(cosines, (_, at) => at).filter((at) => at !== place);
  return others.sort((a, b) => cosines[b]! - cosines[a]! || a - b).slice(0, count);
}

export function leastAlike(cosines: Float32Array): number {
  return cosines.indexOf(Math.min(...cosines));
}
