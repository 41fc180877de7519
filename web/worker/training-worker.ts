// A training beside the page and beside the engine: one module, one practice. Between short stretches of work the worker
// tells what happened and looks at its messages.

import * as Comlink from 'comlink';
import { simd } from 'wasm-feature-detect';
import { engineFailed, filesMissing } from '../engine/failures.ts';
import { life } from '../engine/life.ts';
import type { Outcome } from '../engine/protocol.ts';
import { readingEvery, type TrainingApi, type TrainingNews } from '../engine/training-protocol.ts';
import type { TrainingPlan, TrainingReading } from '../engine/training-types.ts';
import { loadModule, type TrainingSession } from './module.ts';

const STRETCH_MS = 60; // of work between two words to the page
const GROUPS = 4; // that a step's texts are dealt to: more threads have nothing to do

let session: TrainingSession;
let nSteps = 0;
let done = 0;
/** The number of the advance under way; another number stops it. */
let latest = 0;

const utf8 = (text: string) => new TextEncoder().encode(text);
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function value<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw Object.assign(new Error(outcome.sentence), { outcome });
}

const read = (): TrainingReading => JSON.parse(value(session.reading()));

/** Works for one stretch, up to step `until`. */
function stretch(until: number): TrainingNews {
  const begun = performance.now();
  const losses: number[] = [];
  const readings: TrainingReading[] = [];
  while (done < until && performance.now() - begun < STRETCH_MS) {
    losses.push(...value(session.step(1)));
    done++;
    if (done % readingEvery === 0) readings.push(read());
  }
  return { losses: Float32Array.from(losses), readings, ledge: value(session.ledge()) };
}

async function advance(until: number, stepsPerSecond: number, tell: (news: TrainingNews) => void): Promise<void> {
  const mine = ++latest;
  const end = Math.min(until, nSteps);
  const begun = performance.now() - (done / stepsPerSecond) * 1000;
  while (done < end && mine === latest) {
    const due = Math.floor(((performance.now() - begun) / 1000) * stepsPerSecond);
    if (due > done) await tell(stretch(Math.min(end, due)));
    await wait(due > done ? 0 : 1000 / stepsPerSecond);
  }
}

/** A call whose failures are an outcome: what the core refused, and traps inside the module. */
function guarded<A extends unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<Outcome<T>> {
  return async (...args) => {
    try {
      return { ok: await work(...args) };
    } catch (problem) {
      if (problem instanceof RangeError || problem instanceof WebAssembly.RuntimeError) return engineFailed;
      const { outcome } = problem as { outcome?: Outcome<never> };
      if (outcome) return outcome;
      throw problem;
    }
  };
}

const api: TrainingApi = {
  async start(wasm, mostThreads) {
    try {
      const spare = Math.max(1, (navigator.hardwareConcurrency || 1) - 1); // the page keeps a core for itself
      const { module, threads } = await loadModule(wasm, 'training', Math.min(GROUPS, spare, mostThreads));
      session = new module.Training(threads);
      return { ok: { threads } };
    } catch (reason) {
      if (await simd()) return filesMissing;
      return { error: 'no_engine', sentence: (reason as Error).message };
    }
  },
  begin: guarded(async (name, options) => {
    latest++;
    const plan: TrainingPlan = JSON.parse(value(session.begin(utf8(name), utf8(options))));
    done = 0;
    nSteps = plan.n_steps;
    return { plan, reading: read() };
  }),
  advance: guarded(async (until, stepsPerSecond, tell) => {
    try {
      await advance(until, stepsPerSecond, tell);
    } finally {
      (tell as Comlink.Remote<typeof tell>)[Comlink.releaseProxy](); // closes its port on both sides
    }
    return true as const;
  }),
  async pause() {
    latest++;
  },
};

Comlink.expose({ ...api, ...life });
