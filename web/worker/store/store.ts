// The kept models: one folder each, with a record of what it is, its pieces, and, last of all, the word that it is whole.

import { ModelError } from '../source/types.ts';
import { sha256, sha256OfText } from './digest.ts';
import { lock, tryLock } from './locks.ts';
import { openPieces, pieceSize } from './pieces.ts';
import { openShelf } from './shelves.ts';
import type { KeptFolder, KeptModel, ModelRecord, ModelStore, RemoteOrigin, Shelf } from './types.ts';

const RECORD = 'record.json';
const WHOLE = 'whole.json';
const VERSION = 1; // of both

/** The record as it is written; its bytes lie beside it, under the names in `parts`. */
interface Written {
  version: number;
  key: string;
  name: string;
  origin: RemoteOrigin;
  host: string | null;
  vocabulary: 'own' | 'gpt2' | 'none';
  /** Missing in what earlier editions of the book kept. */
  wordless?: string;
  files: ModelRecord['files'];
  /** SHA-256 by name. */
  parts: Record<string, string>;
}

const utf8 = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Null for anything but what this version wrote whole. */
async function readJson<T extends { version: number }>(shelf: Shelf, folder: string, name: string): Promise<T | null> {
  try {
    const bytes = await shelf.get(folder, name);
    const value = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
    return value?.version === VERSION ? value : null;
  } catch {
    return null;
  }
}

function partsOf({ config, vocabulary, headers }: ModelRecord): [string, Uint8Array][] {
  const words: [string, Uint8Array][] =
    vocabulary && vocabulary !== 'gpt2' ? [['tokens', vocabulary.tokens], ['merges', vocabulary.merges]] : [];
  return [['config', config], ...words, ...headers.map((header, at): [string, Uint8Array] => [`header-${at}`, header])];
}

async function writeRecord(shelf: Shelf, folder: string, key: string, record: ModelRecord): Promise<void> {
  const { name, origin, host, vocabulary, wordless, files } = record;
  const parts: Record<string, string> = {};
  for (const [part, bytes] of partsOf(record)) {
    await shelf.put(folder, part, bytes);
    parts[part] = await sha256(bytes);
  }
  const kind = vocabulary === 'gpt2' ? 'gpt2' : vocabulary ? 'own' : 'none';
  const written: Written = { version: VERSION, key, name, origin, host, vocabulary: kind, wordless, files, parts };
  await shelf.put(folder, RECORD, utf8(written));
}

async function readRecord(shelf: Shelf, folder: string): Promise<ModelRecord | null> {
  const written = await readJson<Written>(shelf, folder, RECORD);
  if (!written) return null;
  const { name, origin, host, files } = written;
  const part = async (of: string) => {
    const bytes = await shelf.get(folder, of);
    if (!bytes || (await sha256(bytes)) !== written.parts[of]) throw new Error(of);
    return bytes;
  };
  try {
    const vocabulary =
      written.vocabulary === 'own' ? { tokens: await part('tokens'), merges: await part('merges') } : written.vocabulary === 'gpt2' ? 'gpt2' : null;
    const headers = await Promise.all(files.map((_, at) => part(`header-${at}`)));
    return { name, origin, host, files, headers, config: await part('config'), vocabulary, wordless: written.wordless ?? '' };
  } catch {
    return null; // a part is gone or no longer what it was
  }
}

const folderOf = async (key: string) => `model-${(await sha256OfText(key)).slice(0, 32)}`;
const isWhole = (shelf: Shelf, folder: string) => readJson<{ version: number; confirmed: boolean }>(shelf, folder, WHOLE);

export const keyOf = (origin: RemoteOrigin): string => (origin.kind === 'hub' ? `hub:${origin.repo}@${origin.revision}` : `address:${origin.url}`);

export async function openStore(order?: Shelf['kind'][]): Promise<ModelStore> {
  return storeOn(await openShelf(order));
}

export function storeOn(shelf: Shelf): ModelStore {
  async function row(folder: string): Promise<KeptModel | null> {
    const written = await readJson<Written>(shelf, folder, RECORD);
    if (!written) return null;
    const whole = await isWhole(shelf, folder);
    let bytes = 0;
    for (const one of await shelf.names(folder)) bytes += pieceSize(one) ?? (await shelf.size(folder, one)) ?? 0;
    const { key, name, origin, host } = written;
    return { key, name, origin, host, bytes, whole: whole !== null, confirmed: whole?.confirmed ?? false };
  }

  return {
    kind: shelf.kind,
    async list() {
      const rows = await Promise.all((await shelf.folders()).map(row));
      return rows.filter((one) => one !== null).sort((a, b) => a.name.localeCompare(b.name));
    },
    async remove(key) {
      const folder = await folderOf(key);
      const release = await tryLock(folder, 'exclusive');
      if (!release) throw new ModelError('in_use', 'This model is being loaded here or in another tab; it can be removed when that has ended.');
      try {
        await shelf.remove(folder);
      } finally {
        release();
      }
    },
    async room() {
      if (shelf.kind === 'memory') return null;
      const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => null)) ?? {};
      return quota === undefined ? null : Math.max(quota - (usage ?? 0), 0);
    },
    async open(key, signal, say) {
      const folder = await folderOf(key);
      for (;;) {
        const before = await isWhole(shelf, folder);
        const release = await lock(folder, before ? 'shared' : 'exclusive', signal, () =>
          say('Another tab is fetching this model; this one waits, and takes what that one keeps.'),
        );
        try {
          const whole = await isWhole(shelf, folder);
          if ((whole === null) === (before === null)) return await opened(folder, key, whole, release);
        } catch (reason) {
          release();
          throw reason;
        }
        release(); // it was published or removed meanwhile
      }
    },
  };

  async function opened(folder: string, key: string, whole: { confirmed: boolean } | null, release: () => void): Promise<KeptFolder> {
    const record = await readRecord(shelf, folder);
    let pieces = await openPieces(shelf, folder, whole === null);
    return {
      whole: whole !== null && record !== null,
      confirmed: whole?.confirmed ?? false,
      record,
      get pieces() {
        return pieces;
      },
      async begin(next) {
        await shelf.remove(folder);
        pieces = await openPieces(shelf, folder, false);
        await writeRecord(shelf, folder, key, next);
      },
      publish: (confirmed) => shelf.put(folder, WHOLE, utf8({ version: VERSION, confirmed, pieces: pieces.names() })),
      stands: async () => (await isWhole(shelf, folder)) !== null && (await readRecord(shelf, folder)) !== null,
      drop: async () => {
        await shelf.remove(folder);
        pieces = await openPieces(shelf, folder, false);
      },
      release,
    };
  }
}
