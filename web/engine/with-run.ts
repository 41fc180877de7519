// Runs and lens calls as one piece of work. A model holds one trace, and several figures of a page may ask about
// different texts: their pieces of work wait for each other, so no figure reads another's trace. The latest run is kept,
// so asking about the same text again costs nothing.

import { unlessAborted } from './aborting.ts';
import { EngineError, type Engine, type Input, type ModelInfo, type Run } from './types.ts';

interface Desk {
  /** Settles when the work before has left. */
  free: Promise<unknown>;
  latest: { text: string; model: ModelInfo | null; run: Run } | null;
}

const desks = new WeakMap<Engine, Desk>();

/** Someone may use the engine without waiting; then the run is done again, this often at most. */
const attempts = 4;

/** Does `work` on the trace of `input`. Rejects with an AbortError when `signal` says so, else as the engine does. */
export async function withRun<T>(engine: Engine, input: Input, signal: AbortSignal, work: (run: Run) => Promise<T>): Promise<T> {
  const desk = deskOf(engine);
  const before = desk.free;
  let leave = () => {};
  desk.free = new Promise<void>((resolve) => (leave = resolve));
  try {
    await unlessAborted(before, signal);
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        return await unlessAborted(runOf(engine, desk, input, signal).then(work), signal);
      } catch (problem) {
        if (!isOvertaken(problem) || attempt === attempts) throw problem;
        desk.latest = null;
      }
    }
  } finally {
    void before.then(leave); // one that gives up in the queue does not let the next past those before it
  }
}

function deskOf(engine: Engine): Desk {
  let desk = desks.get(engine);
  if (!desk) desks.set(engine, (desk = { free: Promise.resolve(), latest: null }));
  return desk;
}

async function runOf(engine: Engine, desk: Desk, input: Input, signal: AbortSignal): Promise<Run> {
  const text = JSON.stringify(input);
  const model = engine.model();
  if (desk.latest?.text === text && desk.latest.model === model) return desk.latest.run;
  desk.latest = null;
  const run = await engine.run(input, { signal });
  desk.latest = { text, model, run };
  return run;
}

/** Another text took the session between run and look. */
function isOvertaken(problem: unknown): boolean {
  return problem instanceof EngineError && (problem.code === 'stale' || problem.code === 'cancelled');
}
