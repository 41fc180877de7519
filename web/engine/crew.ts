// A worker and what the client knows of it. It is called a crew, as the worker may have threads of its own.

import * as Comlink from 'comlink';
import type { Origin } from '../worker/source/types.ts';
import { unlessAborted } from './aborting.ts';
import { errorOf, outcomeOf, unwrap } from './answers.ts';
import { engineFailed, filesMissing } from './failures.ts';
import { watchStart } from './late-start.ts';
import { type Living, nameOfWorker, watchLife } from './life.ts';
import type { Outcome, Places, WorkerApi } from './protocol.ts';
import { startWorker } from './start-worker.ts';
import { EngineError, type ModelInfo } from './types.ts';

export type Api = Comlink.Remote<WorkerApi>;

export interface Crew {
  api: Api;
  /** Its model, once that can be used. */
  model: ModelInfo | null;
  /** Rejects when the engine cannot start. */
  ready: Promise<void>;
  /** Aborted when the worker is gone, whoever ended it. A promise would keep every answer that was raced against it. */
  gone: AbortSignal;
  /** Ends the worker; calls that wait fail with `reason`, for a worker that is ended raises no event. */
  end(reason: Error): void;
}

export type OnLost = (crew: Crew, reason: EngineError) => void;
/** The crew takes long to start, or does no more. */
export type OnLate = (crew: Crew, late: boolean) => void;

const stoppedUnexpectedly = () =>
  new EngineError('worker_lost', 'The engine stopped unexpectedly; your text is kept, and the next change starts it anew.');

export function hire(script: string, places: Places, expect: Origin | null, onLost: OnLost, onLate: OnLate): Crew {
  const name = nameOfWorker('engine');
  const worker = startWorker(script, name);
  const api = Comlink.wrap<WorkerApi & Living>(worker);
  const ending = new AbortController();
  let started = false;
  const broken = () => onLost(crew, started ? stoppedUnexpectedly() : errorOf(filesMissing));
  // They go with the crew: Comlink keeps the worker for as long as its proxy is known, and these know it.
  const { signal } = ending;
  const failed = (event: Event) => {
    event.preventDefault();
    broken();
  };
  worker.addEventListener('error', failed, { signal });
  worker.addEventListener('messageerror', broken, { signal });
  watchLife(name, api, signal, () => onLost(crew, stoppedUnexpectedly()));
  const ready = unlessAborted(outcomeOf(api.start(places, expect)), signal).then((outcome) => {
    unwrap(outcome);
    started = true;
  });
  const crew: Crew = {
    api,
    model: null,
    ready,
    gone: signal,
    end(reason) {
      ending.abort(reason);
      worker.terminate();
    },
  };
  watchStart(ready, (late) => onLate(crew, late));
  // A crew that could not start is let go, so that the next call tries again.
  ready.catch((reason) => onLost(crew, reason));
  return crew;
}

let calls = 0;

/** One call to a crew; a cancelled one fails at once with the signal's reason and is stopped in the worker. */
export async function askCrew<T>(
  who: Crew,
  onLost: OnLost,
  work: (api: Api, call: number) => Promise<Outcome<T>>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const call = ++calls;
  const stop = () => void who.api.cancel(call);
  try {
    await unlessAborted(who.ready, signal);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    const outcome = await unlessAborted(unlessAborted(outcomeOf(work(who.api, call)), who.gone), signal);
    // Either worker would fail at whatever comes next: a browser may remember that a module's file was missing.
    if ('error' in outcome && [engineFailed.error, filesMissing.error].includes(outcome.error)) onLost(who, errorOf(outcome));
    return unwrap(outcome);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
