// How far a loading is: what has come of each part, and how much more each layer waits for.

import type { ArrivingPart, LoadProgress } from '../engine/types.ts';
import type { Chunk, Read } from './source/types.ts';

/** How often the page is told, at most. Milliseconds. */
const EVERY_MS = 100;

/** Before the files are known. */
export const nothingYet: LoadProgress = { step: 'Looking at its files', done_bytes: 0, total_bytes: 0, parts: [], tokens_at: 0, layers_at: [], layers_begun: 0, notice: '' };

/** The reads in their order, and how many bytes of each have come, from its beginning. */
export interface Ledger {
  reads: Read[];
  came: Map<Read, number>;
}

export function ledgerOf(reads: Read[]): Ledger {
  return { reads, came: new Map() };
}

/** Counts a chunk; bytes beside its read do not count. */
export function enter({ came }: Ledger, { read, begin, bytes }: Chunk): void {
  const until = Math.min(begin + bytes.length, read.end) - read.begin;
  came.set(read, Math.max(came.get(read) ?? 0, until));
}

const cameOf = ({ came }: Ledger, read: Read) => came.get(read) ?? 0;
const isOpen = (ledger: Ledger, read: Read) => cameOf(ledger, read) < read.end - read.begin;

export function openReads(ledger: Ledger): Read[] {
  return ledger.reads.filter((read) => isOpen(ledger, read));
}

/** The same, with the rest of the token table before everything else that is open. A read that has begun is cut in two. */
export function tableFirst(ledger: Ledger): Ledger {
  const next = ledgerOf([]);
  const open: Read[] = [];
  for (const read of ledger.reads) {
    const came = cameOf(ledger, read);
    if (came > 0) {
      const there = { ...read, end: read.begin + came };
      next.reads.push(there);
      next.came.set(there, came);
    }
    if (isOpen(ledger, read)) open.push({ ...read, begin: read.begin + came });
  }
  const isTable = ({ part, early }: Read) => part === 'wte' && !early;
  next.reads.push(...open.filter(isTable), ...open.filter((read) => !isTable(read)));
  return next;
}

const partOf = ({ part, layer }: Read): ArrivingPart['part'] =>
  layer >= 0 ? layer : part === 'wte' ? 'tokens' : part === 'wpe' ? 'positions' : 'last';

const rank = (part: ArrivingPart['part']) => ({ tokens: -2, positions: -1, last: Infinity })[part as string] ?? (part as number);

export function progressOf(ledger: Ledger, step: string, layers_begun: number, notice: string): LoadProgress {
  const parts = new Map<ArrivingPart['part'], ArrivingPart>();
  const layers_at: number[] = [];
  let done_bytes = 0;
  let total_bytes = 0;
  let ahead = 0;
  let tokens = 0;
  for (const read of ledger.reads) {
    if (read.early) continue;
    const total = read.end - read.begin;
    const done = cameOf(ledger, read);
    const entry = parts.get(partOf(read)) ?? { part: partOf(read), done_bytes: 0, total_bytes: 0 };
    parts.set(entry.part, { ...entry, done_bytes: entry.done_bytes + done, total_bytes: entry.total_bytes + total });
    done_bytes += done;
    total_bytes += total;
    ahead += total - done;
    if (read.part === 'wte') tokens = ahead;
    if (read.part === 'attention_in') layers_at[read.layer] = ahead;
  }
  return {
    step,
    done_bytes,
    total_bytes,
    parts: [...parts.values()].sort((a, b) => rank(a.part) - rank(b.part)),
    tokens_at: done_bytes + tokens,
    layers_at: layers_at.map((bytes) => done_bytes + bytes),
    layers_begun,
    notice,
  };
}

const words: Record<string, string> = { wte: 'the token table', wpe: 'the position table', ln_f: 'the last normalization', last: 'the last normalization', lm_head: 'the unembedding' };

/** What is read, in words; layers are counted from 0. */
export function stepOf({ part, layer }: Read): string {
  return `Reading ${layer >= 0 ? `layer ${layer}` : (words[part] ?? 'the weights')}`;
}

/** Calls `tell` at once or, when it was called a moment ago, a little later: what was said last is always told. */
export function atMostOften(tell: () => void): { soon(): void; now(): void; stop(): void } {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    if (!stopped) tell();
  };
  return {
    now,
    soon() {
      const wait = last + EVERY_MS - performance.now();
      if (wait <= 0) now();
      else timer ??= setTimeout(now, wait);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
