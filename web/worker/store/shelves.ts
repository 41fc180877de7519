// The three places where bytes can be kept. Each write is awaited to its end; a write that a killed tab left torn shows by
// its size or its hash (pieces.ts).

import type { Shelf } from './types.ts';

/** TypeScript keeps what only workers have out of the types for pages. */
interface WorkersHandle extends FileSystemFileHandle {
  createSyncAccessHandle(options?: { mode: 'read-only' }): Promise<{
    getSize(): number;
    truncate(size: number): void | Promise<void>;
    read(room: Uint8Array, options: { at: number }): number;
    write(bytes: Uint8Array, options: { at: number }): number;
    close(): void | Promise<void>;
  }>;
}

/** Whether several tabs may read a file at once through such a handle. */
const readsTogether = () => 'mode' in ((globalThis as { FileSystemSyncAccessHandle?: { prototype: object } }).FileSystemSyncAccessHandle?.prototype ?? {});

const ROOT = 'kept-models';
const MEMORY_LIMIT = 64e6; // bytes; more would put a model into memory twice

/** The best place that works here. Private windows may refuse the first two, some of them only on the first write. */
export async function openShelf(order: Shelf['kind'][] = ['opfs', 'cache', 'memory']): Promise<Shelf> {
  for (const kind of order) {
    try {
      const shelf = await shelves[kind]();
      const probe = `probe-${Math.random().toString(36).slice(2)}`; // of this tab alone
      await shelf.put(probe, 'probe', new Uint8Array([1]));
      await shelf.remove(probe);
      return shelf;
    } catch {
      // The next one, then.
    }
  }
  return memoryShelf();
}

const shelves: Record<Shelf['kind'], () => Promise<Shelf>> = {
  opfs: opfsShelf,
  cache: cacheShelf,
  memory: async () => memoryShelf(),
};

const isMissing = (reason: unknown) => reason instanceof DOMException && reason.name === 'NotFoundError';

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (reason) {
    if (isMissing(reason)) return null;
    throw reason;
  }
}

/** The page's private file system. Only a worker can write there in every browser. */
async function opfsShelf(): Promise<Shelf> {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  const folderAt = (name: string) => orNull(root.getDirectoryHandle(name));
  const handleAt = async (folder: string, name: string) => orNull((await folderAt(folder))?.getFileHandle(name) ?? Promise.resolve(null));
  async function fileAt(folder: string, name: string): Promise<File | null> {
    const handle = await handleAt(folder, name);
    return handle && orNull(handle.getFile());
  }

  /** A file's bytes in `room`; null when it is not there, or larger. */
  async function readInto(room: Uint8Array, folder: string, name: string): Promise<Uint8Array | null> {
    const handle = (await handleAt(folder, name)) as WorkersHandle | null;
    const access = handle && (await handle.createSyncAccessHandle({ mode: 'read-only' }));
    if (!access) return null;
    try {
      const size = access.getSize();
      return size <= room.length ? room.subarray(0, access.read(room.subarray(0, size), { at: 0 })) : null;
    } finally {
      await access.close();
    }
  }
  return {
    kind: 'opfs',
    async folders() {
      const found: string[] = [];
      for await (const [name, handle] of root.entries()) if (handle.kind === 'directory') found.push(name);
      return found;
    },
    async names(folder) {
      const found: string[] = [];
      for await (const [name] of (await folderAt(folder))?.entries() ?? []) found.push(name);
      return found;
    },
    size: async (folder, name) => (await fileAt(folder, name))?.size ?? null,
    async get(folder, name, room) {
      const there = room && readsTogether() ? await orNull(readInto(room, folder, name)) : null;
      if (there) return there;
      const file = await fileAt(folder, name);
      return file && new Uint8Array(await file.arrayBuffer());
    },
    async put(folder, name, bytes) {
      const place = await root.getDirectoryHandle(folder, { create: true });
      const handle = (await place.getFileHandle(name, { create: true })) as WorkersHandle;
      try {
        const access = await handle.createSyncAccessHandle();
        try {
          await access.truncate(0);
          if (access.write(bytes, { at: 0 }) !== bytes.length) throw new DOMException('The disk is full.', 'QuotaExceededError');
        } finally {
          await access.close(); // older Safari's is a promise, as truncate's
        }
      } catch (reason) {
        await place.removeEntry(name).catch(() => {});
        throw reason;
      }
    },
    async remove(folder, name) {
      if (name === undefined) await orNull(root.removeEntry(folder, { recursive: true }));
      else await orNull((await folderAt(folder))?.removeEntry(name) ?? Promise.resolve());
    },
  };
}

/** The cache that pages have for answers of servers; the addresses are never asked for. */
async function cacheShelf(): Promise<Shelf> {
  const cache = await caches.open(ROOT);
  const base = new URL(`/${ROOT}/`, location.origin).href;
  const addressOf = (folder: string, name: string) => `${base}${folder}/${name}`;
  const entries = async () => (await cache.keys()).map(({ url }) => url.slice(base.length).split('/') as [string, string]);
  const namesIn = async (folder: string) => (await entries()).filter(([owner]) => owner === folder).map(([, name]) => name);
  return {
    kind: 'cache',
    folders: async () => [...new Set((await entries()).map(([folder]) => folder))],
    names: namesIn,
    async size(folder, name) {
      const answer = await cache.match(addressOf(folder, name));
      return answer ? Number(answer.headers.get('Content-Length')) : null;
    },
    async get(folder, name) {
      const answer = await cache.match(addressOf(folder, name));
      return answer ? new Uint8Array(await answer.arrayBuffer()) : null;
    },
    put: (folder, name, bytes) =>
      cache.put(addressOf(folder, name), new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Length': String(bytes.length) } })),
    async remove(folder, name) {
      for (const one of name === undefined ? await namesIn(folder) : [name]) await cache.delete(addressOf(folder, one));
    },
  };
}

/** Lasts as long as the worker, and takes no big model. */
export function memoryShelf(limit = MEMORY_LIMIT): Shelf {
  const kept = new Map<string, Map<string, Uint8Array>>();
  const total = () => [...kept.values()].flatMap((folder) => [...folder.values()]).reduce((sum, { length }) => sum + length, 0);
  return {
    kind: 'memory',
    folders: async () => [...kept.keys()],
    names: async (folder) => [...(kept.get(folder)?.keys() ?? [])],
    size: async (folder, name) => kept.get(folder)?.get(name)?.length ?? null,
    get: async (folder, name) => kept.get(folder)?.get(name) ?? null,
    async put(folder, name, bytes) {
      if (total() + bytes.length > limit) throw new DOMException('Memory keeps no more.', 'QuotaExceededError');
      const place = kept.get(folder) ?? new Map<string, Uint8Array>();
      kept.set(folder, place.set(name, bytes.slice()));
    },
    async remove(folder, name) {
      if (name === undefined) kept.delete(folder);
      else kept.get(folder)?.delete(name);
    },
  };
}
