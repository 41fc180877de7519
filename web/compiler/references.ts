// The literature: chapters/references.json, and how one entry is shown.

import { readFile } from 'node:fs/promises';
import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import type { Problem } from './problems.ts';

export interface Reference {
  id: string;
  /** In the order of the paper; `more` when the list goes on. */
  authors: string[];
  more?: boolean;
  title: string;
  year: number;
  /** Journal, conference or publisher. */
  where: string;
  url: string;
}

const file = 'references.json';

export async function readReferences(path: string, problems: Problem[]): Promise<Map<string, Reference>> {
  const entries = JSON.parse(await readFile(path, 'utf8')) as Reference[];
  const references = new Map<string, Reference>();
  for (const entry of entries) {
    const wrong = fault(entry);
    if (wrong) problems.push({ file, line: 0, message: `Reference "${entry.id}": ${wrong}` });
    if (references.has(entry.id)) problems.push({ file, line: 0, message: `Reference "${entry.id}" stands twice.` });
    references.set(entry.id, entry);
  }
  return references;
}

function fault(entry: Reference): string | null {
  if (!/^[a-z]+[0-9]{4}[a-z]?$/.test(entry.id ?? '')) return 'an id is a name and a year, like vaswani2017.';
  if (!Array.isArray(entry.authors) || entry.authors.length === 0) return 'authors must be a list of names.';
  if (!entry.title || !entry.where) return 'title and where must be given.';
  if (!Number.isInteger(entry.year)) return 'year must be a whole number.';
  if (!/^https:\/\//.test(entry.url ?? '')) return 'url must begin with https://.';
  return null;
}

/** "Ashish Vaswani, Noam Shazeer, Niki Parmar and 5 others (2017). Title. Where.", the title being the link. */
export function referenceText(entry: Reference): ElementContent[] {
  return [
    h('span', { className: ['reference-authors'] }, `${authorList(entry)} (${entry.year}).`),
    { type: 'text', value: ' ' },
    h('a', { href: entry.url, rel: ['noreferrer'] }, h('cite', entry.title)),
    { type: 'text', value: `. ${entry.where}.` },
  ];
}

function authorList({ authors, more }: Reference): string {
  if (more) return `${authors.join(', ')} and others`;
  if (authors.length > 4) return `${authors.slice(0, 3).join(', ')} and ${authors.length - 3} others`;
  return authors.length > 1 ? `${authors.slice(0, -1).join(', ')} and ${authors.at(-1)}` : (authors[0] ?? '');
}
