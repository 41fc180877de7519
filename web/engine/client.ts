// The engine's client: promises over a worker. Importable without the book:
//
//   import { createEngine } from './client.ts';
//   const engine = createEngine({ worker: '…/worker.js', training: '…/training.js', wasm: '…/wasm/', gpt2Vocabulary: '…/models/gpt2/', little: '…/models/little/' });
//   const run = await engine.run({ text: 'Hello' }); // by the little model
//   await engine.open({ repository: 'openai-community/gpt2', revision: 'main' }, { precision: 'int8' });
//   const { pattern } = await engine.head(await engine.run({ text: 'Hello' }), 0, 0);
//
// A model has a worker of its own: a new model is loaded in a new worker. That one is asked as soon as it can show
// something of the text at hand; the old worker waits until the new model is whole, and takes over again when it fails.
// Ending a worker is what gives its memory back.

import * as Comlink from 'comlink';
import { addressOrigin, hubOrigin } from '../worker/source/known.ts';
import { ModelError, type Origin } from '../worker/source/types.ts';
import { unlessAborted } from './aborting.ts';
import { unwrap } from './answers.ts';
import { askCrew, hire, type Api, type Crew } from './crew.ts';
import { differenceOf } from './difference.ts';
import { littleMissing } from './failures.ts';
import { modelFiles } from './model-files.ts';
import { startTraining } from './training.ts';
import type { LoadNews, LoadOrder, Outcome, Places } from './protocol.ts';
import { type Engine, EngineError, type Input, type LoadOptions, type LoadProgress, type ModelInfo, type ModelSource, type Run } from './types.ts';

export interface EnginePlaces {
  /** Address of the worker's script. */
  worker: string;
  /** Address of the script of the workers that train. */
  training: string;
  /** Address of the folder with simd/ and threads/. */
  wasm: string;
  /** Address of the folder with GPT-2's vocab.json and merges.txt. */
  gpt2Vocabulary: string;
  /** Address of the folder with the little model's files; without it, only what is opened is there. */
  little?: string;
  /** Upper limit for threads; one thread and many give the same bits. */
  mostThreads?: number;
  /** Whether a text stands in the book, so that requests may tell which it is. No text does where this is missing. */
  isOpenText?: (text: string) => boolean;
}

type ModelListener = (model: ModelInfo | null, reason?: EngineError) => void;
type ArrivalListener = (progress: LoadProgress | null) => void;

/** A loading under way. The crew has a model as soon as that can be used. */
interface Opening {
  origin: Origin;
  crew: Crew;
  progress: LoadProgress | null;
}

const closed = () => new EngineError('closed', 'The model was closed.');
const startedAgain = () => new EngineError('worker_lost', 'The engine was started anew.');
const overtaken = () => new DOMException('Another model was asked for meanwhile.', 'AbortError');

/** Where a source lies. Throws an EngineError for one that cannot be. */
function originOf(source: ModelSource): Origin {
  if ('files' in source) return { kind: 'files', name: source.name, files: unwrap(modelFiles(source.files)) };
  if ('kept' in source) return { kind: 'kept', key: source.kept };
  try {
    return 'address' in source ? addressOrigin(source.address) : hubOrigin(source.repository, source.revision);
  } catch (problem) {
    throw problem instanceof ModelError ? new EngineError(problem.code, problem.message) : problem;
  }
}

