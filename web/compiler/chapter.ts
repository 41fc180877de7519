// One chapter: from its tree to the sections of its page.

import type { Element, ElementContent, Root as HtmlRoot } from 'hast';
import type { InlineMath, Math } from 'mdast-util-math';
import { defaultHandlers, toHast } from 'mdast-util-to-hast';
import { h } from 'hastscript';
import { visit } from 'unist-util-visit';
import { checkClaims } from './claims.ts';
import type { Book, Context, Handler } from './context.ts';
import { depthHandlers, intoSections } from './depths.ts';
import { checkDigits, checkPhrase } from './digits.ts';
import { checkDirectives, isDirective, type Directive } from './directives.ts';
import { equation } from './equations.ts';
import { drawFigures, figureHandler } from './figures.ts';
import { findHeads } from './heads.ts';
import { linkHandlers } from './links.ts';
import { noteHandlers, referenceList } from './notes.ts';
import { numberHandlers, numbersNote } from './numbers.ts';
import type { Chapter } from './parse.ts';
import { sentenceOf } from './problems.ts';
import { questionHandlers } from './questions.ts';

export interface CompiledChapter {
  chapter: Chapter;
  sections: ElementContent[];
  /** Names of the figures on the page, each once. */
  figures: string[];
  hasEquations: boolean;
}

export async function compileChapter(chapter: Chapter, book: Book): Promise<CompiledChapter> {
  const context: Context = {
    book,
    chapter,
    anchors: book.anchors.get(chapter.slug)!,
    cited: [],
    citings: new Map(),
    heads: await findHeads(chapter, book),
    pictures: new Map(),
  };
  checkDirectives(chapter.tree, chapter.report);
  checkDigits(chapter.tree, chapter.report);
  checkPhrase(chapter.title, 1, chapter.report);
  checkPhrase(chapter.summary, 1, chapter.report);
  const [claims] = await Promise.all([checkClaims(context), drawFigures(context)]);

  const tree = toHast(chapter.tree, { handlers: handlersOf(context), clobberPrefix: '' }) as HtmlRoot;
  const sections: ElementContent[] = intoSections(tree.children as ElementContent[]);
  let recorded = 0;
  let equations = 0;
  visit(chapter.tree, (node) => {
    if (isDirective(node) && node.name === 'recorded') recorded++;
    if (node.type === 'math' || node.type === 'inlineMath') equations++;
  });
  const numbers = numbersNote({ claims, recorded });
  const figures = [...context.anchors.values()].flatMap((anchor) => anchor.figure ?? []);
  return {
    chapter,
    sections: [...sections, ...referenceList(context), ...numbers],
    figures: [...new Set(figures)],
    hasEquations: equations > 0,
  };
}

function handlersOf(context: Context): Record<string, Handler> {
  const byName: Record<string, Handler> = {
    ...depthHandlers,
    ...questionHandlers(context),
    ...numberHandlers(context),
    figure: figureHandler(context),
    q: word('q'),
    k: word('k'),
    v: word('v'),
  };
  const { paragraph, ...inline } = noteHandlers(context);
  Object.assign(byName, inline);
  const directive: Handler = (state, node: Directive, parent) =>
    Object.hasOwn(byName, node.name) ? byName[node.name]!(state, node, parent) : undefined;
  return {
    textDirective: directive,
    leafDirective: directive,
    containerDirective: directive,
    paragraph: paragraph!,
    math: mathHandler(context, true),
    inlineMath: mathHandler(context, false),
    html: () => undefined,
    // A table wider than a phone scrolls in its own frame, also by keyboard.
    table: (state, node) => h('div', { className: ['wide'], tabIndex: 0, role: 'region', ariaLabel: 'Table' }, [defaultHandlers.table(state, node) as Element]),
    ...linkHandlers(context),
  };
}

/** The words query, key and value carry their colour and a second sign wherever they stand. */
function word(kind: 'q' | 'k' | 'v'): Handler {
  return (state, node) => h('span', { className: [kind] }, state.all(node) as Element[]);
}

function mathHandler(context: Context, display: boolean): Handler {
  return (_state, node: Math | InlineMath) => {
    try {
      return equation(node.value, display, context.book.equations);
    } catch (error) {
      context.chapter.report(node, sentenceOf(error));
      return undefined;
    }
  };
}
