// An input's tokens. A long text is cut into stretches, each tokenised by itself, and between them the worker looks at its
// messages: a text of a megabyte can be given up.

import type { Outcome } from '../engine/protocol.ts';
import type { Input, Token } from '../engine/types.ts';
import { breather, stopped } from './breathing.ts';
import type { Session } from './module.ts';

/** Code units of a stretch, at least; where a text has no white space, all of it is one stretch. */
const STRETCH = 4096;
/** Ids that are looked up at once. */
const IDS = 1024;

/**
 * Where a stretch from `begin` ends: before white space that follows a letter, a digit or a sign. No word of core/text's
 * words.hpp reaches over such a place and none before it looks beyond it, so the stretches have the text's own tokens.
 */
export function stretchEnd(text: string, begin: number): number {
  for (let at = begin + STRETCH; at < text.length; at++) {
    if ((text[at] === ' ' || text[at] === '\n') && /[\p{L}\p{N}\p{P}]/u.test(text[at - 1]!)) return at;
  }
  return text.length;
}

/** At once where one stretch is all. `givenUp` is asked between stretches. */
export function tokensOf(session: Session, input: Input, givenUp: () => boolean): Outcome<Token[]> | Promise<Outcome<Token[]>> {
  const work = 'text' in input ? ofText(session, input.text) : ofIds(session, input.ids);
  const first = work.next();
  return first.done ? first.value : theRest(work, givenUp);
}

type Work = Generator<void, Outcome<Token[]>>;

async function theRest(work: Work, givenUp: () => boolean): Promise<Outcome<Token[]>> {
  const breath = breather();
  for (;;) {
    await breath();
    if (givenUp()) return stopped;
    const step = work.next();
    if (step.done) return step.value;
  }
}

function* ofText(session: Session, text: string): Work {
  const tokens: Token[] = [];
  for (let begin = 0, words = 0; ; ) {
    const end = stretchEnd(text, begin);
    const found = session.tokenize(new TextEncoder().encode(text.slice(begin, end))) as Outcome<Token[]>;
    if (!('ok' in found)) return found;
    for (const token of found.ok) tokens.push({ ...token, word: words + token.word });
    if (end === text.length) return { ok: tokens };
    words = (tokens.at(-1)?.word ?? -1) + 1;
    begin = end;
    yield;
  }
}

function* ofIds(session: Session, ids: number[]): Work {
  const tokens: Token[] = [];
  for (const [word, id] of ids.entries()) {
    const token = session.token(id) as Outcome<Omit<Token, 'word'>>;
    if (!('ok' in token)) return token;
    tokens.push({ ...token.ok, word });
    if (word % IDS === IDS - 1) yield;
  }
  return { ok: tokens };
}
