// The three kinds of page: a chapter, the contents, the glossary.

import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import type { CompiledChapter } from './chapter.ts';
import { slugOf, type Book } from './context.ts';
import { pageHtml, type Assets } from './page.ts';
import type { Chapter } from './parse.ts';

export function chapterPage(compiled: CompiledChapter, book: Book, assets: Assets): string {
  const { chapter, sections, figures, hasEquations } = compiled;
  const content = [
    h('article', { className: ['chapter'] }, [
      h('header', { className: ['opening'] }, [
        h('p', { className: ['opening-number'] }, `Chapter ${chapter.number}`),
        h('h1', chapter.title),
      ]),
      ...sections,
    ]),
    turnPages(chapter, book),
  ];
  return pageHtml({ book, assets, chapter, title: chapter.title, description: chapter.summary, hasEquations, content, asksModel: figures.some((name) => book.figures.get(name)?.model) });
}

function turnPages(chapter: Chapter, book: Book): ElementContent {
  const at = book.chapters.indexOf(chapter);
  const way = (goal: Chapter | undefined, rel: 'prev' | 'next', word: string) =>
    goal
      ? h('a', { className: [`turn-${rel}`], rel: [rel], href: `${goal.slug}.html` }, [
          h('span', { className: ['turn-word'] }, word),
          h('span', { className: ['turn-title'] }, `${goal.number} ${goal.title}`),
        ])
      : h('span');
  return h('nav', { className: ['turn'], ariaLabel: 'Previous and next chapter' }, [
    way(book.chapters[at - 1], 'prev', 'Previous'),
    way(book.chapters[at + 1], 'next', 'Next'),
  ]);
}

export function contentsPage(book: Book, assets: Assets): string {
  const content = [
    h('article', { className: ['front'] }, [
      h('header', { className: ['opening'] }, [
        h('h1', 'Lookback'),
        h('p', { className: ['standfirst'] }, 'A textbook about attention that runs. Every figure is computed in the page, from two arrows to a whole transformer: change a word, a number or a head, and see what it does.'),
      ]),
      h('nav', { ariaLabel: 'Chapters' }, [
        h('ol', { className: ['chapter-list'] }, book.chapters.map((chapter) =>
          h('li', [
            h('a', { href: `${chapter.slug}.html` }, [
              h('span', { className: ['chapter-list-number'] }, String(chapter.number)),
              h('span', { className: ['chapter-list-title'] }, chapter.title),
              h('span', { className: ['chapter-list-summary'] }, chapter.summary),
            ]),
          ]),
        )),
      ]),
      h('section', { ariaLabelledBy: 'reading' }, [
        h('h2', { id: 'reading' }, 'How to read it'),
        h('p', 'The text has three depths. Plain does without formulas. Detail adds how it is done. Math adds the equations, the shapes and the derivations. Switch at any time; you stay at the same place.'),
        h('p', ['Words of art are explained where they first stand, and once more in the ', h('a', { href: 'glossary.html' }, 'glossary'), '.']),
      ]),
    ]),
  ];
  return pageHtml({ book, assets, title: 'Lookback, a textbook about attention that runs', description: 'A textbook about attention in transformers. Every figure is computed in the page and can be changed.', content });
}

export function glossaryPage(book: Book, assets: Assets): string {
  const terms = [...book.terms].sort((a, b) => a.word.localeCompare(b.word, 'en'));
  const entries = terms.flatMap((term) => [
    h('dt', { id: slugOf(term.word), tabIndex: -1 }, [h('a', { href: `${term.chapter.slug}.html#${term.id}` }, term.word)]),
    h('dd', term.means),
  ]);
  const content = [
    h('article', { className: ['front'] }, [
      h('header', { className: ['opening'] }, [h('h1', 'Glossary')]),
      terms.length > 0 ? h('dl', { className: ['glossary'] }, entries) : h('p', 'No terms yet.'),
    ]),
  ];
  return pageHtml({ book, assets, title: 'Glossary · Lookback', description: 'The words of the book, each in one line.', content });
}
