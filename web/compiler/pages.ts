// The pages of a chapter and of the glossary; contents.ts and answers.ts have the others.

import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import type { CompiledChapter } from './chapter.ts';
import { citePage } from './cite.ts';
import { lessonTime } from './contents.ts';
import { slugOf, type Book } from './context.ts';
import type { Lengths } from './length.ts';
import { pageHtml, type Assets } from './page.ts';
import type { Chapter } from './parse.ts';

export function chapterPage(compiled: CompiledChapter, lengths: Lengths, edition: string, book: Book, assets: Assets): string {
  const { chapter, sections, figures, hasEquations } = compiled;
  const content = [
    h('article', { className: ['chapter'] }, [
      h('header', { className: ['opening'] }, [
        h('p', { className: ['opening-number'] }, [`Chapter ${chapter.number} `, h('span', { className: ['opening-time'] }, lessonTime(lengths))]),
        h('h1', chapter.title),
      ]),
      ...sections,
    ]),
    citePage(chapter, edition),
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
