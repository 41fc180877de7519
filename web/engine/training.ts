// Trainings in the page: promises over a worker that trains one of the core's smallest models. Importable without the
// book:
//
//   import { startTraining } from './training.ts';
//   const places = { worker: '…/training.js', wasm: '…/wasm/' };
//   const training = await startTraining(places, 'repeats', { seed: 2 }, { onProgress: () => draw(training) });
//   training.run();
//
// A training has a worker of its own, so that it never keeps the engine waiting. It pauses while its tab is hidden and
// when the page is left.

import * as Comlink from 'comlink';
import { errorOf, outcomeOf, unwrap } from './answers.ts';
import { filesMissing } from './failures.ts';
import { watchStart } from './late-start.ts';
import { type Living, nameOfWorker, watchLife } from './life.ts';
import type { Outcome } from './protocol.ts';
import { startWorker } from './start-worker.ts';
import { readingEvery, type TrainingApi, type TrainingNews } from './training-protocol.ts';
import type { Ledge, PracticeName, PracticeOptions, Training, TrainingReading, TrainingStatus } from './training-types.ts';
import { EngineError } from './types.ts';

export interface TrainingPlaces {
  /** Address of the worker's script. */
  worker: string;
  /** Address of the folder with simd/ and threads/. */
  wasm: string;
  /** Upper limit for threads; one thread and many give the same bits. */
  mostThreads?: number;
  /** The training that `which` stands for takes long to start, or does no more. */
  onLate?: (which: object, late: boolean) => void;
}

export interface TrainingCall {
  /** Ends the training, at any time. */
  signal?: AbortSignal;
  /** Called after every change of status, losses or readings. */
  onProgress?: () => void;
}

/** Steps a second when nobody asks for fewer. */
const unhurried = 1e9;

const stoppedUnexpectedly = 'The training stopped unexpectedly; what was recorded is kept, and Restart begins again.';

export async function startTraining<N extends PracticeName>(
  places: TrainingPlaces,
  name: N,
  options: PracticeOptions[N],
  { signal, onProgress = () => {} }: TrainingCall = {},
): Promise<Training> {
  signal?.throwIfAborted();
  const workerName = nameOfWorker('training');
  const worker = startWorker(places.worker, workerName);
  const api = Comlink.wrap<TrainingApi & Living>(worker);
  const stops = new AbortController();
  let fail = (_: Error) => {};
  const lost = new Promise<never>((_, reject) => (fail = reject));
  lost.catch(() => {});
  /** What the worker answers, or why it cannot. */
  const ask = async <T>(answer: Promise<Outcome<T>>): Promise<T> => unwrap(await Promise.race([outcomeOf(answer), lost]));
  const end = (reason: Error) => {
    stops.abort();
    worker.terminate();
    fail(reason);
  };
  let started = false;
  const failed = (event: Event) => {
    event.preventDefault();
    fail(started ? new EngineError('worker_lost', stoppedUnexpectedly) : errorOf(filesMissing));
  };
  worker.addEventListener('error', failed, { signal: stops.signal }); // goes with the training, as in crew.ts
  watchLife(workerName, api, stops.signal, () => fail(new EngineError('worker_lost', stoppedUnexpectedly)));
  signal?.addEventListener('abort', () => end(signal.reason), { signal: stops.signal });

  try {
    const starting = ask(api.start(places.wasm, places.mostThreads ?? Infinity));
    watchStart(starting, (late) => places.onLate?.(worker, late));
    await starting;
    const { plan, reading } = await ask(api.begin(name, JSON.stringify(options)));
    started = true;
    return handle(plan, reading);
  } catch (problem) {
    end(problem as Error);
    throw problem;
  }

  function handle(plan: Training['plan'], first: TrainingReading): Training {
    const losses: number[] = [];
    const readings = [first];
    let status: TrainingStatus = 'ready';
    let problem = '';
    let ledge: Ledge | null = null;
    let speed = unhurried;
    /** A word to stop is on its way; and whether to run again when it has been heard. */
    let stopping = false;
    let again = false;
    /** Running until the tab was hidden. */
    let interrupted = false;

    function change(next: TrainingStatus) {
      status = next;
      if (!stops.signal.aborted) onProgress();
    }

    function hear(news: TrainingNews) {
      losses.push(...news.losses);
      readings.push(...news.readings);
      ledge = news.ledge;
      if (!stops.signal.aborted) onProgress();
    }

    async function advance(until: number) {
      if (status === 'running' || status === 'done' || status === 'lost') return;
      stopping = again = false;
      change('running');
      try {
        await ask(api.advance(until, speed, Comlink.proxy(hear)));
        change(losses.length === plan.n_steps ? 'done' : 'paused');
        if (again) void advance(plan.n_steps);
      } catch (reason) {
        if (stops.signal.aborted) return;
        problem = reason instanceof EngineError ? reason.message : stoppedUnexpectedly;
        worker.terminate();
        change('lost');
      }
    }

    function run({ stepsPerSecond = unhurried } = {}) {
      speed = stepsPerSecond;
      interrupted = hidden();
      if (interrupted) return;
      if (status === 'running' && stopping) again = true;
      else void advance(plan.n_steps);
    }

    function stop() {
      again = false;
      if (status !== 'running' || stopping) return;
      stopping = true;
      void api.pause();
    }

    const leave = () => {
      interrupted ||= again || (status === 'running' && !stopping);
      stop();
    };
    const comeBack = () => interrupted && run({ stepsPerSecond: speed });
    const listening = { signal: stops.signal };
    globalThis.document?.addEventListener('visibilitychange', () => (hidden() ? leave() : comeBack()), listening);
    globalThis.addEventListener?.('pagehide', leave, listening);
    globalThis.addEventListener?.('pageshow', comeBack, listening);

    return {
      plan,
      every: readingEvery,
      get status() {
        return status;
      },
      get problem() {
        return problem;
      },
      losses,
      readings,
      get ledge() {
        return ledge;
      },
      run,
      pause() {
        interrupted = false;
        stop();
      },
      step() {
        speed = unhurried;
        void advance((Math.floor(losses.length / readingEvery) + 1) * readingEvery);
      },
      dispose: () => end(new DOMException('The training was ended.', 'AbortError')),
    };
  }
}

const hidden = () => globalThis.document?.visibilityState === 'hidden';
