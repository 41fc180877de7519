// What a model consists of, read from its source: config, vocabulary, and the files of weights with their headers.

import { shownName } from '../../engine/shown-name.ts';
import { tensorsOf } from '../store/whole-hash.ts';
import { type CoreChecks, type FoundFile, ModelError, type Source, type WeightsFile } from './types.ts';

const MOST_CONFIG = 1e6; // bytes
const MOST_INDEX = 16e6;
const MOST_VOCABULARY = 32e6;
const BEGINNING = 512; // what the core looks at to tell what a file is

/** `wordless`: which file is to blame that there is no vocabulary; empty where there is neither of the two. */
interface Words {
  vocabulary: { tokens: Uint8Array; merges: Uint8Array } | null;
  wordless: string;
}

export interface Listing extends Words {
  config: Uint8Array;
  files: WeightsFile[];
}

/** What a text is that came in place of a small file; null when nothing speaks against it. */
function foreign(bytes: Uint8Array): string | null {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (beginning.startsWith('<')) return 'an HTML page, such as an error page of a web server';
  if (beginning.startsWith('version https://git-lfs')) return 'a Git LFS pointer, a short text that stands for the real file';
  return null;
}

const at = (source: Source) => (source.host ? ` at ${source.host}` : ' among the files');

/** `weights`: the name of the one file with weights, where it is known. `words`: whether to look for a vocabulary. */
export async function readListing(source: Source, weights: string | null, words: boolean, core: CoreChecks, signal: AbortSignal): Promise<Listing> {
  const config = await source.small('config.json', MOST_CONFIG, signal);
  if (!config) throw new ModelError('not_found', `There is no config.json${at(source)}; it tells the number of layers and heads.`);
  const other = foreign(config);
  if (other) throw new ModelError('bad_file', `config.json${at(source)} is ${other}.`);
  const found = await weightsFound(source, weights, core, signal);
  const files: WeightsFile[] = [];
  for (const file of found) files.push(await withHeader(source, file, core, signal));
  return { config, files, ...(words ? await wordsOf(source, signal) : { vocabulary: null, wordless: '' }) };
}

/** The one file, or all shards that the index names. */
async function weightsFound(source: Source, weights: string | null, core: CoreChecks, signal: AbortSignal): Promise<FoundFile[]> {
  const name = weights ?? 'model.safetensors';
  const one = await source.find(name, signal);
  if (one) return [one];
  const index = weights ? null : await source.small('model.safetensors.index.json', MOST_INDEX, signal);
  if (!index) throw new ModelError('not_found', `There is no ${shownName(name)}${at(source)}.`);
  const other = foreign(index);
  if (other) throw new ModelError('bad_file', `model.safetensors.index.json${at(source)} is ${other}.`);
  const found: FoundFile[] = [];
  for (const shard of core.shards(index)) {
    const file = await source.find(shard, signal);
    if (!file) throw new ModelError('not_found', `There is no ${shownName(shard)}${at(source)}, which model.safetensors.index.json names.`);
    found.push(file);
  }
  return found;
}

async function withHeader(source: Source, { beginning, ...file }: FoundFile, core: CoreChecks, signal: AbortSignal): Promise<WeightsFile> {
  const length = core.headerLength(beginning.subarray(0, BEGINNING), file.size ?? Number.MAX_SAFE_INTEGER);
  const header = new Uint8Array(length);
  let filled = 0;
  for await (const bytes of source.read(file, 8, 8 + length, signal)) {
    header.set(bytes, filled);
    filled += bytes.length;
  }
  return { ...file, header, size: file.size ?? sizeFrom(header) };
}

/** Where nobody says how long the file is, its header does. One that cannot be read is refused later, by the core. */
function sizeFrom(header: Uint8Array): number {
  try {
    return Math.max(8 + header.length, ...tensorsOf(header).map(({ end }) => end));
  } catch {
    return 8 + header.length;
  }
}

/** Both files, or neither: a host may also answer for a missing one with a page of its own. */
async function wordsOf(source: Source, signal: AbortSignal): Promise<Words> {
  const names = ['vocab.json', 'merges.txt'];
  const found = await Promise.all(names.map((name) => source.small(name, MOST_VOCABULARY, signal)));
  const [tokens, merges] = found;
  const wrong = found.map((bytes) => (bytes ? foreign(bytes) : 'missing'));
  if (tokens && merges && wrong.every((what) => what === null)) return { vocabulary: { tokens, merges }, wordless: '' };
  const good = names[wrong.indexOf(null)];
  if (!good) return { vocabulary: null, wordless: '' };
  const bad = wrong.findIndex((what) => what !== null);
  return { vocabulary: null, wordless: found[bad] ? `${names[bad]} is ${wrong[bad]}` : `There is ${good}, but no ${names[bad]}` };
}
