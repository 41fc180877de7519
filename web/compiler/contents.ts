// The page of contents: each chapter with the time it takes and what the device knows of the reading, and a part for
// teachers. It is complete without a script.

import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Book } from './context.ts';
import { depths, lessonRule, minutesOf, type Lengths } from './length.ts';
import { pageHtml, type Assets } from './page.ts';
import type { Chapter } from './parse.ts';

export function contentsPage(book: Book, lengths: ReadonlyMap<string, Lengths>, assets: Assets): string {
  const lengthsOf = (chapter: Chapter) => lengths.get(chapter.slug)!;
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
            account(chapter, lengthsOf(chapter)),
          ]),
        )),
      ]),
      h('section', { ariaLabelledBy: 'reading' }, [
        h('h2', { id: 'reading' }, 'How to read it'),
        h('p', 'The text has three depths. Plain does without formulas. Detail adds how it is done. Math adds the equations, the shapes and the derivations. Switch at any time; you stay at the same place.'),
        h('p', ['Words of art are explained where they first stand, and once more in the ', h('a', { href: 'glossary.html' }, 'glossary'), '.']),
      ]),
      h('section', { ariaLabelledBy: 'teachers' }, [
        h('h2', { id: 'teachers' }, 'For teachers'),
        h('p', ['The ', h('a', { href: 'answers.html' }, 'answer key'), ' has every question of the book with its answer and the reason for it. The chapters do not link to it.']),
        h('p', ['Below each figure, ', h('em', 'Send as a lesson'), ' makes a link that opens the figure as you left it, without the controls that you hide.']),
        h('p', ['For a classroom without a network there is ', h('a', { href: 'lookback.zip', download: true }, 'the whole book as a zip'), '. It starts on a machine with Python 3 or Node.js.']),
        lessonTable(book.chapters, lengthsOf),
        h('p', { className: ['lesson-rule'] }, lessonRule),
      ]),
    ]),
  ];
  return pageHtml({ book, assets, title: 'Lookback, a textbook about attention that runs', description: 'A textbook about attention in transformers. Every figure is computed in the page and can be changed.', isContents: true, content });
}

/** The script replaces "unread" and the count by what the device knows. */
function account(chapter: Chapter, lengths: Lengths): Element {
  const parts = [
    h('span', { className: ['account-part'] }, lessonTime(lengths)),
    h('span', { className: ['account-part', 'account-read', 'needs-script'] }, 'unread'),
    ...depths.filter((depth) => lengths[depth].exercises.length > 0).map((depth) => {
      const { exercises } = lengths[depth];
      const words = `${exercises.length} exercise${exercises.length === 1 ? '' : 's'}`;
      return h('span', { className: ['account-part', 'at-depth', `at-${depth}`], dataExercises: exercises.join(' ') }, words);
    }),
  ];
  return h('p', { className: ['account'], dataAccount: chapter.slug }, parts.flatMap((part) => [part, ' ']));
}

/** "about 45 minutes", at each depth; the style sheet shows one. */
export function lessonTime(lengths: Lengths): Element[] {
  const times = depths.map((depth) => minutesOf(lengths[depth]));
  if (new Set(times).size === 1) return [h('span', said(times[0]!))];
  return depths.map((depth, at) => h('span', { className: ['at-depth', `at-${depth}`] }, said(times[at]!)));
}

const said = (minutes: number) => `about ${minutes} minutes`;

const names = { plain: 'Plain', detail: 'Detail', math: 'Math' };

function lessonTable(chapters: readonly Chapter[], lengthsOf: (chapter: Chapter) => Lengths): Element {
  const row = (chapter: Chapter) =>
    h('tr', [h('th', { scope: 'row' }, `${chapter.number} ${chapter.title}`), ...depths.map((depth) => h('td', `${minutesOf(lengthsOf(chapter)[depth])} min`))]);
  return h('div', { className: ['wide'], tabIndex: 0, role: 'region', ariaLabel: 'Lesson times' }, [
    h('table', { className: ['lesson-times'] }, [
      h('thead', [h('tr', [h('th', { scope: 'col' }, 'Chapter'), ...depths.map((depth) => h('th', { scope: 'col' }, names[depth]))])]),
      h('tbody', chapters.map(row)),
    ]),
  ]);
}
