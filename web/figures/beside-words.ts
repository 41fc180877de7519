// In what two copies of a figure differ, in one sentence made of their states.

import { ordinal } from '../marks/number.ts';
import type { Schema } from '../state/schema.ts';

/** What the keys of figures that read a text are called; any other belongs to how it is shown. */
const names: Record<string, string> = {
  text: 'the text', ids: 'the text',
  one: 'the first text', oneids: 'the first text',
  two: 'the second text', twoids: 'the second text',
  layer: 'the layer', head: 'the head', heads: 'the heads',
  from: 'the token that looks', to: 'the token looked at',
  position: 'the token', token: 'the token', place: 'the place', first: 'the first token', second: 'the second token',
  target: 'the word that is followed', positions: 'the positions', seed: 'the seed',
  stage: 'the stage', view: 'the view', sort: 'the order', done: 'the layers done', layers: 'the layers done', neuron: 'the neuron', row: 'the open cell', col: 'the open cell',
  temperature: 'the temperature', topk: 'how many may be drawn', topp: 'how many may be drawn',
};
const otherName = 'what is open';
/** Follows what is done; it is not what a reader compares. */
const silent = ['model'];
/** Places that are counted as the reader counts. */
const counted = ['layer', 'head'];

export function besideSentence<S>(schema: Schema<S>, first: S, second: S, base: 0 | 1): string {
  const keys = (Object.keys(schema) as (keyof S & string)[]).filter((key) => !silent.includes(key) && schema[key].format(first[key]) !== schema[key].format(second[key]));
  const values = (key: keyof S & string) => (counted.includes(key) ? ` (${ordinal(first[key] as number, base)} and ${ordinal(second[key] as number, base)})` : '');
  const parts = [...new Set(keys.map((key) => (names[key] ?? otherName) + values(key)))];
  if (parts.length === 0) return 'A and B are equal so far; change one of them.';
  const list = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `A and B differ in ${list}; all else is the same.`;
}
