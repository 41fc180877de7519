// The trace as a file, put together in the worker: in order, given up when nobody wants it, refused where it is too large.

import { expect, it } from 'vitest';
import type { Session } from '../../web/worker/module.ts';
import { savedTrace } from '../../web/worker/saved-trace.ts';

const floats = (n: number, value: number) => new Float32Array(n).fill(value);

/** Pieces of a million numbers, so that several parts are handed over. */
function sessionWith(pieces: Record<string, Float32Array>, bytes = 8): { session: Session; asked: string[] } {
  const asked: string[] = [];
  const session = {
    planTrace: () => ({ ok: { header: new Uint8Array([1, 2, 3]), pieces: Object.keys(pieces), bytes } }),
    activation: (name: Uint8Array) => {
      asked.push(new TextDecoder().decode(name));
      const data = pieces[asked.at(-1)!];
      return data ? { ok: { data } } : { error: 'not_yet', sentence: 'It has not come yet.' };
    },
  };
  return { session: session as unknown as Session, asked };
}
const pieces = { first: floats(1.5e6, 1), second: floats(2, 2), third: floats(1.5e6, 3) };

it('lays header and pieces end to end', async () => {
  const made = await savedTrace(sessionWith(pieces).session, () => null);
  if (!('ok' in made)) throw new Error(made.sentence);
  const bytes = await made.ok.arrayBuffer();
  expect(bytes.byteLength).toBe(3 + 4 * (3e6 + 2));
  expect([...new Uint8Array(bytes, 0, 3)]).toEqual([1, 2, 3]);
  const numbers = new Float32Array(bytes.slice(3));
  expect([numbers[0], numbers[1.5e6 - 1], numbers[1.5e6], numbers[1.5e6 + 1], numbers[1.5e6 + 2], numbers.at(-1)]).toEqual([1, 1, 2, 2, 3, 3]);
});

it('asks for nothing more once it is not wanted', async () => {
  const { session, asked } = sessionWith(pieces);
  const stale = { error: 'stale', sentence: 'The text has changed since; ask again.' };
  expect(await savedTrace(session, () => (asked.length > 1 ? stale : null))).toEqual(stale);
  expect(asked).toEqual(['first', 'second']);
});

it('refuses in one sentence what would not fit, before anything is worked out', async () => {
  const { session, asked } = sessionWith(pieces, 925e6);
  expect(await savedTrace(session, () => null)).toEqual({
    error: 'out_of_memory',
    sentence: 'The trace of this text has 925 MB, more than the 256 MB that a page puts together; the program saves it (lookback inside --save-trace), and that of a shorter text fits.',
  });
  expect(asked).toEqual([]);
});

it('says what has not come', async () => {
  const { session } = sessionWith({ first: pieces.first, gone: undefined as never });
  expect(await savedTrace(session, () => null)).toEqual({ error: 'not_yet', sentence: 'It has not come yet.' });
});
