// What runs beside the page: the engine's module and one session with it. Loading lies in loading.ts, passes over texts
// in passes.ts; here are the calls that the client makes.

import * as Comlink from 'comlink';
import { simd } from 'wasm-feature-detect';
import { engineFailed, filesMissing } from '../engine/failures.ts';
import { life } from '../engine/life.ts';
import type { LoadNews, LoadOrder, Outcome, Places, WorkerApi } from '../engine/protocol.ts';
import type { CellArithmetic, Drawn, Guess, HeadGrids, LayerGallery, LoadProgress, ModelInfo, ModelSource, SumArithmetic } from '../engine/types.ts';
import { breather, stopped } from './breathing.ts';
import { fetchLittle } from './little.ts';
import { coreChecks, hostOf, loadWeights, offerOf, Refused } from './loading.ts';
import { type EngineModule, type LessonsModule, type Loaded, loadLessons, loadModule, type Session } from './module.ts';
import { type Arrival, passesOf } from './passes.ts';
import { nothingYet } from './progress.ts';
import { openModel, startingOver } from './source/open.ts';
import { type Model, ModelError, type Origin } from './source/types.ts';
import { savedTrace } from './saved-trace.ts';
import { openStore } from './store/store.ts';
import type { ModelStore, RemoteOrigin } from './store/types.ts';
import { tokensOf } from './tokens.ts';
import { gpt2From } from './vocabulary.ts';

let places: Places;
let loaded: Loaded<EngineModule>;
let session: Session;
let beginning: Promise<void> | null = null;
/** Fetched when the first figure asks for a toy world. */
let lessons: Promise<LessonsModule> | null = null;
/** The little model's files, fetched while the module is. */
let coming: Promise<Outcome<Origin>> | null = null;
let model: ModelInfo | null = null;
let arrival: Arrival | null = null;
let stored: Promise<ModelStore> | null = null;
const calls = new Map<number, AbortController>(); // that can be cancelled

const utf8 = (text: string) => new TextEncoder().encode(text);
const store = () => (stored ??= openStore());
let passes: ReturnType<typeof passesOf>;

/** The model's module and its session. */
const begin = () =>
  (beginning ??= loadModule(places.wasm, 'lookback', places.mostThreads)
    .catch(missing)
    .then((module) => {
      loaded = module;
      session = new loaded.module.Session(loaded.threads);
      passes = passesOf(session, () => arrival);
    }));

/** A module did not come. The client lets this worker go then; the next one tries again. */
async function missing(reason: unknown): Promise<never> {
  // The browser's own words name a file and help nobody.
  throw new Refused((await simd()) ? filesMissing : { error: filesMissing.error, sentence: (reason as Error).message });
}

/** Sends the arrays of a result without copying them. */
function moved<T extends object>(outcome: Outcome<T>): Outcome<T> {
  if (!('ok' in outcome)) return outcome;
  const buffers = Object.values(outcome.ok)
    .filter((part): part is Float32Array => part instanceof Float32Array)
    .map((part) => part.buffer as ArrayBuffer);
  return Comlink.transfer(outcome, buffers);
}

// ------------------------------------------------------------------------------------------------------------ loading

/** Opens a model's files for `work`, and closes them in any case. What is fetched is kept. */
async function withModel<T>(origin: Origin, signal: AbortSignal, say: (sentence: string) => void, work: (model: Model) => Promise<T>): Promise<T> {
  const keep = origin.kind !== 'files' && origin.kind !== 'site';
  const opened = await openModel(origin, { core: coreChecks(session), store: keep ? await store() : null, signal, say });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function load(order: LoadOrder, tell: LoadNews, signal: AbortSignal): Promise<ModelInfo> {
  let notice = '';
  let latest: LoadProgress | null = null;
  let usable = false;
  // Also before there is any progress to tell: a reader who waits for another tab shall know it.
  const say = (sentence: string) => {
    notice = sentence;
    tell({ ...(latest ?? nothingYet), notice }, null);
  };
  const breath = breather();
  const pause = async () => {
    await breath();
    signal.throwIfAborted();
  };
  const begun = (next: Arrival, info: ModelInfo) => {
    model = info;
    arrival = next;
    const use = () => {
      if (arrival !== next || usable) return;
      usable = true;
      tell(latest!, info);
    };
    // Worth showing as soon as there is something to see of the text at hand; where there is none, who runs one waits.
    if (order.input) void passes.run(order.input, () => signal.aborted).then((shown) => 'ok' in shown && use(), () => {});
    else if (info.origin !== 'disk') use();
  };
  try {
    const attempt = () => {
      passes.stop();
      return withModel(order.origin, signal, say, (opened) =>
        loadWeights({ session, model: opened, order, gpt2: gpt2From(places.gpt2Vocabulary), tell: (progress) => tell((latest = progress), null), notice: () => notice, signal, pause, begun }),
      );
    };
    return await startingOver(attempt, say);
  } finally {
    arrival = null;
  }
}

const sourceOf = (origin: RemoteOrigin): ModelSource =>
  origin.kind === 'hub' ? { repository: origin.repo, revision: origin.revision } : { address: origin.url };

/** The little model is small: its files come whole, and it is opened like the reader's. */
async function originOf(origin: Origin): Promise<Outcome<Origin>> {
  if (origin.kind !== 'site') return { ok: origin };
  const files = await (coming ?? fetchLittle(origin.folder));
  coming = null;
  return files;
}

// -------------------------------------------------------------------------------------------------------------- calls

/** Runs a call that can be cancelled; its number is forgotten when it ends. */
async function cancellable<T>(call: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  calls.set(call, controller);
  try {
    return await work(controller.signal);
  } finally {
    calls.delete(call);
  }
}

/**
 * A call whose failures are an outcome: what the core refused, what a source could not do, and traps inside the module.
 * The client ends the worker after those: its memory may be half written.
 */
function guarded<A extends unknown[], T>(work: (...args: A) => Promise<Outcome<T>>): (...args: A) => Promise<Outcome<T>> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (problem) {
      if (problem instanceof RangeError || problem instanceof WebAssembly.RuntimeError) return engineFailed;
      if (problem instanceof Refused) return problem.outcome;
      if (problem instanceof ModelError) return { error: problem.code, sentence: problem.message };
      if (!(problem instanceof DOMException)) throw problem;
      if (problem.name === 'AbortError') return stopped;
      return { error: 'bad_file', sentence: `A file could not be read (${problem.name}); was it moved or changed meanwhile?` };
    }
  };
}

