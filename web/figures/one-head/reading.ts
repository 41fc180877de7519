// Reads one-head's grids: what stands in a cell, in which ink, under which name. Everything that shows or says a number
// of a stage asks here.

import type { Token } from '../../engine/types.ts';
import { maskedInk, scoreExtent, scoreInk, shareInk, type Ink } from '../../marks/ink.ts';
import { fixed, ordinal, score, share } from '../../marks/number.ts';
import { tokenName, type TokenView } from '../../marks/token.ts';
import { isHidden, stageWords, type Stage } from './stages.ts';
import type { Seen } from './work.ts';

type Base = 0 | 1;

/** A model without vocabulary knows its tokens by their ids. */
export function tokensOf(tokens: readonly Token[]): TokenView[] {
  return tokens.map(({ id, pieces, word }) => ({ pieces: pieces.length > 0 ? pieces : [{ kind: 'text', shown: String(id) }], word }));
}

export function namesOf(seen: Seen): string[] {
  return tokensOf(seen.run.tokens).map(tokenName);
}

/** Where a token stands, for names that occur more than once: " (13)", else "". */
export function placeIfNeeded(names: readonly string[], at: number, base: Base): string {
  return names.indexOf(names[at]!) === names.lastIndexOf(names[at]!) ? '' : ` (${ordinal(at, base)})`;
}

const nothing = new Float32Array(0);

/** The numbers of a stage, row-major. What a head writes is only asked for where it is there. */
export function gridOf({ grids }: Seen, stage: Stage): Float32Array {
  return { raw: grids.raw, scaled: grids.scaled, masked: grids.scaled, shares: grids.pattern, blend: grids.z, output: grids.output ?? nothing }[stage];
}

/** null where the mask hides it. */
export function valueAt(seen: Seen, stage: Stage, row: number, column: number): number | null {
  if (isHidden(stage, row, column)) return null;
  return gridOf(seen, stage)[row * stageWords[stage].shape(seen.sizes)[1] + column]!;
}

/** The size at both ends of a stage's scale. Masked scores keep the inks that they had before the mask. */
export function extentOf(seen: Seen, stage: Stage): number {
  return scoreExtent(gridOf(seen, stage));
}

/** What a cell shows; `extent` is that of the stage. */
export function cellOf(seen: Seen, stage: Stage, extent: number, row: number, column: number): { ink: Ink; text: string } {
  const value = valueAt(seen, stage, row, column);
  if (value === null) return { ink: maskedInk, text: '' };
  const text = shortNumber(stage, value);
  return stage === 'shares' ? { ink: shareInk(value), text } : { ink: scoreInk(value, extent), text };
}

/** As short as a cell needs it. */
function shortNumber(stage: Stage, value: number): string {
  if (stage === 'shares') return share(value);
  const size = Math.abs(value);
  return size < 9.995 ? score(value) : fixed(value, size < 99.95 ? 1 : 0);
}

export function valueText(stage: Stage, value: number | null): string {
  if (value === null) return 'hidden';
  if (stage === 'shares') return share(value);
  return stage === 'blend' || stage === 'output' ? fixed(value, 3) : score(value);
}

/** "from “to” to “Mary”: 36 %" */
export function cellName(seen: Seen, names: readonly string[], stage: Stage, base: Base, row: number, column: number): string {
  const value = valueText(stage, valueAt(seen, stage, row, column));
  if (stageWords[stage].square) return `from “${names[row]}” to “${names[column]}”: ${value}`;
  return `“${names[row]}”, number ${ordinal(column, base)}: ${value}`;
}

/** The columns of a row in sight, largest number first; of equals the earlier. `by` is what counts as large. */
export function ranked(seen: Seen, stage: Stage, row: number, by: (value: number) => number = (value) => value): number[] {
  const columns = stageWords[stage].shape(seen.sizes)[1];
  const found: { column: number; size: number }[] = [];
  for (let column = 0; column < columns; column++) {
    const value = valueAt(seen, stage, row, column);
    if (value !== null) found.push({ column, size: by(value) });
  }
  return found.sort((a, b) => b.size - a.size || a.column - b.column).map(({ column }) => column);
}

/** The length of a row of numbers, for a first look at rows too long to read. */
export function lengthOf(seen: Seen, stage: Stage, row: number): number {
  const columns = stageWords[stage].shape(seen.sizes)[1];
  let squares = 0;
  for (let column = 0; column < columns; column++) squares += (valueAt(seen, stage, row, column) ?? 0) ** 2;
  return Math.sqrt(squares);
}
