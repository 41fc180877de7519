// The search over the text: what it indexes, finds and shows.

import { h } from '../../web/node_modules/hastscript/index.js';
import { describe, expect, it } from 'vitest';
import { searchEntries } from '../../web/compiler/search.ts';
import type { Chapter } from '../../web/compiler/parse.ts';
import { excerpt, indexOf } from '../../web/reader/search-index.ts';

const chapter = { slug: '02-searching', number: 2, title: 'Searching' } as Chapter;

describe('the search', () => {
  it('has an entry for each section, without equations and figures', () => {
    const content = [
      h('p', 'A first word.'),
      h('section', [h('h2', { id: 'keys' }, ['Keys and ', h('span', 'values')]), h('p', ['A key ', h('math', [h('mi', 'QK')]), 'is found.']), h('p', 'Next.')]),
      h('dot-dial', { dataFigure: '' }, [h('p', 'moving words')]),
      h('section', [h('h2', { id: 'end' }, 'The end'), h('ul', [h('li', 'one'), h('li', 'two')])]),
    ] as Parameters<typeof searchEntries>[1];
    expect(searchEntries(chapter, content)).toEqual([
      { url: '02-searching.html', place: 'Chapter 2', section: 'Searching', text: 'A first word.' },
      { url: '02-searching.html#keys', place: 'Chapter 2', section: 'Keys and values', text: 'A key is found. Next.' },
      { url: '02-searching.html#end', place: 'Chapter 2', section: 'The end', text: 'one two' },
    ]);
  });

  const entries = [
    { url: 'a.html', place: 'Chapter 1', section: 'Sinks', text: 'A head may rest on the first token, an attention sink.' },
    { url: 'b.html', place: 'Chapter 2', section: 'Softmax', text: 'Shares add up to one hundred per cent; a sink takes what is left.' },
    { url: 'c.html', place: 'Chapter 3', section: 'Order', text: 'Positions are added to the rows.' },
  ];

  it('finds by beginnings, small mistakes and all words together, headings first', () => {
    const search = indexOf(entries);
    expect(search('sink').map(({ url }) => url)).toEqual(['a.html', 'b.html']);
    expect(search('posit').map(({ url }) => url)).toEqual(['c.html']);
    expect(search('attentoin').map(({ url }) => url)).toEqual(['a.html']);
    expect(search('sink shares').map(({ url }) => url)).toEqual(['b.html']);
    expect(search('zebra')).toEqual([]);
    expect(search('<img src=x onerror=alert(1)>')).toEqual([]);
  });

  it('shows the text around what matched, every other part being a match', () => {
    const parts = excerpt(`${'word '.repeat(60)}here is a Sink in the middle ${'word '.repeat(60)}`, ['sink']);
    expect(parts).toHaveLength(3);
    expect(parts[1]).toBe('Sink');
    expect(parts[0]!.startsWith('…')).toBe(true);
    expect(parts[2]!.endsWith('…')).toBe(true);
    expect(excerpt('short', [])).toEqual(['short']);
    expect(excerpt('a + b', ['+'])).toEqual(['a ', '+', ' b']);
  });
});
