// position-table in words: title, the sentence for a screen reader, table.

import { decimalsAddingUp } from '../../marks/adding-up.ts';
import { fixed, ordinal } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Table } from '../definition.ts';
import { base } from '../head-views/input.ts';
import { tokenViews, type Seen } from '../model-text.ts';
import { leastAlike, mostAlike, rowOf, type Places, type Result, type State } from './work.ts';

/** As the reader counts. */
export function placeText(place: number): string {
  return ordinal(place, base());
}

export function sizesOf({ model }: Seen<Places>): { rows: number; width: number } {
  return { rows: model.config.n_positions, width: model.config.d_model };
}

/** The token at the picked place, "" where the text has none. */
export function tokenAt({ place }: State, { run }: Seen<Places>): string {
  return place < run.tokens.length ? tokenName(tokenViews(run.tokens.slice(place, place + 1))[0]!) : '';
}

export function noRow({ place }: State, result: Seen<Places>): string {
  const { rows } = sizesOf(result);
  return `There is no row for place ${placeText(place)}: the table has ${fixed(rows, 0)} rows, for places ${placeText(0)} to ${placeText(rows - 1)}`;
}

/** "its neighbours 6 and 4", "rows 5 and 18". */
function pairText([one, two]: readonly number[], place: number): string {
  const next = [one!, two!].every((at) => Math.abs(at - place) === 1);
  return `${next ? 'its neighbours' : 'rows'} ${placeText(one!)} and ${placeText(two!)}`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'The position table, waiting for a text that the model can read';
  const { cosines } = result.seen;
  const { place } = state;
  const { rows } = sizesOf(result);
  if (!cosines) return noRow(state, result);
  if (rows < 3) return `The position table has ${fixed(rows, 0)} rows; row ${placeText(place)} is picked`;
  const alike = mostAlike(cosines, place, 2);
  return `Row ${placeText(place)} of the position table is most like ${pairText(alike, place)}: ${alike.map((at) => fixed(cosines[at]!, 2)).join(' and ')}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const { cosines, sum } = result.seen;
  const { rows, width } = sizesOf(result);
  const sizes = `The table has ${fixed(rows, 0)} rows of ${fixed(width, 0)} numbers, one row for each place.`;
  if (!cosines) return `${sizes} ${noRow(state, result)}.`;
  const alike = mostAlike(cosines, state.place, 2).map((at) => `row ${placeText(at)} with a cosine of ${fixed(cosines[at]!, 2)}`);
  const least = leastAlike(cosines);
  const likeness = `Most like row ${placeText(state.place)}: ${alike.join(', ')}. Least like it: row ${placeText(least)} with ${fixed(cosines[least]!, 2)}.`;
  const token = tokenAt(state, result);
  const begins = sum ? `“${token}” stands at this place: ${spelledOut(state, result)}.` : 'The text has no token at this place.';
  return `${sizes} ${likeness} ${begins}`;
}

export function colOf({ col }: State, result: Seen<Places>): number {
  return Math.min(col, sizesOf(result).width - 1);
}

/** "number 0: 0.0312 + (−0.0123) = 0.0189". */
export function spelledOut(state: State, result: Seen<Places>): string {
  const at = colOf(state, result);
  const numbers = sumRows(state, result).map((row) => row[at]!);
  const decimals = decimalsAddingUp(numbers.slice(0, 2), numbers[2]!, [4, 5, 3, 6, 2]);
  const [token, place, start] = numbers.map((value) => fixed(value, decimals));
  return `number ${placeText(at)}: ${token} + ${place!.startsWith('−') ? `(${place})` : place} = ${start}`;
}

/** The token's row, the place's row, and both added. */
export function sumRows({ place }: State, result: Seen<Places>): readonly [Float32Array, Float32Array, Float32Array] {
  const { token, start } = result.seen.sum!;
  return [token, rowOf(result.seen, place, sizesOf(result).width), start];
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const { seen } = result;
  if (!seen.cosines) return { caption: `${noRow(state, result)}.`, columns: [], rows: [] };
  const { width } = sizesOf(result);
  const place = placeText(state.place);
  const row = rowOf(seen, state.place, width);
  if (!seen.sum) {
    return { caption: `Row ${place} of the position table`, columns: ['number', { label: `row ${place}`, as: 'fixed3' }], rows: Array.from(row, (value, at) => [placeText(at), value]) };
  }
  const { token, start } = seen.sum;
  return {
    caption: `“${tokenAt(state, result)}” at place ${place}: token row, position row, and both added`,
    columns: ['number', { label: 'token row', as: 'fixed3' }, { label: `row ${place}`, as: 'fixed3' }, { label: 'start', as: 'fixed3' }],
    rows: Array.from(row, (value, at) => [placeText(at), token[at]!, value, start[at]!]),
  };
}
