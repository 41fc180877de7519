// A text becomes tokens a bit at a time, and can be given up between bits, whatever its words.

import { expect, it } from 'vitest';
import type { Session } from '../../web/worker/module.ts';
import { tokensOf } from '../../web/worker/tokens.ts';

/** A session that takes so many bits for a text of so many tokens. */
function sessionOf(bits: number, count: number) {
  const calls: string[] = [];
  let done = 0;
  const session = {
    beginText: () => ({ ok: 7 }),
    stepText: () => (calls.push('step'), { ok: ++done < bits }),
    textTokens: (_: number, first: number, most: number) => (calls.push('tokens'), { ok: Array.from({ length: Math.min(most, count - first) }, (_, at) => ({ id: first + at })) }),
    endText: (number: number) => calls.push(`end ${number}`),
  };
  return { session: session as unknown as Session, calls };
}

it('a short text at once', () => {
  const { session, calls } = sessionOf(1, 3);
  expect(tokensOf(session, { text: 'abc' }, () => false)).toEqual({ ok: [{ id: 0 }, { id: 1 }, { id: 2 }] });
  expect(calls).toEqual(['step', 'tokens', 'end 7']);
});

it('a long one in bits, all of its tokens', async () => {
  const { session, calls } = sessionOf(5, 3000);
  const made = await tokensOf(session, { text: 'long' }, () => false);
  expect('ok' in made && made.ok.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, at) => at));
  expect(calls).toEqual([...Array(5).fill('step'), 'tokens', 'tokens', 'tokens', 'end 7']);
});

it('given up, it is let go', async () => {
  const { session, calls } = sessionOf(1e9, 3000);
  const made = tokensOf(session, { text: 'long' }, () => calls.length > 3);
  expect(await made).toEqual({ error: 'cancelled', sentence: 'The work was stopped.' });
  expect(calls.at(-1)).toBe('end 7');
  expect(calls.length).toBeLessThan(7);
});