export function createEngine(places: EnginePlaces): Engine {
  /** The crew whose model is whole, or that has none. */
  let crew: Crew | null = null;
  /** The crew that loads the next model. */
  let opening: Opening | null = null;
  const little = places.little === undefined ? null : ({ kind: 'site', folder: places.little } as const);
  /** What is in use, or is opened when it is asked for; how; and its name. */
  let source: Origin | null = little;
  let precision: LoadOrder['precision'] = 'f32';
  let name = '';
  /** The loading that is under way, settled in any case; and the one that wakes what is in use. */
  let pending: Promise<unknown> | null = null;
  let waking: Promise<void> | null = null;
  /** The answer to a page's first question about a toy world. */
  let firstAnswer: Promise<unknown> | null = null;
  /** What was run last: the page shows it. */
  let input: Input | null = null;
  const modelListeners = new Set<ModelListener>();
  const arrivalListeners = new Set<ArrivalListener>();

  const inFront = () => (opening?.crew.model ? opening.crew : crew);
  const model = () => inFront()?.model ?? null;
  const arriving = () => (opening?.crew.model ? opening.progress : null);
  const tellModel = (reason?: EngineError) => modelListeners.forEach((listener) => listener(model(), reason));
  const tellArrival = () => arrivalListeners.forEach((listener) => listener(arriving()));

  const where: Places = { wasm: places.wasm, gpt2Vocabulary: places.gpt2Vocabulary, mostThreads: places.mostThreads ?? Infinity };
  const hireFor = (expect: Origin | null) => hire(places.worker, where, expect, onLost, onLate);

  function onLost(which: Crew, reason: EngineError) {
    which.end(reason);
    if (which !== crew) return; // who loads is told by its call
    crew = null;
    if (which.model && !opening?.crew.model) tellModel(reason);
  }

  /** Workers, or trainings, that take long to start. */
  const late = new Set<object>();
  const lateListeners = new Set<(late: boolean) => void>();
  function onLate(which: object, isLate: boolean) {
    if (isLate) late.add(which);
    else late.delete(which);
    lateListeners.forEach((listener) => listener(late.size > 0));
  }

  const current = () => inFront() ?? (crew = hireFor(null));
  const ask = <T>(who: Crew, work: (api: Api, call: number) => Promise<Outcome<T>>, signal?: AbortSignal) => askCrew(who, onLost, work, signal);

  /** Crews that were ended because of their model. */
  const dismissed = new WeakSet<Crew>();
  function dismiss(which: Crew, reason: Error) {
    dismissed.add(which);
    which.end(reason);
  }

  /** Toy worlds know no model: a crew that is dismissed meanwhile only means asking its successor. */
  async function askLesson(lesson: string, question: string, signal?: AbortSignal): Promise<string> {
    for (;;) {
      const who = current();
      try {
        return await ask(who, (api) => api.lesson(lesson, question), signal);
      } catch (problem) {
        if (signal?.aborted || !dismissed.has(who)) throw problem;
      }
    }
  }

  /** Loads into a worker of its own, which takes the place of the present one for good when the model is whole. */
  async function load(origin: Origin, options: LoadOptions = {}): Promise<ModelInfo> {
    setAside(overtaken());
    const next: Opening = (opening = { origin, crew: hireFor(origin), progress: null });
    const order: LoadOrder = { origin, precision: options.precision ?? 'f32', input, open_text: input !== null && isOpenText(input) };
    const tell: LoadNews = (progress, usable) => {
      if (opening !== next) return;
      next.progress = progress;
      options.onProgress?.(progress);
      if (usable) {
        next.crew.model = usable;
        tellModel();
      }
      if (next.crew.model) tellArrival();
    };
    try {
      const info = await loadInto(next, (api, call) => api.load(call, order, Comlink.proxy(tell)), options.signal);
      if (opening !== next) throw overtaken();
      if (crew) dismiss(crew, closed());
      opening = null;
      crew = next.crew;
      crew.model = info;
      source = origin;
      ({ precision } = order);
      ({ name } = info);
      tellModel();
      tellArrival();
      return info;
    } catch (reason) {
      if (opening === next) setAside(reason as Error);
      throw reason;
    }
  }

  /** A crew that is replaced before it has started only means asking its successor. */
  async function loadInto(next: Opening, work: (api: Api, call: number) => Promise<Outcome<ModelInfo>>, signal?: AbortSignal): Promise<ModelInfo> {
    for (;;) {
      const who = next.crew;
      try {
        return await ask(who, work, signal);
      } catch (problem) {
        if (signal?.aborted || next.crew === who) throw problem;
      }
    }
  }

  /** Ends the loading under way; the model before is in use again. */
  function setAside(reason: Error) {
    if (!opening) return;
    const { crew: gone } = opening;
    opening = null;
    dismiss(gone, reason);
    if (!gone.model) return;
    tellModel();
    tellArrival();
  }

  const isOpenText = (text: Input) => 'text' in text && (places.isOpenText?.(text.text) ?? false);

  function begin(wanted: Origin, options?: LoadOptions): Promise<ModelInfo> {
    const loading = load(wanted, options);
    const done = loading.catch(() => {}).then(() => {
      if (pending === done) pending = null;
    });
    pending = done;
    return loading;
  }

  /** Opens what is in use but not there: the little model at first, and whatever was lost. */
  async function wake(wanted: Origin): Promise<void> {
    // A page whose first figure is a toy fetches that one's engine first; the model's would only share the line with it.
    await firstAnswer;
    if (pending || model()) return; // a reader's model was quicker
    try {
      await begin(wanted, { precision });
    } catch (reason) {
      if (!(reason instanceof EngineError)) return; // a reader's model overtook it
      if (wanted.kind === 'site') throw reason;
      source = little;
      precision = 'f32';
      throw new EngineError(reason.code, `${name} could not be opened again: ${reason.message}`);
    }
  }

  const anotherModel = () =>
    new Promise<void>((resolve) => {
      const heard = () => {
        modelListeners.delete(heard);
        resolve();
      };
      modelListeners.add(heard);
    });

  async function inUse(signal?: AbortSignal): Promise<ModelInfo | null> {
    while (!model() && (pending || source)) {
      // One loading serves all who wait, and who gives up does not stop it.
      if (!pending) waking ??= wake(source!).finally(() => (waking = null));
      await unlessAborted(Promise.race([waking ?? pending!, anotherModel()]), signal);
    }
    return model();
  }

  /** For what needs a worker, but no model: one that is let go afterwards. */
  async function aside<T>(work: (helper: Crew) => Promise<T>): Promise<T> {
    const helper = hireFor(null);
    try {
      return await work(helper);
    } finally {
      helper.end(closed());
    }
  }

  return {
    async lesson(lesson, question, options) {
      const answer = askLesson(lesson, JSON.stringify(question), options?.signal);
      firstAnswer ??= answer.catch(() => {});
      return JSON.parse(await answer);
    },
    train: (practice, options, call) => startTraining({ worker: places.training, wasm: places.wasm, mostThreads: places.mostThreads, onLate }, practice, options, call),
    onLate(listener) {
      lateListeners.add(listener);
      if (late.size > 0) listener(true);
      return () => lateListeners.delete(listener);
    },
    startAgain() {
      for (const which of [crew, opening?.crew]) {
        if (!which || !late.has(which)) continue;
        if (which === crew) crew = null;
        else opening!.crew = hireFor(opening!.origin);
        dismiss(which, startedAgain());
      }
    },
    model,
    onModel(listener) {
      modelListeners.add(listener);
      return () => modelListeners.delete(listener);
    },
    arriving,
    onArrival(listener) {
      arrivalListeners.add(listener);
      return () => arrivalListeners.delete(listener);
    },
    inUse: (options) => inUse(options?.signal),
    async open(wanted, options) {
      return begin(originOf(wanted), options);
    },
    async openLittle(options) {
      if (!little) throw new EngineError(littleMissing.error, littleMissing.sentence);
      return begin(little, options);
    },
    async reopen(options) {
      if (!source) throw new EngineError('no_model', 'No model is open.');
      return begin(source, options);
    },
    async inspect(wanted, options) {
      const origin = originOf(wanted);
      return aside((helper) => ask(helper, (api, call) => api.inspect(call, origin), options?.signal));
    },
    kept: () => ask(current(), (api) => api.kept()),
    async removeKept(key) {
      await ask(current(), (api) => api.removeKept(key));
    },
    close() {
      const had = model();
      if (opening) dismiss(opening.crew, closed());
      opening = null;
      if (crew) dismiss(crew, closed());
      crew = null;
      source = little;
      precision = 'f32';
      if (had) tellModel();
    },
    async tokenize(text, options) {
      await inUse(options?.signal);
      return ask(current(), (api, call) => api.tokenize(call, text), options?.signal);
    },
    async run(wanted, options) {
      await inUse(options?.signal);
      input = wanted;
      return ask<Run>(current(), (api, call) => api.run(call, wanted), options?.signal);
    },
    head: (run, layer, head, options) => ask(current(), (api) => api.head(run.pass, layer, head), options?.signal),
    cell: (run, layer, head, query, key, options) =>
      ask(current(), (api) => api.cell(run.pass, layer, head, query, key), options?.signal),
    blended: (run, layer, head, position, i, options) =>
      ask(current(), (api) => api.blended(run.pass, layer, head, position, i), options?.signal),
    written: (run, layer, head, position, column, options) =>
      ask(current(), (api) => api.written(run.pass, layer, head, position, column), options?.signal),
    gallery: (run, layer, most, options) => ask(current(), (api) => api.gallery(run.pass, layer, most), options?.signal),
    activation: (run, hook, options) => ask(current(), (api) => api.activation(run.pass, hook), options?.signal),
    trace: (run, options) => ask(current(), (api, call) => api.trace(call, run.pass), options?.signal),
    lens: (run, layersDone, position, k, options) =>
      ask(current(), (api) => api.lens(run.pass, layersDone, position, k), options?.signal),
    async sampler(draw) {
      await ask(current(), (api) => api.sampler(draw));
    },
    next: (run, k, options) => ask(current(), (api) => api.next(run.pass, k), options?.signal),
    fingerprint: (run) => ask(current(), (api) => api.fingerprint(run.pass)),
    memory: () => ask(current(), (api) => api.memory()),
    async difference(options) {
      const here = crew;
      const info = here?.model;
      if (!here || !info || !source || !input) throw new EngineError('no_model', 'There is no model and no text to compare.');
      if (!info.at_hand) throw new EngineError('not_kept', `${info.name} does not lie on this device, so it would have to be fetched again.`);
      const text = input;
      const order: LoadOrder = { origin: source, precision: 'f32', input: null, open_text: false };
      return aside(async (exact) => {
        await ask(exact, (api, call) => api.load(call, order, Comlink.proxy(() => {})), options?.signal);
        return differenceOf(here, exact, info.config, text, (who, work) => ask(who, work, options?.signal));
      });
    },
  };
}
