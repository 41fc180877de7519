// What layer-map asks the core: how long a token's row is on its way and what each half of each layer adds to it, and
// the neurons of the layer that is picked, before and after the bend.

import type { GeluOutput } from '../../engine/lessons-layers.ts';
import type { Engine } from '../../engine/types.ts';
import { lookAt, positionOf, type Looked, type TextState } from '../model-text.ts';

export interface State extends TextState {
  position: number;
  layer: number;
  neuron: number;
}

/** Lengths of rows, as core/lens/layer_lengths.hpp names them. */
export interface Lengths {
  before: number;
  attention: number;
  between: number;
  feed_forward: number;
  after: number;
}

export interface Neuron {
  at: number;
  pre: number;
  post: number;
}

export interface Sizes {
  n: number;
  n_heads: number;
  d_head: number;
  d_model: number;
  d_mlp: number;
}

export interface Map {
  position: number;
  /** The layer that is shown: the nearest that the model has. */
  layer: number;
  sizes: Sizes;
  /** [n_layers] */
  lengths: Lengths[];
  /** [d_mlp], of this token in this layer. */
  neurons: Neuron[];
  /** The bend over a range that holds every neuron. */
  curve: GeluOutput;
}

export type Result = Looked<Map>;

/** Points of the curve; a lesson takes at most 256. */
const points = 241;

export function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  return lookAt(engine, state, signal, async (run, { config }) => {
    const { n_layers, n_heads, d_head, d_model, d_mlp } = config;
    const position = positionOf(state.position, run);
    const layer = Math.min(state.layer, n_layers - 1);
    const ask = async (name: string) => (await engine.activation(run, name, { signal })).data;
    const all = await ask(`lengths.${position}`);
    const lengths = Array.from({ length: n_layers }, (_, at): Lengths => {
      const [before, attention, between, feed_forward, after] = all.subarray(5 * at, 5 * at + 5) as unknown as [number, number, number, number, number];
      return { before, attention, between, feed_forward, after };
    });
    const row = (rows: Float32Array) => rows.subarray(position * d_mlp, (position + 1) * d_mlp);
    const [pre, post] = [row(await ask(`blocks.${layer}.mlp.hook_pre`)), row(await ask(`blocks.${layer}.mlp.hook_post`))];
    const neurons = Array.from(pre, (value, at): Neuron => ({ at, pre: value, post: post[at]! }));
    const curve = await engine.lesson('gelu', { x: range(pre) }, { signal });
    return { position, layer, sizes: { n: run.tokens.length, n_heads, d_head, d_model, d_mlp }, lengths, neurons, curve };
  });
}

/** Even steps over a round range that holds all values, at least from −4 to 3. */
function range(values: Float32Array): number[] {
  let [low, high] = [-4, 3];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.max(Math.min(low, Math.floor(value)), -1000);
    high = Math.min(Math.max(high, Math.ceil(value)), 1000);
  }
  return Array.from({ length: points }, (_, at) => Number((low + ((high - low) * at) / (points - 1)).toFixed(4)));
}

/** Neurons with the largest values after the bend, largest first; of equals the earlier. */
export function strongest({ neurons }: Map, count: number): Neuron[] {
  return [...neurons].sort((a, b) => b.post - a.post || a.at - b.at).slice(0, count);
}

/** The neuron that is spoken of: the one that is picked, else the strongest. */
export function neuronOf({ neuron }: Pick<State, 'neuron'>, map: Map): Neuron {
  return map.neurons[neuron] ?? strongest(map, 1)[0]!;
}
