// What head-finder asks the core: the shares that one token gives, in every head of every layer.

import type { Engine, ModelInfo, Run } from '../../engine/types.ts';
import { kindOf, type ModelKind } from '../../marks/model-label.ts';
import type { ShelfEngine } from '../../reader/model-shelf.ts';
import { reading, type Refused } from '../head-views/input.ts';
import { recordedHardest } from '../head-views/recorded.ts';
import { headOf } from '../head-views/work.ts';

export interface State {
  text: string;
  ids: string;
  /** The token that looks; −1 the last. */
  from: number;
  /** The token looked at; never after `from`. */
  to: number;
  /** The head whose shares stand below the tokens, as "layer.head"; empty: the one that looks hardest. */
  heads: readonly string[];
  model: ModelKind | 'any';
}

export interface HeadShare {
  layer: number;
  head: number;
  /** Of `from` on `to`. */
  share: number;
}

export interface Seen {
  kind: 'seen';
  shelf: ShelfEngine;
  model: ModelInfo;
  run: Run;
  from: number;
  to: number;
  /** Every head, layer by layer. */
  heads: readonly HeadShare[];
  /** [n_layers * n_heads, from + 1] */
  shares: Float32Array;
}

/** Meant is GPT-2, which is not open; on record is the largest share in one layer, of “of” on “Paris”. */
export interface Recorded {
  kind: 'recorded';
  shelf: ShelfEngine;
  model: ModelInfo;
  layer: number;
  share: number;
}

export type Result = Refused | Seen | Recorded;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  return reading(engine, state, signal, async (model, run): Promise<Seen | Recorded> => {
    const record = state.model === 'gpt2' && kindOf(model) !== 'gpt2' ? recordedHardest(state.text, state.from, state.to) : null;
    if (record) return { kind: 'recorded', shelf: engine, model, ...record };
    const { n_layers, n_heads } = model.config;
    const last = run.tokens.length - 1;
    const from = state.from < 0 ? last : Math.min(state.from, last);
    const to = Math.min(state.to, from);
    const { data } = await engine.activation(run, `shares.${from}`, { signal });
    const heads = Array.from({ length: n_layers * n_heads }, (_, at) => ({ layer: Math.floor(at / n_heads), head: at % n_heads, share: data[at * (from + 1) + to]! }));
    return { kind: 'seen', shelf: engine, model, run, from, to, heads, shares: data };
  });
}

/** Hardest first; of equals the earlier. What is no number comes last. */
export function ranked({ heads }: Seen): HeadShare[] {
  const size = ({ share }: HeadShare) => (Number.isNaN(share) ? -1 : share);
  return [...heads].sort((a, b) => size(b) - size(a));
}

/** The head whose shares are shown. */
export function pickedOf({ heads }: Pick<State, 'heads'>, seen: Seen): HeadShare {
  const { n_layers, n_heads } = seen.model.config;
  const named = headOf(heads[0]);
  if (!named) return ranked(seen)[0]!;
  return seen.heads[Math.min(named.layer, n_layers - 1) * n_heads + Math.min(named.head, n_heads - 1)]!;
}

/** All that a head's `from` gives, [from + 1]. */
export function rowOf({ shares, from, model }: Seen, { layer, head }: HeadShare): Float32Array {
  const at = (layer * model.config.n_heads + head) * (from + 1);
  return shares.subarray(at, at + from + 1);
}
