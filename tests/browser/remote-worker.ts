// The worker of the tests about sources and store: loads a model as the engine does, but into one buffer per file, so that
// the test can compare every byte. The checks and the plan are the engine's own.

import { openModel, startingOver } from '../../web/worker/source/open.ts';
import { type PlanRange, readingOrder } from '../../web/worker/source/order.ts';
import type { CoreChecks, Model, Origin } from '../../web/worker/source/types.ts';
import { openStore } from '../../web/worker/store/store.ts';
import type { Shelf } from '../../web/worker/store/types.ts';
import { isKnownMask, maskRows, tensorsOf } from '../../web/worker/store/whole-hash.ts';

export interface Order {
  origin: Origin;
  shelf: Shelf['kind'] | 'none';
  hub: string;
  /** Tokens of a sentence of the book; null: typed text. */
  ids: number[] | null;
  pauses: number[];
  silence: number;
  /** Stops the load after so many bytes. */
  abortAfter?: number;
  /** Posts "begun" once a piece is kept. */
  tellBegun?: boolean;
  /** What the browser says that there is room for. */
  room?: number;
}

export interface Outcome {
  error: string | null;
  sentence: string | null;
  said: string[];
  kept: boolean;
  confirmed: boolean;
  /** SHA-256 of each file as it was put together, masks worked out. */
  hashes: string[];
  network: number;
  store: number;
  /** Bytes over the network until layer 0's queries, keys and values could be computed. */
  untilFirst: number | null;
  keptBytes: number;
  name: string;
}

/** The engine's own checks and plan. */
async function engine(): Promise<CoreChecks & { ranges(model: Model): PlanRange[] }> {
  const glue = new URL('wasm/lookback.mjs', location.href).href;
  const { default: create } = await import(glue);
  const module = await create({ locateFile: (file: string) => new URL(`wasm/${file}`, location.href).href });
  const session = new module.Session(1);
  const value = <T>(outcome: { ok: T } | { error: string; sentence: string }): T => {
    if ('ok' in outcome) return outcome.ok;
    throw Object.assign(new Error(outcome.sentence), { code: outcome.error });
  };
  return {
    headerLength: (beginning, size) => value(session.headerLength(beginning, size)),
    shards: (index) => value<{ files: string[] }>(session.shards(index)).files,
    ranges: ({ config, files }) =>
      value<{ ranges: PlanRange[] }>(session.plan(config, files.map(({ header }) => header), files.map(({ size }) => size), 'f32')).ranges,
  };
}

const hex = async (bytes: Uint8Array) =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function load(order: Order): Promise<Outcome> {
  const out: Outcome = { error: null, sentence: null, said: [], kept: false, confirmed: false, hashes: [], network: 0, store: 0, untilFirst: null, keptBytes: 0, name: '' };
  const abort = new AbortController();
  const say = (sentence: string) => out.said.push(sentence);
  try {
    const core = await engine();
    if (order.room !== undefined) navigator.storage.estimate = async () => ({ quota: order.room!, usage: 0 });
    const store = order.shelf === 'none' ? null : await openStore([order.shelf]);
    await startingOver(async () => {
      const { hub, pauses, silence } = order;
      const model = await openModel(order.origin, { core, store, signal: abort.signal, say, hub, patience: { pauses, silence } });
      try {
        Object.assign(out, { name: model.name, keptBytes: model.keptBytes() });
        const ranges = core.ranges(model);
        const buffers = model.files.map(({ size, header }) => {
          const bytes = new Uint8Array(size);
          new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
          bytes.set(header, 8);
          for (const tensor of tensorsOf(header).filter(isKnownMask)) bytes.set(maskRows(tensor.shape[3]!, 0, tensor.shape[3]!), tensor.begin);
          return bytes;
        });
        const reads = readingOrder(ranges, order.ids);
        let waited = reads.filter(({ early, part, layer }) => early || (part === 'attention_in' && layer === 0)).reduce((sum, { begin, end }) => sum + end - begin, 0);
        for await (const { file, begin, bytes, from, read } of model.weights(reads, abort.signal)) {
          buffers[file]!.set(bytes, begin);
          if (from === 'store') out.store += bytes.length;
          else out.network += bytes.length;
          if (read.early || (read.part === 'attention_in' && read.layer === 0)) waited -= bytes.length;
          if (waited === 0) out.untilFirst ??= out.network;
          if (order.tellBegun && out.network > 5e6) postMessage('begun');
          if (order.abortAfter !== undefined && out.network + out.store >= order.abortAfter) abort.abort();
        }
        const { kept, confirmed, sentence } = await model.confirm(abort.signal);
        if (sentence) say(sentence);
        Object.assign(out, { kept, confirmed, hashes: await Promise.all(buffers.map(hex)) });
      } finally {
        await model.close();
      }
    }, say);
  } catch (reason) {
    const { code, name, message } = reason as Error & { code?: string | number };
    Object.assign(out, { error: typeof code === 'string' ? code : name, sentence: message });
  }
  return out;
}

const calls: Record<string, (...args: any[]) => Promise<unknown>> = {
  load,
  list: async (shelf: Shelf['kind']) => (await openStore([shelf])).list(),
  remove: async (shelf: Shelf['kind'], key: string) => (await openStore([shelf])).remove(key).then(() => null, (reason) => reason.code),
  best: async () => (await openStore()).kind,
  /** Turns one bit of a kept piece. */
  async damage(shelf: Shelf['kind']) {
    if (shelf === 'cache') {
      const cache = await caches.open('kept-models');
      const [piece] = (await cache.keys()).filter(({ url }) => url.includes('/piece-'));
      const bytes = new Uint8Array(await (await cache.match(piece!))!.arrayBuffer());
      bytes[9]! ^= 1;
      return cache.put(piece!, new Response(bytes, { headers: { 'Content-Length': String(bytes.length) } }));
    }
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('kept-models');
    for await (const folder of root.values()) {
      for await (const file of (folder as any).values()) {
        if (!file.name.startsWith('piece-')) continue;
        const access = await file.createSyncAccessHandle();
        const byte = new Uint8Array(1);
        access.read(byte, { at: 9 });
        byte[0]! ^= 1;
        access.write(byte, { at: 9 });
        access.close();
        return null;
      }
    }
    return null;
  },
};

addEventListener('message', async ({ data: { id, name, args } }) => postMessage({ id, value: await calls[name]!(...args) }));
