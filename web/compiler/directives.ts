// The directives an author may use, and which attributes each takes. Anything else is a problem with its line.

import type { Root } from 'mdast';
import type { ContainerDirective, LeafDirective, TextDirective } from 'mdast-util-directive';
import { visit } from 'unist-util-visit';
import type { Report } from './problems.ts';

export type Directive = ContainerDirective | LeafDirective | TextDirective;

interface Rule {
  type: Directive['type'];
  needs?: readonly string[];
  may?: readonly string[];
  /** Attributes are free: they are checked elsewhere. */
  free?: true;
}

const rules: Record<string, Rule> = {
  plain: { type: 'containerDirective' },
  detail: { type: 'containerDirective' },
  math: { type: 'containerDirective' },
  'beyond-plain': { type: 'containerDirective' },
  guess: { type: 'containerDirective', needs: ['id'] },
  exercise: { type: 'containerDirective', needs: ['id'], may: ['answer', 'tolerance', 'unit', 'lesson', 'input', 'at', 'fresh', 'formula'] },
  summary: { type: 'containerDirective' },
  figure: { type: 'leafDirective', needs: ['id', 'name'], free: true },
  q: { type: 'textDirective' },
  k: { type: 'textDirective' },
  v: { type: 'textDirective' },
  note: { type: 'textDirective' },
  cite: { type: 'textDirective' },
  term: { type: 'textDirective', needs: ['means'] },
  fact: { type: 'textDirective', needs: ['ref'] },
  recorded: { type: 'textDirective', needs: ['ref'], may: ['claim'] },
  claim: { type: 'textDirective', may: ['lesson', 'command', 'practice', 'input', 'model', 'head', 'at', 'as', 'within'] },
  given: { type: 'textDirective' },
  fresh: { type: 'textDirective', may: ['of', 'at', 'as'] },
};

const written = { textDirective: ':name[…]', leafDirective: '::name', containerDirective: ':::name' };

export function isDirective(node: { type: string }): node is Directive {
  return node.type in written;
}

export function checkDirectives(tree: Root, report: Report): void {
  visit(tree, (node) => {
    if (node.type === 'html') report(node, 'HTML does not belong in a chapter; use a directive.');
    if (node.type === 'image' || node.type === 'imageReference') report(node, 'A picture does not belong in a chapter; write a figure.');
    if (node.type === 'heading' && node.depth === 1) report(node, 'The title comes from the front matter; begin with "##".');
    if (!isDirective(node)) return;
    const rule = Object.hasOwn(rules, node.name) ? rules[node.name] : undefined;
    const marks = written[node.type].replace('name', node.name);
    if (!rule) return report(node, `"${marks}" is no directive; a colon before a word is written "\\:".`);
    if (rule.type !== node.type) return report(node, `"${marks}" must be written "${written[rule.type].replace('name', node.name)}".`);
    const attributes = node.attributes ?? {};
    for (const key of rule.needs ?? []) {
      if (!attributes[key]) report(node, `"${marks}" needs ${key}="…".`);
    }
    const known: readonly string[] = [...(rule.needs ?? []), ...(rule.may ?? [])];
    if (rule.free) return;
    for (const key of Object.keys(attributes)) {
      if (!known.includes(key)) report(node, `"${marks}" takes no attribute "${key}"${known.length ? `; it takes ${known.join(', ')}` : ''}.`);
    }
  });
}
