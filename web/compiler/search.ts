// What the search over the text reads: one entry for each section of a chapter, and one for each word of the glossary.

import type { ElementContent } from 'hast';
import { isElement, slugOf, type Book } from './context.ts';
import type { Chapter } from './parse.ts';
import type { SearchEntry } from '../reader/search-entry.ts';

/** The sections of a compiled chapter, in all depths; what stands before the first heading belongs to the chapter. */
export function searchEntries(chapter: Chapter, content: readonly ElementContent[]): SearchEntry[] {
  const begin = (section: string, anchor: string): SearchEntry => ({
    url: `${chapter.slug}.html${anchor && `#${anchor}`}`,
    place: `Chapter ${chapter.number}`,
    section,
    text: '',
  });
  const entries = [begin(chapter.title, '')];
  const walk = (node: ElementContent) => {
    if (node.type === 'text') entries.at(-1)!.text += node.value;
    if (!isElement(node) || isSilent(node)) return;
    if (node.tagName === 'h2') {
      entries.push(begin(textOf(node.children).trim(), String(node.properties['id'] ?? '')));
      return;
    }
    node.children.forEach((child) => walk(child as ElementContent));
    if (blocks.has(node.tagName)) entries.at(-1)!.text += ' ';
  };
  content.forEach(walk);
  return entries.map((entry) => ({ ...entry, text: entry.text.replace(/\s+/g, ' ').trim() }));
}

const blocks = new Set(['p', 'li', 'div', 'section', 'td', 'th', 'dt', 'dd', 'summary', 'details', 'label', 'h3']);

/** The references; a heading's link to itself; what a word means, which the glossary has. */
const silent = new Set(['references', 'heading-link', 'term-note']);

/** Equations, and pictures whose words change with every touch, and what is said elsewhere. */
function isSilent(node: ElementContent): boolean {
  if (!isElement(node)) return false;
  const classes = (node.properties['className'] as string[] | undefined) ?? [];
  return node.tagName === 'math' || node.tagName === 'svg' || node.properties['dataFigure'] !== undefined || classes.some((name) => silent.has(name));
}

function textOf(nodes: readonly unknown[]): string {
  return (nodes as ElementContent[]).map((node) => (node.type === 'text' ? node.value : isElement(node) && !isSilent(node) ? textOf(node.children).trim() : '')).join('');
}

export function glossaryEntries(book: Book): SearchEntry[] {
  return book.terms.map((term) => ({ url: `glossary.html#${slugOf(term.word)}`, place: 'Glossary', section: term.word, text: term.means }));
}
