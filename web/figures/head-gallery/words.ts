// head-gallery in words: what each score counts, title, the sentence for a screen reader, table. A score says where a head
// looked in this text; no word says what a head is for.

import type { LoadProgress } from '../../engine/types.ts';
import { counted } from '../../marks/model-label.ts';
import { fixed, megabytes, ordinal, share } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import { page } from '../../state/page.ts';
import type { Table } from '../definition.ts';
import { tokenViews } from '../model-text.ts';
import { headsOf, isWhole, openOf, sorted, type Head, type HeadAt, type Result, type Score, type Seen, type Sort, type State } from './work.ts';

export interface ScoreWords {
  /** On a button and over a column. */
  name: string;
  /** What is counted. */
  counts: string;
  /** Said of the head that comes first. */
  first: string;
  /** Why no head has it. */
  none: string;
}

const tooShort = 'The text is too short for that';
const noTwins = 'No token of this text has come before';

export const scoreWords: Record<Score, ScoreWords> = {
  previous: { name: 'Token before', counts: 'the share that a token gives to the one just before it, on average', first: 'looks hardest at the token before', none: tooShort },
  first: { name: 'First token', counts: 'the share that a token gives to the first of the text, on average from the fourth on', first: 'rests most on the first token', none: tooShort },
  same: { name: 'Same token', counts: 'the share that goes to earlier copies of the same token, on average over the tokens that have some', first: 'looks hardest at earlier copies of the same token', none: noTwins },
  induction: { name: 'Induction', counts: 'the share that goes to what followed an earlier copy of the same token, on average over the tokens that have such', first: 'looks hardest at what followed the same token before', none: noTwins },
  itself: { name: 'Itself', counts: 'the share that a token gives to itself, on average from the second on', first: 'looks hardest at the token itself', none: tooShort },
  entropy: { name: 'Spread', counts: 'how far a token’s shares are spread: their entropy in bits, on average. None is one token alone, and with each bit twice as many tokens share a look evenly', first: 'spreads its looks furthest', none: tooShort },
};

export const sortNames: Record<Sort, string> = {
  place: 'Layer by layer',
  ...(Object.fromEntries(Object.entries(scoreWords).map(([score, { name }]) => [score, name])) as Record<Score, string>),
};

/** As the reader counts; the compiled page counts from 0. */
export function base(): 0 | 1 {
  return typeof document === 'undefined' ? 0 : page().get().base;
}

/** "3.7" */
export function shortName({ layer, head }: HeadAt): string {
  return `${ordinal(layer, base())}.${ordinal(head, base())}`;
}

export function longName({ layer, head }: HeadAt): string {
  return `layer ${ordinal(layer, base())} head ${ordinal(head, base())}`;
}

/** "81 %", "1.83 bits"; a dash where the text has no such look. */
export function scoreText(score: Score, value: number | null): string {
  if (value === null) return '–';
  return score === 'entropy' ? `${fixed(value, 2)} bits` : share(value);
}

export function namesOf({ run }: Seen): string[] {
  return run ? tokenViews(run.tokens).map(tokenName) : [];
}

// ------------------------------------------------------------------------------------------------------------ title

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'All heads at once, waiting for a text that their model can read';
  const { sort } = state;
  const best = sorted(sort, result)[0];
  if (!best) return 'All heads at once, waiting for their model';
  const layers = layersThere(result);
  const there = isWhole(result) ? '' : `Of the ${counted(layers, 'layer')} that ${layers === 1 ? 'is' : 'are'} here: `;
  if (sort === 'place') return there + restingSentence(result);
  const value = best.scores[sort];
  if (value === null) return `${scoreWords[sort].none}, so no head can be sorted by it`;
  return there + leader(sort, best, value);
}

function leader(score: Score, head: Head, value: number): string {
  const name = longName(head);
  return `${name[0]!.toUpperCase()}${name.slice(1)} ${scoreWords[score].first}, with ${scoreText(score, value)} on average`;
}

/** How many heads leave more than half of a look on the first token. */
function restingSentence(seen: Seen): string {
  const heads = headsOf(seen);
  const all = counted(heads.length, 'head');
  if (heads[0]!.scores.first === null) return `The patterns of all ${all} on one text`;
  const resting = heads.filter(({ scores }) => scores.first! > 0.5).length;
  return `Of ${all}, ${resting === 0 ? 'none gives' : resting === 1 ? 'one gives' : `${resting} give`} the first token more than half, on average`;
}

// --------------------------------------------------------------------------------------------------------- sentences

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  if (layersThere(result) === 0) return waiting(result) ?? title(state, result);
  const leaders = (Object.keys(scoreWords) as Score[]).flatMap((score) => {
    const best = sorted(score, result)[0]!;
    const value = best.scores[score];
    return value === null ? [] : [`${leader(score, best, value)}.`];
  });
  const open = openOf(state, result);
  return [`${title(state, result)}.`, waiting(result), open && `Open is ${describeHead(open)}.`, state.sort === 'place' ? leaders.join(' ') : null].filter(Boolean).join(' ');
}

export function describeHead(head: Head): string {
  return `${longName(head)}: ${(Object.keys(scoreWords) as Score[]).map((score) => `${scoreWords[score].name.toLowerCase()} ${scoreText(score, head.scores[score])}`).join(', ')}`;
}

function layersThere({ layers }: Seen): number {
  return layers.filter((heads) => heads !== null).length;
}

/** What is not there yet; null when everything is. */
export function waiting(seen: Seen): string | null {
  if (isWhole(seen)) return null;
  const so = `${layersThere(seen)} of ${counted(seen.layers.length, 'layer')}`;
  if (!seen.progress) return `${so} have been worked out; of a text as long as this, the others are when they come into sight.`;
  return `${so} can be seen so far: ${bytesOf(seen.progress)} of the model have come.`;
}

function bytesOf({ done_bytes, total_bytes }: LoadProgress): string {
  return `${megabytes(done_bytes)} of ${megabytes(total_bytes)}`;
}

/** Where a square stands for several tokens. */
export function reduced({ block, run }: Seen): string | null {
  if (block === 1 || !run) return null;
  return `${counted(run.tokens.length, 'token')} are too many for grids of this size: a square stands for ${fixed(block, 0)} × ${fixed(block, 0)} pairs of tokens and shows the largest share among them.`;
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const scores = Object.keys(scoreWords) as Score[];
  return {
    caption: `What each of ${counted(headsOf(result).length, 'head')} mostly looks at in this text, mean shares, and how far its looks are spread, in bits`,
    columns: ['layer', 'head', ...scores.map((score) => ({ label: scoreWords[score].name.toLowerCase(), as: score === 'entropy' ? ('score' as const) : ('share' as const) }))],
    rows: sorted(state.sort, result).map((head) => [ordinal(head.layer, base()), ordinal(head.head, base()), ...scores.map((score) => head.scores[score])]),
  };
}
