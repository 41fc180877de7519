// Passes of a worker over a session whose model arrives: shown as soon as there is something to see, held where something
// is missing, and given up when a newer text or a cancel says so.

import { describe, expect, it, vi } from 'vitest';
import type { Session } from '../../web/worker/module.ts';
import { type Arrival, passesOf } from '../../web/worker/passes.ts';

const not_yet = { error: 'not_yet', sentence: 'It has not come.' };
const never = () => false;

/** A session of `layers` steps; what has come is counted in steps, −1: not even the tokens. */
function arriving(layers: number) {
  const state = { came: -1, done: 0, begun: [] as string[], wanted: 0, reached: 0, abandoned: 0 };
  let ring = () => {};
  let rung = new Promise<void>((resolve) => (ring = resolve));
  const arrival: Arrival = { more: () => rung, reached: () => (state.reached = state.done), wantRows: () => state.wanted++ };
  const session = {
    token: (id: number) => ({ ok: { id, pieces: [] } }),
    beginPass(ids: number[]) {
      if (state.came < 0) return not_yet;
      state.begun.push(ids.join());
      state.done = 0;
      return { ok: layers };
    },
    step() {
      if (state.done === layers) return { ok: false };
      if (state.done >= state.came) return not_yet;
      return { ok: ++state.done < layers };
    },
    layersBegun: () => state.done,
    abandon: () => state.abandoned++,
    traceBytes: () => 8,
  } as unknown as Session;
  const more = (came: number) => {
    state.came = came;
    ring();
    rung = new Promise<void>((resolve) => (ring = resolve));
  };
  return { state, session, passes: passesOf(session, () => (state.came < layers ? arrival : null)), more };
}

/** What has settled after a while. */
async function settled<T>(promise: Promise<T>): Promise<T | 'waits'> {
  return Promise.race([promise, new Promise<'waits'>((resolve) => setTimeout(resolve, 60, 'waits'))]);
}

describe('a pass over a model that arrives', () => {
  it('waits for its tokens, and says so', async () => {
    const { passes, state, more } = arriving(3);
    const run = passes.run({ ids: [1, 2] }, never);
    expect(await settled(run)).toBe('waits');
    expect(state.wanted).toBe(1);
    more(0);
    expect(await settled(run)).toBe('waits');
    more(1);
    expect(await run).toMatchObject({ ok: { trace_bytes: 8 } });
    expect(state.begun).toEqual(['1,2']);
  });

  it('is shown from its first layer on, and goes on by itself to the end', async () => {
    const { passes, state, more } = arriving(3);
    more(1);
    const run = await passes.run({ ids: [5] }, never);
    if (!('ok' in run)) throw new Error(run.sentence);
    expect(passes.stale(run.ok.pass)).toBeNull();
    expect(state.done).toBe(1);
    more(2);
    await vi.waitFor(() => expect(state.done).toBe(2));
    expect(state.reached).toBe(2); // who waits for a layer hears of it, though nothing more comes
    expect(await settled(passes.ended())).toBe('waits');
    more(3);
    await passes.ended();
    expect(state.done).toBe(3);
    expect(passes.stale(run.ok.pass)).toBeNull();
  });

  it('gives way to a newer one, which alone may be asked about', async () => {
    const { passes, more } = arriving(2);
    more(1);
    const first = await passes.run({ ids: [1] }, never);
    const second = passes.run({ ids: [2] }, never);
    const third = await passes.run({ ids: [3] }, never);
    expect(await second).toMatchObject({ error: 'cancelled' });
    if (!('ok' in first) || !('ok' in third)) throw new Error('A pass was refused.');
    expect(passes.stale(first.ok.pass)).toMatchObject({ error: 'stale' });
    expect(passes.stale(third.ok.pass)).toBeNull();
    expect(third.ok.pass).toBeGreaterThan(first.ok.pass);
  });

  it('is not begun when it is cancelled, or a newer one has come, before the messages were looked at', async () => {
    const { passes, state, more } = arriving(1);
    more(1);
    let cancelled = false;
    const givenUp = passes.run({ ids: [1] }, () => cancelled);
    cancelled = true;
    expect(await givenUp).toMatchObject({ error: 'cancelled' });
    const [overtaken, last] = await Promise.all([passes.run({ ids: [2] }, never), passes.run({ ids: [3] }, never)]);
    expect(overtaken).toMatchObject({ error: 'cancelled' });
    expect(last).toHaveProperty('ok');
    expect(state.begun).toEqual(['3']);
  });

  it('ends when it is cancelled before it is shown, and not afterwards', async () => {
    const { passes, state, more } = arriving(3);
    let cancelled = false;
    more(0);
    const run = passes.run({ ids: [1] }, () => cancelled);
    await vi.waitFor(() => expect(state.begun).toHaveLength(1));
    cancelled = true;
    more(0);
    expect(await run).toMatchObject({ error: 'cancelled' });
    expect(state.abandoned).toBe(1);
    more(1);
    cancelled = false;
    const shown = await passes.run({ ids: [1] }, () => cancelled);
    cancelled = true;
    more(3);
    await passes.ended();
    expect(shown).toHaveProperty('ok');
    expect(state.done).toBe(3);
  });

  it('reports what the core refuses, and takes no number of another worker for its own', async () => {
    const { passes, session } = arriving(2);
    Object.assign(session, { beginPass: () => ({ error: 'window_full', sentence: 'Too long.' }) });
    expect(await passes.run({ ids: [1] }, never)).toEqual({ error: 'window_full', sentence: 'Too long.' });
    expect(passes.stale(1)).toMatchObject({ error: 'stale' });
    const other = arriving(1);
    other.more(1);
    const run = await other.passes.run({ ids: [1] }, never);
    expect('ok' in run && passes.stale(run.ok.pass)).toMatchObject({ error: 'stale' });
  });
});
