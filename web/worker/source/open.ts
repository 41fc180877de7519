// Opens a model from wherever it lies, and gives its weights in the order asked for.

import { shownName } from '../../engine/shown-name.ts';
import { largestPiece } from '../store/pieces.ts';
import { keyOf } from '../store/store.ts';
import type { KeptFolder, ModelRecord, RemoteOrigin } from '../store/types.ts';
import { wholeHash } from '../store/whole-hash.ts';
import { differ } from './ask.ts';
import { chunks } from './chunks.ts';
import { diskSource, siteFiles } from './disk.ts';
import { folderOf, HUB, knownModel, nameOf, speaksGpt2 } from './known.ts';
import { readListing } from './listing.ts';
import { patience } from './patience.ts';
import { remoteSource } from './remote.ts';
import type { Keeping } from './through.ts';
import { type FoundFile, type Model, ModelError, type OpenOptions, type Origin, type PickedFiles, type Read, type WeightsFile } from './types.ts';

/** Throws a ModelError, what the core's checks throw, or the signal's reason. */
export async function openModel(origin: Origin, options: OpenOptions): Promise<Model> {
  if (origin.kind === 'files') return openDisk(origin.kind, origin.name, origin.files, options);
  if (origin.kind === 'site') {
    const files = await siteFiles(origin.folder);
    if (!files) throw new ModelError('not_found', 'The little model could not be loaded from this site; check the connection.');
    return openDisk(origin.kind, 'Little model', files, options);
  }
  const { store, signal, say } = options;
  const key = origin.kind === 'kept' ? origin.key : keyOf(origin);
  const folder = store ? await store.open(key, signal, say) : null;
  try {
    if (origin.kind !== 'kept') return await openRemote(origin.kind, origin, folder, options);
    if (!folder?.record) throw new ModelError('not_kept', 'This model is no longer kept here; the browser may have cleared it.');
    return await openRemote(origin.kind, folder.record.origin, folder, options);
  } catch (reason) {
    folder?.release();
    throw reason;
  }
}

/** Runs what loads a model, and once more when a fresh start may do: a file that changed, a hash that did not fit. */
export async function startingOver<T>(attempt: () => Promise<T>, say: (sentence: string) => void, most = 1): Promise<T> {
  for (let left = most; ; left--) {
    try {
      return await attempt();
    } catch (reason) {
      if (!(reason instanceof ModelError && reason.startOver) || left <= 0) throw reason;
      say(reason.message);
    }
  }
}

async function openDisk(kind: 'site' | 'files', name: string, picked: PickedFiles, { core, signal }: OpenOptions): Promise<Model> {
  const source = diskSource(picked);
  const one = picked.index ? null : (picked.weights[0]?.name ?? null);
  const listing = await readListing(source, one, picked.vocabulary !== null, core, signal);
  return {
    name,
    origin: kind,
    host: null,
    ...listing,
    keptBytes: () => 0,
    weights: (reads, until) => chunks(source, null, listing.files, reads, until),
    confirm: async () => ({ kept: false, confirmed: false, sentence: null }),
    close: async () => {},
  };
}

