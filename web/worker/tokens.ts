// An input's tokens, made a bit at a time: between bits the worker looks at its messages, so a text of a megabyte, or a
// single word of that length, can be given up.

import type { Outcome } from '../engine/protocol.ts';
import type { Input, Token } from '../engine/types.ts';
import { breather, stopped } from './breathing.ts';
import type { Session } from './module.ts';

/** Bytes looked at and merges tried in one bit; some milliseconds. */
const WORK = 1 << 15;
/** Tokens that are looked up in one bit. */
const LOOKUPS = 1024;

/** At once where one bit is all. `givenUp` is asked between bits. */
export function tokensOf(session: Session, input: Input, givenUp: () => boolean): Outcome<Token[]> | Promise<Outcome<Token[]>> {
  const work = 'text' in input ? ofText(session, input.text) : ofIds(session, input.ids);
  const first = work.next();
  return first.done ? first.value : theRest(work, givenUp);
}

type Work = Generator<void, Outcome<Token[]>, undefined>;

async function theRest(work: Work, givenUp: () => boolean): Promise<Outcome<Token[]>> {
  const breath = breather();
  for (;;) {
    await breath();
    if (givenUp()) {
      work.return(stopped);
      return stopped;
    }
    const step = work.next();
    if (step.done) return step.value;
  }
}

function* ofText(session: Session, text: string): Work {
  const begun = session.beginText(new TextEncoder().encode(text));
  if (!('ok' in begun)) return begun;
  const number = begun.ok;
  try {
    for (;;) {
      const left = session.stepText(number, WORK);
      if (!('ok' in left)) return left;
      if (!left.ok) break;
      yield;
    }
    const tokens: Token[] = [];
    for (;;) {
      const found = session.textTokens(number, tokens.length, LOOKUPS) as Outcome<Token[]>;
      if (!('ok' in found)) return found;
      tokens.push(...found.ok);
      if (found.ok.length < LOOKUPS) return { ok: tokens };
      yield;
    }
  } finally {
    session.endText(number);
  }
}

function* ofIds(session: Session, ids: number[]): Work {
  const tokens: Token[] = [];
  for (const [word, id] of ids.entries()) {
    const token = session.token(id) as Outcome<Omit<Token, 'word'>>;
    if (!('ok' in token)) return token;
    tokens.push({ ...token.ok, word });
    if (word % LOOKUPS === LOOKUPS - 1) yield;
  }
  return { ok: tokens };
}
