// Margin notes, citations and terms.
//
// A note stands twice: in the margin, where its paragraph is wide enough, and below the paragraph on narrow screens.
// The style sheet shows one of the two and counts the notes that are shown, so each depth numbers its own.

import type { Element, ElementContent } from 'hast';
import type { Paragraph } from 'mdast';
import type { TextDirective } from 'mdast-util-directive';
import { toString } from 'mdast-util-to-string';
import { h } from 'hastscript';
import { children, isElement, slugOf, type Context, type Handler } from './context.ts';
import { checkPhrase } from './digits.ts';
import { referenceText } from './references.ts';

export function noteHandlers(context: Context): Record<string, Handler> {
  return {
    note: (state, node) => noteElements(children(state, node)),
    cite(_state, node: TextDirective) {
      const ids = toString(node).split(/[\s,;]+/).filter(Boolean);
      return ids.flatMap((id) => citation(context, id, node) ?? []);
    },
    term(state, node: TextDirective) {
      const word = toString(node);
      const means = node.attributes?.['means'] ?? '';
      checkPhrase(means, node, context.chapter.report);
      const id = enterTerm(context, word, means, node);
      return [
        h('dfn', { className: ['term'], id }, children(state, node)),
        ...noteElements([h('b', word), { type: 'text', value: `: ${means}` }], 'term-note'),
      ];
    },
    paragraph(state, node: Paragraph) {
      const content = withSigns(joined(children(state, node)));
      const notes = notesIn(content);
      const paragraph = h('p', content);
      if (notes.length === 0) return paragraph;
      return [paragraph, h('aside', { className: ['notes-below'] }, notes)];
    },
  };
}

/**
 * A term is explained once in the book, in the same words at each depth of its chapter. The first place gets the id that
 * the glossary points to. Returns undefined for the others.
 */
function enterTerm(context: Context, word: string, means: string, node: TextDirective): string | undefined {
  const { terms } = context.book;
  const known = terms.find((term) => term.word.toLowerCase() === word.toLowerCase());
  if (!known) {
    const id = `term-${slugOf(word)}`;
    terms.push({ word, means, id, chapter: context.chapter });
    return id;
  }
  if (known.chapter !== context.chapter || known.means !== means) {
    context.chapter.report(node, `The term "${word}" is already explained in ${known.chapter.file}, as "${known.means}".`);
  }
  return undefined;
}

/** A mark follows its word without a space, however the author wrote it. */
function joined(content: readonly ElementContent[]): ElementContent[] {
  return content.map((node, at) => {
    const next = content[at + 1];
    return node.type === 'text' && next?.type === 'text' && next.value === joiner.value ? { ...node, value: node.value.trimEnd() } : node;
  });
}

/** A browser may break a line between an equation and the sign behind it: the two are kept together. */
function withSigns(content: readonly ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  for (const node of content) {
    const before = kept.at(-1);
    const sign = node.type === 'text' && before && isElement(before) && before.tagName === 'math' ? /^[.,:;!?)\]’”…]+/.exec(node.value)?.[0] : undefined;
    if (sign === undefined || node.type !== 'text') kept.push(node);
    else kept.splice(-1, 1, h('span', { className: ['keeps'] }, [before!, sign]), { ...node, value: node.value.slice(sign.length) });
  }
  return kept;
}

function noteElements(content: ElementContent[], kind = 'numbered-note'): ElementContent[] {
  const mark: ElementContent[] = kind === 'numbered-note' ? [joiner, h('sup', { className: ['note-mark'], ariaHidden: 'true' })] : [];
  return [...mark, h('span', { className: ['note', kind], role: 'note' }, content)];
}

/** The notes of a paragraph once more, as blocks; ids stay with the first copy. */
function notesIn(content: readonly ElementContent[]): ElementContent[] {
  return content.flatMap((node) => {
    if (!isElement(node)) return [];
    const classes = node.properties['className'];
    if (!Array.isArray(classes) || !classes.includes('note')) return notesIn(node.children);
    const copy = structuredClone(node);
    dropIds(copy);
    copy.tagName = 'p';
    copy.properties['className'] = ['note-below', ...classes.filter((name) => name !== 'note')];
    return [copy];
  });
}

function dropIds(node: ElementContent): void {
  if (!isElement(node)) return;
  delete node.properties['id'];
  node.children.forEach(dropIds);
}

const joiner = { type: 'text' as const, value: '\u2060' };

/** "[3]", a link to the list of references. Undefined, and a problem, when there is no such reference. */
export function citation(context: Context, id: string, node: Parameters<Context['chapter']['report']>[0]): [typeof joiner, Element] | undefined {
  const entry = context.book.references.get(id);
  if (!entry) {
    context.chapter.report(node, `There is no reference "${id}" in references.json.`);
    return undefined;
  }
  if (!context.cited.includes(id)) context.cited.push(id);
  const times = (context.citings.get(id) ?? 0) + 1;
  context.citings.set(id, times);
  const number = context.cited.indexOf(id) + 1;
  // Joined to the word before it: no line begins with a reference.
  return [joiner, h('a', {
    className: ['cite'],
    id: `cite-${id}-${times}`,
    href: `#ref-${id}`,
    role: 'doc-biblioref',
    ariaLabel: `Reference ${number}: ${entry.authors[0]} ${entry.year}`,
  }, `[${number}]`)];
}

export function referenceList(context: Context): ElementContent[] {
  if (context.cited.length === 0) return [];
  const items = context.cited.map((id) =>
    h('li', { id: `ref-${id}`, tabIndex: -1 }, [
      ...referenceText(context.book.references.get(id)!),
      '\u00a0',
      h('a', { className: ['back'], href: `#cite-${id}-1`, ariaLabel: 'Back to the text', dataCites: id }, '↩'),
    ]),
  );
  return [
    h('section', { className: ['references'], ariaLabelledBy: 'references' }, [
      h('h2', { id: 'references' }, 'References'),
      h('ol', items),
    ]),
  ];
}
