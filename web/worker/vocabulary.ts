// The vocabulary of a model that is loaded: its own, GPT-2's where the sizes fit, or none.

import type { Outcome } from '../engine/protocol.ts';
import type { ModelInfo } from '../engine/types.ts';
import type { Session } from './module.ts';
import type { Model } from './source/types.ts';

const GPT2_TOKENS = 50257;

/** Hands vocab.json and merges.txt of GPT-2, which the site carries. Null where they cannot be had. */
export type Gpt2Vocabulary = () => Promise<{ tokens: Uint8Array; merges: Uint8Array } | null>;

export async function loadVocabulary(
  session: Session,
  { vocabulary, wordless }: Pick<Model, 'vocabulary' | 'wordless'>,
  d_vocab: number,
  gpt2: Gpt2Vocabulary,
): Promise<Outcome<{ kind: ModelInfo['vocabulary']; notes: string[] }>> {
  if (vocabulary && vocabulary !== 'gpt2') {
    const size = session.loadVocabulary(vocabulary.tokens, vocabulary.merges);
    if ('error' in size) return size;
    const notes = size.ok > d_vocab ? [`The vocabulary has ${size.ok} tokens, but the model only ${d_vocab}; texts that need the others fail.`] : [];
    return { ok: { kind: 'own', notes } };
  }
  if (d_vocab !== GPT2_TOKENS) {
    return { ok: { kind: 'none', notes: [`${wordless || 'There is no vocab.json and merges.txt'}, so this model takes token ids instead of text.`] } };
  }
  const files = await gpt2();
  if (!files) return { error: 'bad_file', sentence: "GPT-2's vocabulary could not be loaded from this site." };
  const size = session.loadVocabulary(files.tokens, files.merges);
  if ('error' in size) return size;
  // 'gpt2' is the hub's own copy, which is the site's byte for byte: nothing to tell.
  const notes = vocabulary === 'gpt2' ? [] : [`${wordless || 'There is no vocabulary among the files'}; GPT-2's own, which comes with the book, is used.`];
  return { ok: { kind: 'gpt2', notes } };
}

/** From the site's folder. */
export function gpt2From(folder: string): Gpt2Vocabulary {
  return async () => {
    const files = await Promise.all(['vocab.json', 'merges.txt'].map((name) => fetched(new URL(name, folder))));
    const [tokens, merges] = files;
    return tokens && merges ? { tokens, merges } : null;
  };
}

async function fetched(address: URL): Promise<Uint8Array | null> {
  try {
    const answer = await fetch(address);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch {
    return null;
  }
}
