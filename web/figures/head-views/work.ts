// What head-views asks the core: where one token looks, in three heads and in the mean of all.

import type { Engine, ModelInfo, Run } from '../../engine/types.ts';
import { kindOf, type ModelKind } from '../../marks/model-label.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { reading, type Refused } from './input.ts';
import { recorded } from './recorded.ts';

export const views = ['first', 'second', 'third', 'mean'] as const;
export type View = (typeof views)[number];

export interface State {
  text: string;
  ids: string;
  /** The token that looks; −1 the last. */
  from: number;
  /** "2.1": layer and head. */
  heads: readonly string[];
  view: View;
  model: ModelKind | 'any';
  endings: 'on' | 'off';
}

export interface HeadAt {
  layer: number;
  head: number;
}

/** Seen in the model in use. */
export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  run: Run;
  from: number;
  /** The three heads as asked for, and the nearest that the model has. */
  asked: readonly HeadAt[];
  heads: readonly HeadAt[];
  /** [4][from + 1]: shares in the three heads, and their mean over all heads of the model. */
  shares: readonly (readonly number[])[];
}

/** Meant is GPT-2, which is not open; these shares of it are on record. */
export interface Recorded {
  kind: 'recorded';
  shelf: ShelfEngine;
  model: ModelInfo;
  /** Null for the mean. */
  at: HeadAt | null;
  from: number;
  /** [from + 1]; null where the record says only that it is below half a per cent. */
  shares: readonly (number | null)[];
}

export type Result = Refused | Seen | Recorded;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  return reading(engine, state, signal, async (model, run): Promise<Seen | Recorded> => recordOf(engine, state, model) ?? seen(engine, model, run, state, signal));
}

async function seen(engine: Engine, model: ModelInfo, run: Run, state: State, signal: AbortSignal): Promise<Seen> {
  const { n_layers, n_heads } = model.config;
  const last = run.tokens.length - 1;
  const from = state.from < 0 ? last : Math.min(state.from, last);
  const asked = askedOf(state);
  const heads = asked.map(({ layer, head }) => ({ layer: Math.min(layer, n_layers - 1), head: Math.min(head, n_heads - 1) }));
  const every = await engine.activation(run, `shares.${from}`, { signal });
  const mean = await engine.activation(run, `mean_shares.${from}`, { signal });
  const rowOf = ({ layer, head }: HeadAt) => {
    const at = (layer * n_heads + head) * (from + 1);
    return Array.from(every.data.subarray(at, at + from + 1));
  };
  return { kind: 'seen', shelf: engine, model, run, from, asked, heads, shares: [...heads.map(rowOf), Array.from(mean.data)] };
}

function recordOf(shelf: ShelfEngine, state: State, model: ModelInfo): Recorded | null {
  if (state.model !== 'gpt2' || kindOf(model) === 'gpt2') return null;
  const at = state.view === 'mean' ? null : askedOf(state)[views.indexOf(state.view)]!;
  const shares = recorded(state.text, state.from, at ? `${at.layer}.${at.head}` : 'mean');
  return shares && { kind: 'recorded', shelf, model, at, from: state.from, shares };
}

/** Three heads, whatever a link holds: what is no head becomes one of the first three. */
export function askedOf({ heads }: Pick<State, 'heads'>): HeadAt[] {
  return [0, 1, 2].map((at) => headOf(heads[at]) ?? { layer: 0, head: at });
}

/** "2.1" is layer 2 head 1; null where a text names no head. */
export function headOf(name: string | undefined): HeadAt | null {
  const [, layer, head] = /^(\d{1,3})\.(\d{1,3})$/.exec(name ?? '') ?? [];
  return layer === undefined ? null : { layer: Number(layer), head: Number(head) };
}

export function nameOf({ layer, head }: HeadAt): string {
  return `${layer}.${head}`;
}

/** The shares of the view that is on. */
export function sharesOf(state: Pick<State, 'view'>, result: Seen | Recorded): readonly (number | null)[] {
  return result.kind === 'recorded' ? result.shares : result.shares[views.indexOf(state.view)]!;
}
