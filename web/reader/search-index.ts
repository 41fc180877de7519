// The index of the book's text, made when a reader first searches.

import MiniSearch from 'minisearch';
import type { SearchEntry } from './search-entry.ts';

export interface Found extends SearchEntry {
  /** The words of the text that matched. */
  words: string[];
}

export type Search = (query: string) => Found[];

const most = 12;

export function indexOf(entries: readonly SearchEntry[]): Search {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['section', 'text'],
    searchOptions: { boost: { section: 3 }, prefix: true, fuzzy: (term) => (term.length > 5 ? 0.2 : false), combineWith: 'AND' },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => index.search(query).slice(0, most).map(({ id, match }) => ({ ...entries[id as number]!, words: Object.keys(match) }));
}

/** About so many characters of a text around the first word that matched, in parts of which every other one matched. */
export function excerpt(text: string, words: readonly string[], length = 120): string[] {
  const pattern = words.length ? new RegExp(`(${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'giu') : null;
  const first = pattern ? text.search(pattern) : 0;
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - length / 3)));
  const piece = text.slice(from, from + length);
  const shown = `${from > 0 ? '…' : ''}${piece.trim()}${from + length < text.length ? '…' : ''}`;
  return pattern ? shown.split(pattern) : [shown];
}
