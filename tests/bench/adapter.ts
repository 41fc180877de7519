// This project's engine for the harness in peers/ (peers/adapters/README.md says what it asks for). Bundled into a folder
// that holds worker.js, wasm/ and gpt2/ too.
import { createEngine } from '../../web/engine/client.ts';
import type { Engine, Precision, Run } from '../../web/engine/types.ts';

const beside = (path: string) => new URL(path, import.meta.url).href;
let engine: Engine;
let run: Run;
let ids: number[] = [];

export const info = { values: 'logits' };

export async function load(url: string, { threads, precision = 'f32' }: { threads: number; precision?: Precision }): Promise<void> {
  engine = createEngine({ worker: beside('worker.js'), training: beside('training.js'), wasm: beside('wasm/'), gpt2Vocabulary: beside('gpt2/'), mostThreads: threads });
  await engine.open({ address: new URL(url, location.href).href }, { precision });
}

const logitsOf = async () => (await engine.activation(run, `logits.${ids.length - 1}`)).data;

/** The engine keeps what it computed of a text; one that begins with another token shares nothing with the one before. */
export async function forward(wanted: number[], { keep = false } = {}): Promise<Float32Array> {
  const first = !keep && wanted[0] === ids[0] ? wanted[0]! ^ 1 : wanted[0]!;
  ids = [first, ...wanted.slice(1)];
  run = await engine.run({ ids });
  return logitsOf();
}

export async function logits(wanted: number[]): Promise<Float32Array> {
  ids = wanted;
  run = await engine.run({ ids });
  return logitsOf();
}

export async function attention(wanted: number[]): Promise<Float32Array[]> {
  run = await engine.run({ ids: wanted });
  const layers: Float32Array[] = [];
  for (let layer = 0; layer < engine.model()!.config.n_layers; layer++) layers.push((await engine.activation(run, `blocks.${layer}.attn.hook_pattern`)).data);
  return layers;
}

export async function decode(n: number): Promise<number[]> {
  await engine.sampler({ temperature: 0, top_k: 0, top_p: 1, seed: 1 });
  const tokens: number[] = [];
  for (let step = 0; step < n; step++) {
    tokens.push((await engine.next(run, 0)).id);
    run = await engine.run({ ids: [...ids, ...tokens] });
  }
  return tokens;
}
