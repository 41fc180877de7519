// Picks a model's files out of what a reader dropped or chose.

import type { PickedFiles } from '../worker/source/types.ts';
import type { Outcome } from './protocol.ts';

const WEIGHTS = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';

function named(files: File[], ...names: string[]): File | undefined {
  for (const name of names) {
    const found = files.find((file) => file.name === name);
    if (found) return found;
  }
  return undefined;
}

/**
 * config.json is needed, and the weights: one safetensors file, or an index and the shards that it names (the core checks
 * that they are all there). vocab.json and merges.txt (or OpenAI's names) go together.
 */
export function modelFiles(files: File[]): Outcome<PickedFiles> {
  const refuse = (sentence: string) => ({ error: 'bad_file', sentence });
  const config = named(files, 'config.json');
  const safetensors = files.filter((file) => file.name.endsWith('.safetensors'));
  const whole = named(files, WEIGHTS) ?? (safetensors.length === 1 ? safetensors[0] : undefined);
  const index = whole ? undefined : named(files, INDEX);
  if (!whole && !index) {
    return refuse(
      safetensors.length > 1
        ? `There are ${safetensors.length} .safetensors files and none is called ${WEIGHTS}; one was expected, or ${INDEX} beside them.`
        : `There is no ${WEIGHTS} among the files.`,
    );
  }
  if (!config) return refuse('There is no config.json among the files; it tells the number of layers and heads.');

  const tokens = named(files, 'vocab.json', 'encoder.json');
  const merges = named(files, 'merges.txt', 'vocab.bpe');
  if (!tokens !== !merges) {
    const missing = { 'vocab.json': 'merges.txt', 'encoder.json': 'vocab.bpe', 'merges.txt': 'vocab.json', 'vocab.bpe': 'encoder.json' };
    const { name } = (tokens ?? merges)!;
    return refuse(`There is ${name}, but no ${missing[name as keyof typeof missing]}; they go together.`);
  }
  return {
    ok: {
      config,
      weights: (whole ? [whole] : safetensors).map((file) => ({ name: file.name, blob: file })),
      index: index ?? null,
      vocabulary: tokens && merges ? { tokens, merges } : null,
    },
  };
}
