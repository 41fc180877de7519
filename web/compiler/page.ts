// The page around a text: head, masthead, landmarks, foot. One shape for chapters, contents and glossary.

import type { Element, ElementContent, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import { megabytes } from '../marks/number.ts';
import type { Anchor, Book } from './context.ts';
import type { Chapter } from './parse.ts';
import { policy } from './policy.ts';

/** Where the build has put the files that every page loads, relative to the pages. */
export interface Assets {
  style: string;
  equations: string;
  early: string;
  shell: string;
  /** Fonts to fetch at once. */
  fonts: string[];
  mathFont: string;
  /** The text of the book for its search. */
  search: string;
}

export interface PageOptions {
  book: Book;
  assets: Assets;
  title: string;
  description: string;
  /** The chapter that the page is, if it is one. */
  chapter?: Chapter;
  hasEquations?: boolean;
  /** Whether a figure of the page asks the little model, which the page then fetches. */
  asksModel?: boolean;
  /** The contents have lesson times, which follow the depth. */
  isContents?: boolean;
  /** Kept out of search engines. */
  noindex?: boolean;
  content: ElementContent[];
}

export function pageHtml(options: PageOptions): string {
  const root: Root = { type: 'root', children: [{ type: 'doctype' }, htmlElement(options)] };
  const markup = toHtml(root, { allowDangerousHtml: true, closeEmptyElements: false });
  const styled = /<[a-z][^<>]*\sstyle=/i.exec(markup);
  if (styled) throw new Error(`The page "${options.title}" would hold a style attribute, which its policy forbids: ${styled[0]}`);
  return markup + '\n';
}

// Without a script the page stands at the middle depth, which reads as a whole.
function htmlElement(options: PageOptions): Element {
  return h('html', { lang: 'en', dataDepth: 'detail', dataTheme: 'auto', dataBase: '0', dataSearch: options.assets.search }, [head(options), body(options)]);
}

function head({ assets, title, description, chapter, hasEquations, noindex }: PageOptions): Element {
  const font = (href: string) => h('link', { rel: ['preload'], as: 'font', type: 'font/woff2', href, crossOrigin: '' });
  return h('head', [
    h('meta', { charSet: 'utf-8' }),
    h('meta', { httpEquiv: ['Content-Security-Policy'], content: policy }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('title', chapter ? `${title} · Lookback` : title),
    h('meta', { name: 'description', content: description }),
    ...(noindex ? [h('meta', { name: 'robots', content: 'noindex' })] : []),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    ...assets.fonts.map(font),
    ...(hasEquations ? [font(assets.mathFont)] : []),
    h('link', { rel: ['stylesheet'], href: assets.style }),
    h('link', { rel: ['stylesheet'], href: assets.equations }),
    // Small and before the first paint: depth and theme as the reader left them.
    h('script', { src: assets.early }),
    h('script', { type: 'module', src: assets.shell }),
    h('link', { rel: ['icon'], href: 'icon.svg', type: 'image/svg+xml' }),
  ]);
}

function body(options: PageOptions): Element {
  const { content, chapter, book, asksModel } = options;
  return h('body', { className: [chapter ? 'is-chapter' : 'is-front', ...(options.isContents ? ['is-contents'] : [])] }, [
    h('a', { className: ['skip'], href: '#text' }, 'Skip to the text'),
    masthead(options),
    h('main', { id: 'text', tabIndex: -1 }, content),
    h('footer', { className: ['foot'] }, [
      h('p', 'Every number in a figure is worked out by the book’s own core. It runs in your browser; what you type stays there.'),
      ...(asksModel ? [h('p', `A figure of this page asks the little model. Its files, ${megabytes(book.littleBytes)}, are fetched from this site; no request goes anywhere else.`)] : []),
    ]),
  ]);
}

// ----------------------------------------------------------------------------------------------------------- the masthead

function masthead(options: PageOptions): Element {
  const { chapter } = options;
  return h('header', { className: ['masthead'] }, [
    h('div', { className: ['masthead-line'] }, [
      h('a', { className: ['masthead-home'], href: 'index.html', ariaCurrent: chapter ? undefined : 'page' }, 'Lookback'),
      h('nav', { ariaLabel: 'Contents' }, [
        h('details', { className: ['menu'] }, [h('summary', 'Contents'), h('div', { className: ['menu-panel'] }, [searchField(), contentsList(options)])]),
      ]),
      ...(chapter ? [h('span', { className: ['masthead-chapter'], title: chapter.title }, `${chapter.number} ${chapter.title}`)] : []),
      h('span', { className: ['masthead-space'] }),
      setting('depth', 'Depth', [['plain', 'Plain'], ['detail', 'Detail'], ['math', 'Math']], 'setting-depth'),
      h('details', { className: ['menu', 'menu-end', 'needs-script'] }, [
        h('summary', 'Settings'),
        h('div', { className: ['menu-panel'] }, [
          setting('theme', 'Theme', [['auto', 'As the device'], ['light', 'Light'], ['dark', 'Dark']]),
          setting('base', 'Count layers, heads and positions from', [['0', '0'], ['1', '1']]),
          h('div', { className: ['forgetting'], dataForgetting: '' }, [h('button', { type: 'button', className: ['button', 'button-quiet'] }, 'Forget my answers and progress')]),
        ]),
      ]),
    ]),
  ]);
}

function searchField(): Element {
  return h('search', { className: ['search', 'needs-script'] }, [
    h('label', { className: ['visually-hidden'], htmlFor: 'search' }, 'Search the book'),
    h('input', { className: ['search-field'], id: 'search', type: 'search', placeholder: 'Search the book', autoComplete: 'off', spellCheck: 'false' }),
    h('p', { className: ['search-status'], role: 'status' }),
    h('ol', { className: ['search-results'] }),
  ]);
}

function setting(name: string, label: string, options: [string, string][], place?: string): Element {
  return h('fieldset', { className: ['setting', 'needs-script', ...(place ? [place] : [])], dataSetting: name }, [
    h('legend', label),
    h('span', { className: ['setting-options'] }, options.map(([value, text]) =>
      h('label', [h('input', { type: 'radio', name: `set-${name}`, value, autoComplete: 'off' }), h('span', { dataText: text }, text)]),
    )),
  ]);
}

function contentsList({ book, chapter }: PageOptions): Element {
  return h('ol', { className: ['contents-list'] }, [
    h('li', { className: ['contents-home'] }, [h('a', { href: 'index.html', ariaCurrent: chapter ? undefined : 'page' }, 'Lookback')]),
    ...book.chapters.map((entry) => {
      const here = entry === chapter;
      const sections = [...(book.anchors.get(entry.slug)?.values() ?? [])].filter((anchor) => anchor.kind === 'section');
      return h('li', [
        h('a', { href: `${entry.slug}.html`, ariaCurrent: here ? 'page' : undefined }, [
          h('span', { className: ['contents-number'] }, String(entry.number)), ' ', entry.title,
        ]),
        ...(here && sections.length > 0 ? [sectionList(sections)] : []),
      ]);
    }),
    h('li', [h('a', { href: 'glossary.html' }, 'Glossary')]),
  ]);
}

function sectionList(sections: readonly Anchor[]): Element {
  return h('ol', { className: ['contents-sections'] }, sections.map((anchor) => h('li', [h('a', { href: `#${anchor.id}` }, anchor.label)])));
}
