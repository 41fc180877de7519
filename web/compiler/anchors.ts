// The places of a chapter that links may name, and the numbers of its figures and exercises.

import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { slugOf, type Anchor } from './context.ts';
import { isDirective } from './directives.ts';
import type { Chapter } from './parse.ts';

export function collectAnchors(chapter: Chapter): Map<string, Anchor> {
  const anchors = new Map<string, Anchor>();
  const count = { figure: 0, exercise: 0 };
  visit(chapter.tree, (node) => {
    const anchor = anchorOf(node);
    if (!anchor) return;
    if (!/^[a-z0-9\p{L}][\p{L}0-9-]*$/u.test(anchor.id)) {
      chapter.report(node, `"${anchor.id}" is no id: it is made of lower-case letters, digits and hyphens.`);
    }
    if (anchors.has(anchor.id)) chapter.report(node, `The id "${anchor.id}" is already taken in this chapter.`);
    anchors.set(anchor.id, anchor);
  });
  return anchors;

  function anchorOf(node: Parameters<typeof toString>[0] & { type: string }): Anchor | undefined {
    if (node.type === 'heading') {
      const label = toString(node);
      return { id: slugOf(label), kind: 'section', label };
    }
    if (!isDirective(node)) return undefined;
    const id = node.attributes?.['id'] ?? '';
    if (node.name === 'figure') {
      const label = `Figure ${chapter.number}.${++count.figure}`;
      return { id, kind: 'figure', label, figure: node.attributes?.['name'] ?? '' };
    }
    if (node.name === 'exercise') return { id, kind: 'exercise', label: `Exercise ${chapter.number}.${++count.exercise}` };
    if (node.name === 'guess') return { id, kind: 'guess', label: 'Guess first' };
    return undefined;
  }
}
