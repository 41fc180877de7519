// Times taken on the reader's machine: passes over texts of 8, 16, 32 … tokens up to the window, from nothing and with all
// but the last token kept. The tokens mean nothing: a pass takes as long over any.

import { withRun } from '../../engine/with-run.ts';
import { EngineError, type Engine, type ModelInfo, type Run } from '../../engine/types.ts';
import type { PriceOutput } from '../../engine/lessons-price.ts';
import type { Update } from '../definition.ts';

export interface Measured {
  /** Milliseconds of a pass from nothing. */
  whole: number;
  /** Of the last token alone, when the keys and values before it were kept; null where there is nothing before it. */
  next: number | null;
  /** What the engine keeps of the pass. Bytes. */
  trace_bytes: number;
}

export interface Price {
  model: ModelInfo;
  lengths: readonly number[];
  /** Counts and formulas for every length; with times for the measured ones once all are there. */
  counts: PriceOutput;
  /** As far as they were measured, in the order of the lengths. */
  measured: readonly Measured[];
  running: boolean;
  /** Why nothing can be measured, one sentence; else empty. */
  problem: string;
  /** What the core says about a text that is one token longer than the window; empty while the model arrives. */
  refusal: string;
  start(): void;
  stop(): void;
}

/** A pass is repeated at least so often, and until the times add up to this; a long one need not be repeated. */
const enough = { repeats: 4, most: 24, milliseconds: 24 };
const long = 100;

export async function beginPrice(engine: Engine, signal: AbortSignal, update: Update<Price>): Promise<Price> {
  const inUse = await engine.inUse({ signal });
  if (!inUse) throw new EngineError('no_model', 'No model is open, so there is nothing to measure.');
  let model: ModelInfo = inUse;
  const lengths = lengthsUpTo(model.config.n_positions);
  const { n_layers: layers, n_heads: heads, d_model, d_mlp } = model.config;
  const count = (milliseconds?: number[]) => engine.lesson('price', { layers, heads, d_model, d_mlp, tokens: lengths, ...(milliseconds ? { milliseconds } : {}) }, { signal });

  let counts = await count();
  let refusal = model.arriving ? '' : await refusalOf(engine, model, signal);
  let measured: Measured[] = [];
  let problem = '';
  let going: AbortController | null = null;

  const now = (): Price => ({ model, lengths, counts, measured, running: going !== null, problem, refusal, start, stop });
  const tell = (announced = false) => update(now(), announced);

  function stop() {
    going?.abort();
    going = null;
    tell(true);
  }

  function start() {
    going?.abort();
    const mine = (going = new AbortController());
    const either = AbortSignal.any([signal, mine.signal]);
    measured = [];
    problem = '';
    tell();
    measureAll(either)
      .catch((reason) => {
        if (!either.aborted) problem = (reason as Error).message;
      })
      .finally(() => {
        if (going !== mine || signal.aborted) return;
        going = null;
        tell(true);
      });
  }

  async function measureAll(either: AbortSignal) {
    for (const n of lengths) {
      const found = await measure(engine, model, n, either);
      if (either.aborted) return;
      measured = [...measured, found];
      if (measured.length === lengths.length) counts = await count(measured.map(({ whole }) => whole));
      tell();
    }
  }

  /** A model that still arrives answers as soon as it is whole. */
  function watchArrival() {
    const end = engine.onArrival(async (progress) => {
      if (progress) return;
      end();
      model = engine.model() ?? model;
      refusal = await refusalOf(engine, model, signal).catch(() => '');
      if (!signal.aborted) tell(true);
    });
    signal.addEventListener('abort', end);
  }

  if (model.arriving) watchArrival();
  // The little model takes a moment. A large one waits to be asked, as it keeps the machine busy for a while.
  else if (model.origin === 'little' && typeof document !== 'undefined') setTimeout(() => !signal.aborted && start());
  return now();
}

/** 8, 16, 32 … and the window. */
export function lengthsUpTo(window: number): number[] {
  const lengths: number[] = [];
  for (let n = 8; n < window; n *= 2) lengths.push(n);
  return [...lengths, window];
}

/** Any ids will do. Texts of different turns share no beginning, so nothing of one is kept for the other. */
let turn = 0;
function idsOf(n: number, vocabulary: number): number[] {
  turn++;
  return Array.from({ length: n }, (_, at) => (at === 0 ? turn : at) % vocabulary);
}

async function measure(engine: Engine, { config }: ModelInfo, n: number, signal: AbortSignal): Promise<Measured> {
  const fresh = () => ({ ids: idsOf(n, config.d_vocab) });
  // One piece of work, so that no other figure's text comes between.
  return withRun(engine, fresh(), signal, async (first) => {
    const whole = await timed(() => engine.run(fresh(), { signal }), first.milliseconds > long ? first : null);
    const before = idsOf(n - 1, config.d_vocab);
    let last = 0;
    const one = () => engine.run({ ids: [...before, last++ % config.d_vocab] }, { signal });
    if (n > 1) await one();
    return { whole, next: n > 1 ? await timed(one) : null, trace_bytes: first.trace_bytes };
  });
}

/**
 * The time of a pass: the mean of the faster half of a few. Clocks of browsers are coarse, so one short pass says little;
 * and what else the machine does only ever makes a pass slower.
 */
async function timed(pass: () => Promise<Run>, done: Run | null = null): Promise<number> {
  const times: number[] = done ? [done.milliseconds] : [];
  const sum = (some: readonly number[]) => some.reduce((all, time) => all + time, 0);
  const last = () => times.at(-1) ?? 0;
  while (last() <= long && (times.length < enough.repeats || (sum(times) < enough.milliseconds && times.length < enough.most))) {
    times.push((await pass()).milliseconds);
  }
  const faster = times.sort((a, b) => a - b).slice(0, Math.ceil(times.length / 2));
  return Math.max(sum(faster) / faster.length, 0.001);
}

/** One token more than the window: the core refuses before it computes anything. */
async function refusalOf(engine: Engine, { config }: ModelInfo, signal: AbortSignal): Promise<string> {
  try {
    await withRun(engine, { ids: idsOf(config.n_positions + 1, config.d_vocab) }, signal, async () => {});
    return '';
  } catch (problem) {
    if (problem instanceof EngineError && problem.code === 'window_full') return problem.message;
    throw problem;
  }
}
