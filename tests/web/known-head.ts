// An engine whose numbers are known, for tests of figures about heads: words are tokens, and every stage of a head follows
// from rows that the engine also hands out.

import { EngineError, headScores, type Engine, type Input, type ModelInfo, type Run } from '../../web/engine/types.ts';

export const model: ModelInfo = {
  name: 'tiny',
  origin: 'disk', host: '', precision: 'f32', arriving: false, at_hand: true,
  config: { n_layers: 2, n_heads: 3, d_model: 12, d_head: 4, d_mlp: 48, n_positions: 8, d_vocab: 50, tied_head: true },
  n_parameters: 1, weight_bytes: 4, file_bytes: 4, vocabulary: 'own', notes: [],
};

/** Words are tokens. Each head's numbers differ; scores are q · k of rows that the engine also hands out. */
export function knownEngine(overrides: Partial<Engine> = {}, info: ModelInfo = model): Engine & { runs: number } {
  const { n_heads, d_head, d_model, n_positions } = model.config;
  let pass = 0;
  let n = 0;
  const entry = (hook: number, layer: number, position: number, at: number) => Math.fround(Math.sin(1 + 7 * hook + 31 * layer + 3 * position + 1.7 * at) * 2);
  const row = (hook: number, layer: number, head: number, position: number) =>
    Float32Array.from({ length: d_head }, (_, i) => entry(hook, layer, position, head * d_head + i));
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => Math.fround(sum + Math.fround(value * b[i]!)), 0);
  /** A column of the head's rows of W_O. */
  const column = (at: number) => Float32Array.from({ length: d_head }, (_, i) => Math.sin(5 * i + at));
  const sumOf = (left: Float32Array, right: Float32Array) => ({ left, right, products: left.map((value, i) => value * right[i]!), sum: dot(left, right) });
  const grids = (layer: number, head: number) => {
    const raw = Float32Array.from({ length: n * n }, (_, at) => dot(row(0, layer, head, Math.floor(at / n)), row(1, layer, head, at % n)));
    const scaled = raw.map((score) => score / 2);
    const pattern = new Float32Array(n * n);
    for (let i = 0; i < n; i++) {
      const e = Array.from({ length: i + 1 }, (_, j) => Math.exp(scaled[i * n + j]!));
      e.forEach((value, j) => (pattern[i * n + j] = value / e.reduce((a, b) => a + b)));
    }
    const z = Float32Array.from({ length: n * d_head }, (_, at) => {
      const [i, c] = [Math.floor(at / d_head), at % d_head];
      return Array.from({ length: i + 1 }, (_unused, j) => pattern[i * n + j]! * row(2, layer, head, j)[c]!).reduce((a, b) => a + b);
    });
    const output = Float32Array.from({ length: n * d_model }, (_, at) => {
      const blend = z.subarray(Math.floor(at / d_model) * d_head, (Math.floor(at / d_model) + 1) * d_head);
      return dot(blend, column(at % d_model));
    });
    return { n, raw, scaled, pattern, z, output };
  };
  const engine = {
    runs: 0,
    model: () => info,
    arriving: () => null,
    inUse: async () => info,
    onModel: () => () => {},
    async run(input: Input): Promise<Run> {
      engine.runs++;
      const tokens = 'text' in input
        ? input.text.split(/(?= )/).map((text, word) => ({ id: word, word, pieces: [{ kind: 'text' as const, shown: text }] }))
        : input.ids.map((id, word) => ({ id, word, pieces: [] }));
      if (tokens.length > n_positions) throw new EngineError('window_full', `The text has ${tokens.length} tokens, but the model's window holds ${n_positions}.`);
      n = tokens.length;
      return { tokens, pass: ++pass, milliseconds: 1, trace_bytes: 1 };
    },
    head: async (_run: Run, layer: number, head: number) => grids(layer, head),
    async cell(_run: Run, layer: number, head: number, i: number, j: number) {
      const { raw, scaled, pattern } = grids(layer, head);
      const [query, key] = [row(0, layer, head, i), row(1, layer, head, j)];
      const scores = Array.from(scaled.subarray(i * n, i * n + i + 1));
      const maximum = Math.max(...scores);
      const masked = j > i;
      return {
        query, key, products: query.map((value, c) => value * key[c]!), raw: raw[i * n + j]!, root: 2, scaled: scaled[i * n + j]!, masked, maximum,
        exponential: masked ? 0 : Math.exp(scaled[i * n + j]! - maximum), sum: scores.reduce((sum, s) => sum + Math.exp(s - maximum), 0), share: pattern[i * n + j]!,
      };
    },
    async blended(_run: Run, layer: number, head: number, i: number, c: number) {
      const shares = grids(layer, head).pattern.slice(i * n, i * n + i + 1);
      return sumOf(shares, shares.map((_, j) => row(2, layer, head, j)[c]!));
    },
    async written(_run: Run, layer: number, head: number, i: number, at: number) {
      return sumOf(grids(layer, head).z.slice(i * d_head, (i + 1) * d_head), column(at));
    },
    /** Patterns whole; scores that differ from head to head. */
    async gallery(_run: Run, layer: number) {
      const every = Array.from({ length: n_heads }, (_, head) => head);
      return {
        block: 1, side: n,
        grids: Float32Array.from(every.flatMap((head) => [...grids(layer, head).pattern])),
        scores: Float32Array.from(every.flatMap((head) => headScores.map((_, at) => Math.abs(Math.sin(1 + 10 * layer + 3 * head + at))))),
      };
    },
    async activation(_run: Run, name: string) {
      const [, layer, hook] = /^blocks\.(\d+)\.attn\.hook_([qkv])$/.exec(name)!;
      const data = Float32Array.from({ length: n * n_heads * d_head }, (_, at) => entry('qkv'.indexOf(hook!), Number(layer), Math.floor(at / (n_heads * d_head)), at % (n_heads * d_head)));
      return { shape: [n, n_heads, d_head], data };
    },
    ...overrides,
  };
  return engine as unknown as Engine & { runs: number };
}