/** A call of the model's module, which comes at once where a model is expected, else with the first of these calls. */
function withSession<A extends unknown[], T>(work: (...args: A) => Promise<Outcome<T>>): (...args: A) => Promise<Outcome<T>> {
  return guarded(async (...args: A) => {
    await begin();
    return work(...args);
  });
}

/** A look at the latest pass. */
function look<A extends unknown[], T>(ask: (...args: A) => unknown): (pass: number, ...args: A) => Promise<Outcome<T>> {
  return withSession(async (pass: number, ...args: A) => passes.stale(pass) ?? (ask(...args) as Outcome<T>));
}

const api: WorkerApi = {
  start: guarded(async (where, expect) => {
    places = where;
    if (expect?.kind === 'site') coming = fetchLittle(expect.folder);
    if (expect) await begin();
    return { ok: true as const };
  }),
  lesson: guarded(async (name, input) => {
    lessons ??= loadLessons(places.wasm).catch(missing);
    return (await lessons).lesson(utf8(name), utf8(input));
  }),
  inspect: withSession((call, origin) =>
    cancellable(call, async (signal) => {
      const opened = await openModel(origin, { core: coreChecks(session), store: null, signal, say: () => {} });
      try {
        return { ok: offerOf(session, opened) };
      } finally {
        await opened.close();
      }
    }),
  ),
  load: withSession((call, order, tell) =>
    cancellable(call, async (signal) => {
      try {
        const origin = await originOf(order.origin);
        if (!('ok' in origin)) return origin;
        const info = await load({ ...order, origin: origin.ok }, tell, signal);
        return { ok: (model = order.origin.kind === 'site' ? { ...info, origin: 'little' } : info) };
      } finally {
        (tell as Comlink.Remote<typeof tell>)[Comlink.releaseProxy](); // closes its port on both sides
      }
    }),
  ),
  kept: guarded(async () => ({ ok: (await (await store()).list()).map(({ origin, ...kept }) => ({ ...kept, host: hostOf(origin), source: sourceOf(origin) })) })),
  removeKept: guarded(async (key) => {
    await (await store()).remove(key);
    return { ok: true as const };
  }),
  tokenize: withSession((call, text) => cancellable(call, async (signal) => tokensOf(session, { text }, () => signal.aborted))),
  run: withSession((call, input) => cancellable(call, (signal) => passes.run(input, () => signal.aborted))),
  head: look((layer: number, head: number) => moved(session.head(layer, head) as Outcome<HeadGrids>)),
  cell: look((layer: number, head: number, query: number, key: number) => moved(session.cell(layer, head, query, key) as Outcome<CellArithmetic>)),
  blended: look((layer: number, head: number, position: number, i: number) => moved(session.blended(layer, head, position, i) as Outcome<SumArithmetic>)),
  written: look((layer: number, head: number, position: number, column: number) => moved(session.written(layer, head, position, column) as Outcome<SumArithmetic>)),
  gallery: look((layer: number, most: number) => moved(session.gallery(layer, most) as Outcome<LayerGallery>)),
  activation: look((name: string) => moved(session.activation(utf8(name)) as Outcome<{ shape: number[]; data: Float32Array }>)),
  trace: withSession((call, pass) => cancellable(call, (signal) => savedTrace(session, () => (signal.aborted ? stopped : passes.stale(pass))))),
  lens: look((layersDone: number, position: number, k: number) => session.lens(layersDone, position, k) as Outcome<Guess[]>),
  sampler: withSession(async ({ temperature, top_k, top_p, seed }) => session.sampler(temperature, top_k, top_p, seed)),
  next: look((k: number) => session.next(k) as Outcome<Drawn>),
  fingerprint: withSession(async (pass) => {
    await passes.ended();
    return passes.stale(pass) ?? { ok: session.fingerprint() };
  }),
  memory: withSession(async () => {
    return { ok: { heap_bytes: loaded.module.heapBytes(), weight_bytes: model?.weight_bytes ?? 0, trace_bytes: session.traceBytes(), threads: loaded.threads } };
  }),
  async cancel(call) {
    calls.get(call)?.abort();
  },
};

Comlink.expose({ ...api, ...life });
