// Files that are here already: picked by the reader, or fetched whole from this site.

import { ModelError, type PickedFiles, type Source } from './types.ts';

const PART = 4 << 20; // bytes read at once
const BEGINNING = 512;

/** The little model's files from their folder on this site; null when one is missing. */
export async function siteFiles(folder: string): Promise<PickedFiles | null> {
  const names = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
  const found = await Promise.all(names.map((name) => fetched(new URL(name, folder))));
  if (found.some((blob) => blob === null)) return null;
  const [config, weights, tokens, merges] = found as [Blob, Blob, Blob, Blob];
  return { config, weights: [{ name: 'model.safetensors', blob: weights }], index: null, vocabulary: { tokens, merges } };
}

async function fetched(address: URL): Promise<Blob | null> {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.blob() : null;
  } catch {
    return null;
  }
}

export function diskSource(files: PickedFiles): Source {
  const named = new Map<string, Blob>([['config.json', files.config], ...files.weights.map(({ name, blob }) => [name, blob] as const)]);
  if (files.index) named.set('model.safetensors.index.json', files.index);
  if (files.vocabulary) named.set('vocab.json', files.vocabulary.tokens).set('merges.txt', files.vocabulary.merges);

  async function bytesOf(blob: Blob, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const bytes = new Uint8Array(await blob.arrayBuffer());
      signal.throwIfAborted();
      return bytes;
    } catch (reason) {
      if (signal.aborted || !(reason instanceof DOMException)) throw reason;
      throw new ModelError('bad_file', `A file could not be read (${reason.name}); was it moved or changed meanwhile?`);
    }
  }

  return {
    host: null,
    anyOrder: () => true,
    close: () => {},
    async find(name, signal) {
      const blob = named.get(name);
      return blob ? { name, size: blob.size, identity: null, sha256: null, beginning: await bytesOf(blob.slice(0, BEGINNING), signal) } : null;
    },
    async small(name, most, signal) {
      const blob = named.get(name);
      if (!blob) return null;
      if (blob.size > most) throw new ModelError('bad_file', `${name} is larger than ${(most / 1e6).toFixed(0)} MB; a small file was expected.`);
      return bytesOf(blob, signal);
    },
    async *read({ name }, begin, end, signal) {
      const blob = named.get(name)!;
      for (let at = begin; at < end; at += PART) yield await bytesOf(blob.slice(at, Math.min(at + PART, end)), signal);
    },
  };
}
