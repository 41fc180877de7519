// No number without its source: every digit in prose sits in a tag (fact, recorded, claim, given, fresh), or the chapter is
// refused. Not prose: equations, code, cross references to chapters, numbers of figures and chapters, years, and digits
// that are part of a name ("GPT-2", "UTF-8").

import type { Nodes, Root } from 'mdast';
import { visitParents } from 'unist-util-visit-parents';
import { isDirective } from './directives.ts';
import type { Report } from './problems.ts';

const tags = new Set(['fact', 'recorded', 'claim', 'given', 'fresh', 'cite']);

const exempt: readonly RegExp[] = [
  // Part of a name: the digits follow a letter, with or without a hyphen.
  /\p{L}[\p{L}\p{Pc}]*[-\u2010\u2011]?\p{Nd}+[\p{L}\p{Nd}]*/gu,
  /\bLlama \d+\b/g,
  // A number that points to a place in the book.
  /\b(?:chapter|figure|exercise|section)s?[ \u00a0]\d+(?:[.\u2013]\d+)*/giu,
  // A year, where the words around say so.
  /\b(?:in|since|by|until|from|before|after|of|year|and)[ \u00a0](?:19\d\d|20[0-2]\d)\b(?![.,]\d)/giu,
];

/** The first digit of a text that is no part of an exempt expression, with some of its surroundings; null if none. */
export function untaggedDigit(text: string): string | null {
  let rest = text;
  for (const pattern of exempt) rest = rest.replace(pattern, (found) => ' '.repeat(found.length));
  const at = rest.search(/\p{N}/u);
  return at < 0 ? null : text.slice(Math.max(0, at - 20), at + 20).trim();
}

export function checkDigits(tree: Root, report: Report): void {
  visitParents(tree, 'text', (node, ancestors) => {
    if (ancestors.some(sourced)) return;
    const found = untaggedDigit(node.value);
    if (found !== null) report(node, refusal(found));
  });
}

export function checkPhrase(text: string, place: Parameters<Report>[0], report: Report): void {
  const found = untaggedDigit(text);
  if (found !== null) report(place, refusal(found));
}

function refusal(found: string): string {
  return `The number in "…${found}…" has no source: write it as :fact, :recorded, :claim or :given.`;
}

function sourced(node: Nodes): boolean {
  if (node.type === 'link') return node.url.startsWith('chapter:');
  return isDirective(node) && tags.has(node.name);
}
