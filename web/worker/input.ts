// What a page asks to be run, checked before it goes to the core: Embind would bend a wrong type into a number.

import type { Outcome } from '../engine/protocol.ts';
import type { Edits, Input } from '../engine/types.ts';

const refused = (sentence: string) => ({ error: 'bad_argument', sentence });
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
const shown = (value: unknown) => `“${String(value).slice(0, 40)}”`;

/** The input as it is, or one sentence about what is wrong with it. */
export function checkedInput(input: unknown): Outcome<Input> {
  if (!isRecord(input)) return refused('A text or token ids were expected to run.');
  const { text, ids, edits } = input;
  if ((text === undefined) === (ids === undefined)) return refused('Either a text or token ids were expected to run, one of the two.');
  if (text !== undefined && typeof text !== 'string') return refused(`${shown(text)} is no text.`);
  if (ids !== undefined) {
    if (!Array.isArray(ids)) return refused('Token ids were expected as a list of whole numbers.');
    const wrong = ids.findIndex((id) => !isWhole(id));
    if (wrong >= 0) return refused(`${shown(ids[wrong])} is no token id; whole numbers from 0 were expected.`);
  }
  const problem = edits === undefined ? '' : problemOf(edits);
  return problem ? refused(problem) : { ok: input as unknown as Input };
}

const keys: readonly string[] = ['positions', 'seed', 'silenced', 'replaced'] satisfies (keyof Edits)[];

/** What is wrong with edits; empty when nothing is. What they mean for a model is the core's affair. */
function problemOf(edits: unknown): string {
  if (!isRecord(edits)) return `${shown(edits)} are no edits; an object was expected.`;
  const unknown = Object.keys(edits).find((key) => !keys.includes(key));
  if (unknown !== undefined) return `There is no edit ${shown(unknown)}; known are ${keys.join(', ')}.`;
  const { positions, seed, silenced, replaced } = edits;
  if (positions !== undefined && typeof positions !== 'string') return 'The positions of an edit are learned, none or shuffled.';
  if (seed !== undefined && !isWhole(seed)) return 'The seed of an edit is a whole number from 0.';
  for (const [name, list, places] of [['silenced', silenced, ['layer', 'head']], ['replaced', replaced, ['layer', 'head', 'row']]] as const) {
    if (list === undefined) continue;
    if (!Array.isArray(list)) return `The edit “${name}” is a list.`;
    if (!list.every((entry) => isRecord(entry) && places.every((place) => isWhole(entry[place])))) return `Each entry of the edit “${name}” has ${places.join(', ')}, whole numbers from 0.`;
  }
  const rows = (replaced ?? []) as Record<string, unknown>[];
  const finite = rows.every(({ shares }) => Array.isArray(shares) && shares.every((share) => typeof share === 'number' && Number.isFinite(Math.fround(share))));
  return finite ? '' : 'The shares of an edit are lists of finite numbers.';
}
