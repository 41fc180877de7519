// head-finder in words: title, the sentence for a screen reader, table.

import { counted } from '../../marks/model-label.ts';
import { ordinal, share } from '../../marks/number.ts';
import type { Table } from '../definition.ts';
import { tokenName } from '../../marks/token.ts';
import { base } from '../head-views/input.ts';
import { headName } from '../head-views/words.ts';
import { placeIfNeeded, tokensOf } from '../one-head/reading.ts';
import { pickedOf, ranked, rowOf, type Recorded, type Result, type Seen, type State } from './work.ts';

export function namesOf(seen: Seen): string[] {
  return tokensOf(seen.run.tokens).map(tokenName);
}

export function title(_state: State, result: Result): string {
  if (result.kind === 'refused') return 'Which head looks hardest, waiting for a text that the model can read';
  if (result.kind === 'recorded') return recordedTitle(result);
  const best = ranked(result)[0]!;
  return `From ${pair(result)}, ${headName(best)} looks hardest, with ${share(best.share)}`;
}

function recordedTitle({ layer, share: value }: Recorded): string {
  return `Recorded from GPT-2 small: the head of layer ${ordinal(layer, base())} that looks hardest from “of” to “Paris” gives it ${share(value)}`;
}

export function pair(seen: Seen): string {
  const names = namesOf(seen);
  const { from, to } = seen;
  return from === to ? `“${names[from]}” to itself` : `“${names[from]}” to “${names[to]}”${placeIfNeeded(names, to, base())}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  if (result.kind === 'recorded') return `${recordedTitle(result)}.`;
  const [, ...next] = ranked(result).slice(0, 3);
  const then = next.map((head) => `${headName(head)} with ${share(head.share)}`).join(' and ');
  return `${title(state, result)}.${then === '' ? '' : ` Then come ${then}.`} ${says(state, result)}`;
}

/** What else the head that is picked looks at. */
export function says(state: State, seen: Seen): string {
  const picked = pickedOf(state, seen);
  const row = rowOf(seen, picked);
  const names = namesOf(seen);
  const most = row.reduce((best, value, at) => (value > row[best]! ? at : best), 0);
  const name = headName(picked);
  const to = seen.to === seen.from ? 'itself' : `“${names[seen.to]}”${placeIfNeeded(names, seen.to, base())}`;
  if (most === seen.to) return `In ${name} “${names[seen.from]}” gives no token more than ${to}.`;
  const other = most === seen.from ? 'itself' : `“${names[most]}”${placeIfNeeded(names, most, base())}`;
  return `In ${name} “${names[seen.from]}” gives more to ${other}: ${share(row[most]!)}.`;
}

export function table(_state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  if (result.kind === 'recorded') {
    return { caption: `${recordedTitle(result)}.`, columns: ['layer', { label: 'largest share', as: 'share' }], rows: [[ordinal(result.layer, base()), result.share]] };
  }
  return {
    caption: `The share from ${pair(result)} in all of ${counted(result.heads.length, 'head')}, hardest first`,
    columns: ['layer', 'head', { label: 'share', as: 'share' }],
    rows: ranked(result).map(({ layer, head, share: value }) => [ordinal(layer, base()), ordinal(head, base()), value]),
  };
}
