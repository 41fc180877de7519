// In which order the weights come, so that the first picture needs a fraction of them.
//
// The book's own sentences: the rows of their tokens, then layer by layer what its next half step needs, the tables last.
// Text that the reader typed: no row by itself, since its offset would tell the host the word. The tables come first and
// whole.

import type { Read } from './types.ts';

/** A tensor to read, as the core's plan lists it; bytes from the file's start. */
export interface PlanRange {
  file: number;
  name: string;
  begin: number;
  end: number;
  part: 'wte' | 'wpe' | 'attention_in' | 'attention_out' | 'mlp' | 'last' | 'lm_head';
  /** The layer, or -1. */
  layer: number;
  /** Bytes of one row, for wte and wpe. */
  row_bytes?: number;
}

const isTable = (range: { part: string }) => range.part === 'wte' || range.part === 'wpe';
const stages = ['attention_in', 'attention_out', 'mlp'];

/** A layer's place in the order of computing; what no layer needs comes after all layers. */
function rank(range: PlanRange, tables: number): number {
  if (isTable(range)) return tables;
  return range.layer >= 0 ? stages.length * range.layer + stages.indexOf(range.part) : Number.MAX_SAFE_INTEGER - 1;
}

const inFile = (a: { file: number; begin: number }, b: { file: number; begin: number }) => a.file - b.file || a.begin - b.begin;

const readOf = ({ file, begin, end, part, layer }: PlanRange, early = false): Read => ({ file, begin, end, part, layer, early });

/** One read for what lies end to end and belongs together. */
function joined(reads: Read[]): Read[] {
  const out: Read[] = [];
  for (const read of reads) {
    const last = out.at(-1);
    const goesOn = last && last.file === read.file && last.end === read.begin && last.part === read.part && last.layer === read.layer;
    if (goesOn && last.early === read.early) last.end = read.end;
    else out.push({ ...read });
  }
  return out;
}

/** The rows of a table that `rows` names, in file order; numbers that the table has not are left out. */
function rowsOf(table: PlanRange, rows: number[]): Read[] {
  const size = table.row_bytes ?? 0;
  if (size <= 0) return [];
  const there = [...new Set(rows)].filter((row) => row >= 0 && table.begin + (row + 1) * size <= table.end).sort((a, b) => a - b);
  return there.map((row) => readOf({ ...table, begin: table.begin + row * size, end: table.begin + (row + 1) * size }, true));
}

/**
 * All of `ranges`, each byte once, after rows that come early: those of `ids`, the tokens of one of the book's own
 * sentences. `ids` is null for anything else, and then no row is read by itself.
 */
export function readingOrder(ranges: PlanRange[], ids: number[] | null): Read[] {
  const tables = ids ? Number.MAX_SAFE_INTEGER : -1;
  const whole = [...ranges].sort((a, b) => rank(a, tables) - rank(b, tables) || inFile(a, b)).map((range) => readOf(range));
  const early = (ids ? ranges : []).flatMap((range) =>
    range.part === 'wte' ? rowsOf(range, ids!) : range.part === 'wpe' ? rowsOf(range, ids!.map((_, position) => position)) : [],
  );
  return joined([...early, ...whole.filter((read) => read.end > read.begin)]);
}

/** What is left to read as one stream per file: in file order, without the rows that come again with their table. */
export function fileOrder(reads: Read[]): Read[] {
  return reads.filter((read) => !read.early).sort(inFile);
}
