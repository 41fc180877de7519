// one-head in words: its title, the sentence for a screen reader, and its table.

import { spelled } from '../../marks/lowered.ts';
import { fixed, megabytes, ordinal } from '../../marks/number.ts';
import { page } from '../../state/page.ts';
import type { Column, Table } from '../definition.ts';
import { namesOf, ranked, valueAt, valueText } from './reading.ts';
import { stageNames, stageWords, type Stage } from './stages.ts';
import { placeOf, type Awaited, type Result, type Seen, type State } from './work.ts';

/** Tables beyond this many cells hold one row. */
const mostCells = 20_000;

/** As the reader counts; the compiled page counts from 0. */
function base(): 0 | 1 {
  return typeof document === 'undefined' ? 0 : page().get().base;
}

/** The row that is spoken of when none is picked: the last, which sees all. */
export function rowOf({ row }: State, seen: Seen): number {
  return row >= 0 && row < seen.sizes.n ? row : seen.sizes.n - 1;
}

/** Bytes of the model that are there, and what they come to when the figure can show what is asked for. */
export function awaitedBytes({ layer, progress }: Awaited): { done: number; all: number } {
  const { done_bytes: done, tokens_at, layers_at } = progress;
  // A text whose tokens are awaited is seen from the first layer on.
  const all = layer === null ? Math.max(tokens_at, layers_at[0] ?? 0) : (layers_at[layer] ?? progress.total_bytes);
  return { done, all: Math.max(done, all, 1) };
}

/** "Layer 4 has not come yet: 31 of 124 MB." */
export function awaitedSentence(result: Awaited): string {
  const { done, all } = awaitedBytes(result);
  const what = result.layer === null ? 'The table with the tokens of this text' : `Layer ${ordinal(result.layer, base())}`;
  return `${what} has not come yet: ${megabytes(done)} of ${megabytes(all)}.`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'One head, waiting for a text that its model can read';
  if (result.kind === 'awaited') return 'One head, waiting for its model';
  return `${where(result)}, ${statement(state, result)}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  if (result.kind === 'awaited') return awaitedSentence(result);
  const { stage } = state;
  return `${where(result)}, ${statement(state, result)}. ${spelled(stageWords[stage].says(result.sizes))}`;
}

function where({ layer, head }: Seen): string {
  return `In layer ${ordinal(layer, base())} head ${ordinal(head, base())}`;
}

const verbs: Record<Stage, (from: string, to: string, value: string) => string> = {
  raw: (from, to, value) => `“${from}” scores “${to}” ${value}`,
  scaled: (from, to, value) => `“${from}” scores “${to}” ${value} after the division`,
  masked: (from, to, value) => (value === 'hidden' ? `“${to}” is hidden from “${from}”` : `“${from}” scores “${to}” ${value}`),
  shares: (from, to, value) => (value === 'hidden' ? `“${from}” gives nothing to “${to}”, which is hidden` : `“${from}” gives ${value} to “${to}”`),
  blend: (from, to, value) => `number ${to} of the blend of “${from}” is ${value}`,
  output: (from, to, value) => `what is added to number ${to} of “${from}” is ${value}`,
};

function statement(state: State, seen: Seen): string {
  const { stage } = state;
  const names = namesOf(seen);
  const place = placeOf(state, seen.sizes);
  const row = rowOf(state, seen);
  const from = names[row]!;
  if (!place && stage === 'blend') return `shares blend the values into ${seen.sizes.d_head} numbers for each of ${seen.sizes.n} tokens`;
  if (!place && stage === 'output') return `${seen.sizes.d_model} numbers are added to each of ${seen.sizes.n} tokens`;
  const column = place ? place[1] : ranked(seen, stage, row)[0]!;
  const to = stageWords[stage].square ? names[column]! : ordinal(column, base());
  const value = valueText(stage, valueAt(seen, stage, row, column));
  if (place) return verbs[stage](from, to, value);
  return stage === 'shares' ? `“${from}” looks most at “${to}”, with ${value}` : `“${from}” scores “${to}” highest, ${value}`;
}

// -------------------------------------------------------------------------------------------------------------- table

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  if (result.kind === 'awaited') return { caption: awaitedSentence(result), columns: [], rows: [] };
  const { stage } = state;
  const names = namesOf(result);
  const words = stageWords[stage];
  const [rows, columns] = words.shape(result.sizes);
  const caption = `${where(result)}, stage ${stageNames.indexOf(stage) + 1}: ${words.holds(result.sizes)}`;
  const as = stage === 'shares' ? 'share' : words.square ? 'score' : 'fixed3';
  const heading = (column: number) => (words.square ? `${ordinal(column, base())} ${names[column]}` : ordinal(column, base()));
  if (rows * columns > mostCells) {
    const row = rowOf(state, result);
    return {
      caption: `${caption}; the row of “${names[row]}” (place ${ordinal(row, base())}), as the whole grid has ${fixed(rows * columns, 0)} cells`,
      columns: [words.square ? 'token looked at' : 'number', { label: words.holds(result.sizes), as }],
      rows: Array.from({ length: columns }, (_, column) => [heading(column), valueAt(result, stage, row, column)]),
    };
  }
  return {
    caption,
    columns: [words.square ? 'token that looks' : 'token', ...Array.from({ length: columns }, (_, column): Column => ({ label: heading(column), as }))],
    rows: Array.from({ length: rows }, (_, row) => [
      `${ordinal(row, base())} ${names[row]}`,
      ...Array.from({ length: columns }, (_, column) => valueAt(result, stage, row, column)),
    ]),
  };
}
