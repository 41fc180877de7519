// The trainings' client, with a worker that is played here: what it is asked, when it rests, and how it ends.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error Its types stand beside comlink.js; this is the file that the client itself imports.
import * as Comlink from '../../web/node_modules/comlink/dist/esm/comlink.mjs';
import { startTraining } from '../../web/engine/training.ts';
import type { TrainingApi, TrainingNews } from '../../web/engine/training-protocol.ts';
import type { Training } from '../../web/engine/training-types.ts';

const plan = { n_steps: 100 } as Training['plan'];
const news = (from: number, count: number): TrainingNews => ({ losses: Float32Array.from({ length: count }, (_, at) => from + at), readings: [], ledge: null });

/** A worker on the other side of a channel. An advance ends when the test says so, or when it is paused. */
class PlayedWorker {
  static latest: PlayedWorker;
  asked: string[] = [];
  ended = false;
  done = 0;
  end: (() => void) | null = null;
  channel = new MessageChannel();
  listeners = new Map<string, (event: object) => void>();

  constructor() {
    PlayedWorker.latest = this;
    const api: TrainingApi = {
      start: async () => ({ ok: { threads: 1 } }),
      begin: async (name, options) => {
        this.asked.push(`begin ${name} ${options}`);
        if (options.includes('"seed":13')) return { error: 'bad_argument', sentence: 'No thirteens.' };
        return { ok: { plan, reading: { step: 0 } as never } };
      },
      advance: async (until, _speed, tell) => {
        this.asked.push(`advance ${until}`);
        await tell(news(this.done, 5));
        this.done += 5;
        await new Promise<void>((end) => (this.end = end));
        return { ok: true };
      },
      pause: async () => {
        this.asked.push('pause');
        this.end?.();
      },
    };
    Comlink.expose(api, this.channel.port2 as never);
    this.channel.port1.start();
    this.channel.port2.start();
  }
  postMessage(message: unknown, transfer: never[]) {
    if (!this.ended) this.channel.port1.postMessage(message, transfer);
  }
  addEventListener(type: string, listener: (event: object) => void) {
    if (type === 'message') this.channel.port1.addEventListener('message', listener as never);
    else this.listeners.set(type, listener);
  }
  removeEventListener(_type: string, listener: (event: object) => void) {
    this.channel.port1.removeEventListener('message', listener as never);
  }
  terminate() {
    this.ended = true;
    this.channel.port1.close();
  }
}

const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
function turnTab(state: 'visible' | 'hidden') {
  tab.visibilityState = state;
  tab.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  Object.assign(globalThis, { Worker: PlayedWorker, document: tab });
  tab.visibilityState = 'visible';
});
afterEach(() => {
  PlayedWorker.latest.terminate();
  delete (globalThis as { document?: unknown }).document;
});

const places = { worker: 'w', wasm: 'wasm/' };
const begin = (options = {}, call = {}) => startTraining(places, 'repeats', options, call);
const worker = () => PlayedWorker.latest;
const soon = (check: () => void) => expect.poll(() => (check(), true), { timeout: 2000 }).toBe(true);
/** Enough turns for any message that is on its way. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('a training', () => {
  it('begins with its options, runs, and tells what happened', async () => {
    let told = 0;
    const training = await begin({ seed: 4, repeated: false }, { onProgress: () => told++ });
    expect(worker().asked).toEqual(['begin repeats {"seed":4,"repeated":false}']);
    expect([training.status, training.losses.length, training.readings.length]).toEqual(['ready', 0, 1]);
    training.run();
    await soon(() => expect([...training.losses]).toEqual([0, 1, 2, 3, 4]));
    expect(training.status).toBe('running');
    expect(told).toBeGreaterThanOrEqual(2);
    training.run(); // one at a time
    training.pause();
    training.pause();
    await soon(() => expect(training.status).toBe('paused'));
    expect(worker().asked.slice(1)).toEqual(['advance 100', 'pause']);
  });

  it('steps to the next reading', async () => {
    const training = await begin();
    training.step();
    await soon(() => expect(worker().end).not.toBeNull());
    worker().end!();
    await soon(() => expect(training.status).toBe('paused'));
    training.step(); // 5 steps are done
    await soon(() => expect(worker().asked.slice(1)).toEqual(['advance 20', 'advance 20']));
  });

  it('rests while its tab is hidden and goes on afterwards, unless it was paused', async () => {
    const training = await begin();
    training.run();
    await soon(() => expect(training.losses.length).toBe(5));
    turnTab('hidden');
    await soon(() => expect(training.status).toBe('paused'));
    turnTab('visible');
    await soon(() => expect(training.losses.length).toBe(10));
    turnTab('hidden');
    turnTab('visible'); // before the worker has heard of it
    await soon(() => expect(training.losses.length).toBe(15));
    expect(training.status).toBe('running');
    turnTab('hidden');
    training.pause();
    turnTab('visible');
    await settled();
    expect(training.status).toBe('paused');
    expect(training.losses.length).toBe(15);
  });

  it('waits with a run that is asked for in a hidden tab', async () => {
    const training = await begin();
    tab.visibilityState = 'hidden';
    training.run();
    await settled();
    expect(training.status).toBe('ready');
    turnTab('visible');
    await soon(() => expect(training.losses.length).toBe(5));
  });

  it('ends with its signal, without another word', async () => {
    const control = new AbortController();
    let told = 0;
    const training = await begin({}, { signal: control.signal, onProgress: () => told++ });
    training.run();
    await soon(() => expect(training.losses.length).toBe(5));
    const before = told;
    control.abort();
    expect(worker().ended).toBe(true);
    turnTab('hidden');
    turnTab('visible');
    await settled();
    expect(told).toBe(before);
    await expect(begin({}, { signal: control.signal })).rejects.toThrow();
  });

  it('says why it cannot begin, and leaves no worker behind', async () => {
    await expect(begin({ seed: 13 })).rejects.toThrow('No thirteens.');
    expect(worker().ended).toBe(true);
  });

  it('keeps what was recorded when its worker dies', async () => {
    const training = await begin();
    training.run();
    await soon(() => expect(training.losses.length).toBe(5));
    worker().listeners.get('error')!({ preventDefault() {} });
    await soon(() => expect(training.status).toBe('lost'));
    expect(training.problem).toContain('Restart begins again');
    expect(training.losses.length).toBe(5);
  });
});
