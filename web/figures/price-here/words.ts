// What price-here says: title, description, table, and numbers in the units that people use.

import { fixed, plain, share } from '../../marks/number.ts';
import { modelName } from '../../marks/model-label.ts';
import type { Table } from '../definition.ts';
import type { State } from '../price-here.ts';
import type { Price } from './measure.ts';

const narrow = '\u202F';
/** Two digits that mean something; from 100 on, whole. */
const two = (value: number) => (value >= 99.5 ? fixed(value, 0) : plain(Number(value.toPrecision(2))));

/** "0.42 ms", "12 ms", "3.4 s". */
export function time(milliseconds: number): string {
  return milliseconds >= 1000 ? `${two(milliseconds / 1000)}${narrow}s` : `${two(milliseconds)}${narrow}ms`;
}

/** "6.34 million"; below a million in full. */
export function many(count: number): string {
  const unit = ([[1e12, 'trillion'], [1e9, 'billion'], [1e6, 'million']] as const).find(([size]) => count >= size);
  return unit ? `${plain(Number((count / unit[0]).toPrecision(3)))} ${unit[1]}` : fixed(count, 0);
}

/** "25 kB", "393 kB", "75 MB", "12 GB". */
export function room(bytes: number): string {
  const [size, unit] = ([[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']] as const).find(([least]) => bytes >= least) ?? [1, 'bytes'];
  return `${two(bytes / size)}${narrow}${unit}`;
}

export const whole = (value: number) => fixed(value, 0);

/** The row that is opened, else the longest text. */
export function openRow({ open }: State, { lengths }: Price): number {
  const at = lengths.indexOf(open);
  return at < 0 ? lengths.length - 1 : at;
}

export function title(state: State, price: Price): string {
  const at = openRow(state, price);
  const [row, measured] = [price.counts.rows[at]!, price.measured[at]];
  const tokens = `${whole(row.tokens)} ${row.tokens === 1 ? 'token' : 'tokens'}`;
  if (state.show === 'memory') return `Keys and values of ${tokens} take ${room(row.cache_bytes)}; every head’s grid would take ${room(row.grid_bytes)}`;
  if (state.show === 'next') {
    if (!measured || measured.next === null) return `The last of ${tokens} takes ${many(row.for_last_token)} multiplications when keys and values are kept, ${many(row.for_looks + row.for_tables)} when not`;
    return `The last of ${tokens} takes ${time(measured.next)} here when keys and values are kept, ${time(measured.whole)} when not`;
  }
  if (!measured) return `A text of ${tokens} takes ${many(row.for_looks + row.for_tables)} multiplications, ${share(row.looks_part)} of them for looking back`;
  return `A text of ${tokens} takes ${time(measured.whole)} on this machine`;
}

export function describe(state: State, price: Price): string {
  const { counts, lengths } = price;
  const said = counts.rows.map((_, at) => `${whole(counts.rows[at]!.tokens)} tokens: ${rowInWords(state, price, at)}.`);
  said.push(`One token more than ${whole(lengths.at(-1)!)} is refused.`);
  if (counts.speed !== null) said.push(`All passes together come to ${many(counts.speed)} multiplications a second.`);
  if (price.problem) said.push(price.problem);
  return said.join(' ');
}

/** What a length costs, as far as it is shown. */
function rowInWords({ show }: State, { counts, measured }: Price, at: number): string {
  const [row, times] = [counts.rows[at]!, measured[at]];
  const all = row.for_looks + row.for_tables;
  if (show === 'memory') return `keys and values take ${room(row.cache_bytes)}, every head’s grid would take ${room(row.grid_bytes)}`;
  if (show === 'time') return `${whole(row.looks)} looks in a head, ${many(all)} multiplications${times ? `, measured ${time(times.whole)}` : ''}`;
  const took = times && times.next !== null ? `, measured ${time(times.next)} and ${time(times.whole)}` : '';
  return `the last one takes ${many(row.for_last_token)} multiplications when keys and values are kept, ${many(all)} when not${took}`;
}

export function table(_state: State, { model, counts, measured }: Price): Table {
  return {
    caption: `Counted for ${modelName(model)}, and measured on this machine; times in milliseconds, memory in bytes`,
    columns: [
      { label: 'tokens', as: 'integer' },
      { label: 'looks in a head', as: 'integer' },
      { label: 'multiplications for looks', as: 'integer' },
      { label: 'in tables', as: 'integer' },
      { label: 'a pass, measured' },
      { label: 'a pass, by the formula' },
      { label: 'the last token, measured' },
      { label: 'keys and values', as: 'integer' },
      { label: 'kept by this engine', as: 'integer' },
      { label: 'all grids', as: 'integer' },
    ],
    rows: counts.rows.map((row, at) => [
      row.tokens, row.looks, row.for_looks, row.for_tables,
      measured[at]?.whole ?? null, row.expected_milliseconds, measured[at]?.next ?? null,
      row.cache_bytes, measured[at]?.trace_bytes ?? null, row.grid_bytes,
    ]),
  };
}
