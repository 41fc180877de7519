// "Cite this page", at the foot of a chapter. The build knows neither the book's address nor the day it is read: the page's
// script puts both in, and without a script the text stands with the file's name.

import { createHash } from 'node:crypto';
import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import { version } from '../package.json';
import type { Chapter } from './parse.ts';

/** "0.1.0, text 3f2a9c1d": the package's version and a hash of all that the chapters say. */
export function editionOf(chapters: readonly (readonly ElementContent[])[]): string {
  const hash = createHash('sha256');
  for (const sections of chapters) hash.update(toHtml([...sections], { allowDangerousHtml: true }));
  return `${version}, text ${hash.digest('hex').slice(0, 8)}`;
}

const book = 'Lookback, a textbook about attention that runs';
const authors = 'The Lookback authors';

export function citePage(chapter: Chapter, edition: string): Element {
  const file = `${chapter.slug}.html`;
  const address = () => h('span', { dataCite: 'address' }, file);
  const text = [
    `${authors}. “${chapter.title}”. Chapter ${chapter.number} of ${book}, version ${edition}. `, address(), '.', h('span', { dataCite: 'read' }),
  ];
  const entry = [
    `@misc{lookback-${chapter.slug.replace(/^\d+-/, '')},\n`,
    `  author = {{${authors}}},\n  title = {{${bibtex(chapter.title)}}},\n`,
    `  howpublished = {Chapter ${chapter.number} of ${book}},\n  note = {Version ${edition}},\n`,
    '  url = {', address(), '}', h('span', { dataCite: 'urldate' }), '\n}',
  ];
  return h('details', { className: ['citing'] }, [
    h('summary', 'Cite this page'),
    ...way('text', 'Text', h('p', { className: ['citing-text'], dataCiteText: 'text' }, text)),
    ...way('bibtex', 'BibTeX', h('pre', { className: ['citing-text'], dataCiteText: 'bibtex' }, entry)),
    h('p', { className: ['citing-actions', 'needs-script'] }, [
      h('button', { type: 'button', className: ['button', 'button-quiet'], ariaPressed: 'false', dataCiteState: '' }, 'With the present state'),
    ]),
    h('p', { className: ['citing-notice', 'needs-script'], role: 'status' }),
  ]);
}

function way(name: string, label: string, text: Element): Element[] {
  return [
    h('div', { className: ['citing-head'] }, [
      h('p', { className: ['citing-name'] }, label),
      h('button', { type: 'button', className: ['button', 'button-quiet', 'needs-script'], dataCopies: name, dataCopied: `${label} copied.` }, `Copy ${name === 'text' ? 'text' : label}`),
    ]),
    text,
  ];
}

/** Signs that TeX reads as commands. */
function bibtex(title: string): string {
  return title.replace(/[&%$#_{}]/g, '\\$&');
}
