// A worker and what the client knows of it. It is called a crew, as the worker may have threads of its own.

import * as Comlink from 'comlink';
import type { Origin } from '../worker/source/types.ts';
import { engineFailed, filesMissing } from './failures.ts';
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
  /** Rejects when the worker is gone, whoever ended it. */
  lost: Promise<never>;
  /** Ends the worker; calls that wait fail with `reason`, for a worker that is ended raises no event. */
  end(reason: Error): void;
}

export type OnLost = (crew: Crew, reason: EngineError) => void;

export const errorOf = ({ error, sentence }: { error: string; sentence: string }) => new EngineError(error, sentence);
const stoppedUnexpectedly = () =>
  new EngineError('worker_lost', 'The engine stopped unexpectedly; your text is kept, and the next change starts it anew.');

export function unwrap<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw errorOf(outcome);
}

export function hire(script: string, places: Places, expect: Origin | null, onLost: OnLost): Crew {
  // The worker holds a lock of its own name. Tabs share locks, so the name must be the only one.
  const name = `lookback engine ${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  const worker = startWorker(script, name);
  const api = Comlink.wrap<WorkerApi>(worker);
  const watch = new AbortController();
  let started = false;
  let fail = (_: Error) => {};
  const lost = new Promise<never>((_, reject) => (fail = reject));
  lost.catch(() => {}); // it is reported by the calls that wait
  const gone = () => onLost(crew, started ? stoppedUnexpectedly() : errorOf(filesMissing));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    gone();
  });
  worker.addEventListener('messageerror', gone);
  const ready = Promise.race([api.start(places, expect), lost]).then((outcome) => {
    unwrap(outcome);
    started = true;
    // Granted only when the worker has let go of it, and it does so only by dying.
    navigator.locks?.request(name, { signal: watch.signal }, gone).catch(() => {});
  });
  const crew: Crew = {
    api,
    model: null,
    ready,
    lost,
    end(reason) {
      fail(reason);
      watch.abort();
      worker.terminate();
    },
  };
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
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      void who.api.cancel(call);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => {});
  try {
    await Promise.race([who.ready, aborted]);
    const outcome = await Promise.race([work(who.api, call), who.lost, aborted]);
    // Either worker would fail at whatever comes next: a browser may remember that a module's file was missing.
    if ('error' in outcome && [engineFailed.error, filesMissing.error].includes(outcome.error)) onLost(who, errorOf(outcome));
    return unwrap(outcome);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
