// A start that takes long is told once, and taken back when it is over.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patience, watchStart } from '../../web/engine/late-start.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const watched = () => {
  let settle = { start: () => {}, fail: (_: Error) => {} };
  const told: boolean[] = [];
  watchStart(new Promise<void>((start, fail) => (settle = { start, fail })), (late) => told.push(late));
  return { told, settle: () => settle };
};

it('is silent about a start in time', async () => {
  const { told, settle } = watched();
  await vi.advanceTimersByTimeAsync(patience - 1);
  settle().start();
  await vi.advanceTimersByTimeAsync(10 * patience);
  expect(told).toEqual([]);
});

it.each([['comes', true], ['fails', false]])('tells that it is late, and no more when it %s', async (_, comes) => {
  const { told, settle } = watched();
  await vi.advanceTimersByTimeAsync(10 * patience);
  expect(told).toEqual([true]);
  if (comes) settle().start();
  else settle().fail(new Error('gone'));
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([true, false]);
});