async function openRemote(kind: 'hub' | 'address' | 'kept', origin: RemoteOrigin, folder: KeptFolder | null, options: OpenOptions): Promise<Model> {
  const { core, store, signal, say } = options;
  const hub = options.hub ?? HUB;
  const place = folderOf(origin, hub);
  const known = origin.kind === 'hub' ? knownModel(origin.repo, origin.revision) : undefined;
  const hashes: Record<string, string> = known?.sha256 ? { 'model.safetensors': known.sha256 } : {};
  const source = remoteSource({ ...place, hashes, patience: options.patience ?? patience, say });

  const record = folder?.whole ? folder.record! : await recordNow();
  const files: WeightsFile[] = record.files.map((file, at) => ({ ...file, header: record.headers[at]! }));
  /** Whether what the folder holds belongs to this record; if not, it is emptied before the first byte comes. */
  let fits = folder?.record != null && (folder.whole || changedFile(folder.record, record) === null);
  let fetched = false; // whether bytes came over the network
  let wanted: Read[] = []; // all that was ever asked for
  const keeping: Keeping | null = folder && {
    get pieces() {
      return folder.pieces;
    },
    on: true,
    full: (reason) => say(`${fullSentence(reason)} The model loads, but is not kept.`),
    damaged: () => say(`A kept part of ${record.name} was damaged, so it is fetched again.`),
  };

  /** Asks the host what is there now. */
  async function recordNow(): Promise<ModelRecord> {
    const gpt2 = origin.kind === 'hub' && speaksGpt2(origin.repo);
    const listing = await readListing(source, place.weights, !gpt2, core, signal);
    const now: ModelRecord = {
      name: nameOf(origin),
      origin,
      host: source.host,
      config: listing.config,
      vocabulary: gpt2 ? 'gpt2' : listing.vocabulary,
      wordless: listing.wordless,
      files: listing.files.map(({ header: _, ...file }) => file),
      headers: listing.files.map(({ header }) => header),
    };
    const changed = folder?.record && changedFile(folder.record, now);
    if (changed) say(`${changed} at ${source.host} was changed since it was last read, so it is read again from its beginning.`);
    return now;
  }

  /** Whether the host still has the file that was read; for hosts whose answers do not tell. */
  async function stillSame(file: WeightsFile): Promise<boolean> {
    const found = await source.find(file.name, signal).catch((reason) => {
      if (reason instanceof ModelError && reason.code === 'unreachable') return file; // then nothing speaks against it
      throw reason;
    });
    source.close();
    if (found === file) return true;
    if (!found || differ(found.identity, file.identity) || (found.size !== null && found.size !== file.size)) return false;
    const beginning = (found as FoundFile).beginning.subarray(8, 8 + file.header.length);
    return beginning.every((byte, at) => byte === file.header[at]);
  }

  /** Nothing was kept, so the bytes cannot be gone through once more in file order. */
  const unconfirmed = {
    kept: false,
    confirmed: false,
    sentence: files.some(({ sha256 }) => sha256) ? `${record.name} is not kept, so it was not held against its published SHA-256.` : null,
  };

  async function damagedFile(until: AbortSignal): Promise<{ name: string | null; confirmed: boolean }> {
    let confirmed = files.length > 0;
    for (const [number, file] of files.entries()) {
      const hash = file.sha256 && (await wholeHash(file.size, file.header, (begin, end) => keptParts(folder!, number, begin, end, until)));
      if (!hash) confirmed = false;
      else if (hash !== file.sha256) return { name: file.name, confirmed: false };
    }
    return { name: null, confirmed };
  }

  return {
    name: record.name,
    origin: kind,
    host: folder?.whole ? null : source.host,
    config: record.config,
    vocabulary: record.vocabulary,
    wordless: record.wordless,
    files,
    keptBytes: () => (folder && fits ? files.reduce((sum, { size }, number) => sum + folder.pieces.count(number, 0, size), 0) : 0),
    async *weights(reads, until) {
      wanted = [...wanted, ...reads.filter(({ early }) => !early)];
      if (keeping && !fits) await begin(keeping);
      if (keeping && !folder!.whole) await askForRoom(keeping, reads);
      try {
        for await (const chunk of chunks(source, keeping, files, reads, until)) {
          fetched ||= chunk.from === 'network';
          yield chunk;
        }
      } catch (reason) {
        if (reason instanceof ModelError && reason.startOver) await folder?.drop();
        throw reason;
      }
    },
    async confirm(until) {
      if (fetched) {
        for (const file of files) {
          if (file.identity !== null || (await stillSame(file))) continue;
          await folder?.drop();
          throw new ModelError('changed', `${shownName(file.name)} at ${source.host} was changed while it was read, so it is read again from its beginning.`, true);
        }
      }
      if (!folder || !keeping) return unconfirmed;
      if (folder.whole && !fetched) return { kept: true, confirmed: folder.confirmed, sentence: null };
      if (!keeping.on) {
        if (!folder.whole) await folder.drop(); // what is whole may be read by other tabs
        return unconfirmed;
      }
      const allThere = () => wanted.every(({ file, begin, end }) => folder.pieces.count(file, begin, end) === end - begin);
      if (folder.whole) return { kept: allThere() && (await folder.stands()), confirmed: folder.confirmed, sentence: null };
      const { name, confirmed } = await damagedFile(until);
      if (name) {
        await folder.drop();
        throw new ModelError('damaged', `What came of ${shownName(name)} is not what was published: its SHA-256 is another. It is not used.`, true);
      }
      const kept = allThere() && (await published(folder, confirmed)) && (await folder.stands());
      return { kept, confirmed, sentence: confirmed ? `${record.name} is whole: its SHA-256 is the published one.` : null };
    },
    async close() {
      source.close();
      folder?.release();
    },
  };

  async function begin(to: Keeping): Promise<void> {
    fits = true;
    try {
      await folder!.begin(record);
    } catch (reason) {
      to.on = false;
      to.full(reason);
    }
  }

  async function published(to: KeptFolder, confirmed: boolean): Promise<boolean> {
    try {
      await to.publish(confirmed);
      return true;
    } catch (reason) {
      say(`${fullSentence(reason)} The model is loaded, but not kept.`);
      return false;
    }
  }

  /** Keeps nothing where the browser says beforehand that there is too little room. */
  async function askForRoom(to: Keeping, reads: Read[]): Promise<void> {
    const missing = reads.reduce((sum, { file, begin, end, early }) => sum + (early ? 0 : end - begin - to.pieces.count(file, begin, end)), 0);
    const room = await store!.room();
    if (!to.on || room === null || room >= missing) return;
    to.on = false;
    say(`The browser has room for ${(room / 1e6).toFixed(0)} MB more, too little for ${(missing / 1e6).toFixed(0)} MB. The model loads, but is not kept.`);
  }
}

const fullSentence = (reason: unknown) =>
  reason instanceof DOMException && reason.name === 'QuotaExceededError'
    ? 'The browser gives no more room.'
    : `The browser could not keep a part (${reason instanceof Error ? reason.name : 'unknown'}).`;

/** The name of a file that is no longer what was read before; null when all are. */
function changedFile(before: ModelRecord, now: ModelRecord): string | null {
  if (before.files.length !== now.files.length) return 'The model';
  const other = now.files.findIndex((file, at) => {
    const old = before.files[at]!;
    const header = before.headers[at]!;
    const same = header.length === now.headers[at]!.length && header.every((byte, i) => byte === now.headers[at]![i]);
    return !same || old.name !== file.name || old.size !== file.size || differ(old.identity, file.identity);
  });
  return other < 0 ? null : shownName(now.files[other]!.name);
}

async function* keptParts(folder: KeptFolder, number: number, begin: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array | null> {
  const room = new Uint8Array(largestPiece);
  for (let at = begin; at < end; ) {
    signal.throwIfAborted();
    const bytes = await folder.pieces.take(number, at, end, room);
    yield bytes;
    if (!bytes) return;
    at += bytes.length;
  }
}
