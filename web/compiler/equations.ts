// Equations: LaTeX to MathML at build time. Temml writes some style attributes, which the page's policy forbids, so
// each different style becomes a class of the book's own style sheet.

import { createHash } from 'node:crypto';
import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { h } from 'hastscript';
import temml from 'temml';
import { visit } from 'unist-util-visit';
import { sentenceOf } from './problems.ts';

/** What the equations of the whole book need: classes for their styles, and glyphs. */
export interface EquationNeeds {
  /** Declarations by class name. */
  styles: Map<string, string>;
  characters: Set<string>;
}

// The colour of a query, key or value belongs to the theme, so the macros set a class.
const macros = {
  '\\query': '\\class{q}{#1}',
  '\\key': '\\class{k}{#1}',
  '\\val': '\\class{v}{#1}',
};

/** Throws an Error with Temml's sentence when the LaTeX is wrong. */
export function equation(source: string, display: boolean, needs: EquationNeeds): ElementContent {
  // A wide equation scrolls inside its own frame, also by keyboard. Its statements may stand under one another.
  if (display) return h('div', { className: ['equation'], tabIndex: 0, role: 'group', ariaLabel: 'Equation' }, statementsOf(source).map((statement) => math(statement, true, needs)));
  return math(source, false, needs);
}

/** What \qquad sets apart, where it stands within nothing else. */
function statementsOf(source: string): string[] {
  const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0;
  const open = (text: string) => count(text, /(?<!\\)\{|\\begin\b|\\left\b/g) - count(text, /(?<!\\)\}|\\end\b|\\right\b/g);
  return source.split(/\\qquad(?![a-zA-Z])/).reduce<string[]>((whole, part) => {
    const last = whole.at(-1);
    return last !== undefined && open(last) > 0 ? [...whole.slice(0, -1), `${last}\\qquad${part}`] : [...whole, part];
  }, []);
}

function math(source: string, display: boolean, needs: EquationNeeds): ElementContent {
  let markup: string;
  try {
    markup = temml.renderToString(source, { displayMode: display, throwOnError: true, trust: (context) => context.command === '\\class', macros });
  } catch (error) {
    // What breaks Temml itself is told in words of our own.
    const broken = error instanceof TypeError || error instanceof RangeError;
    throw new Error(`Equation "${source}": ${broken ? 'this is no LaTeX that can be set.' : sentenceOf(error)}`);
  }
  const tree = fromHtml(markup, { fragment: true });
  visit(tree, (node) => {
    if (node.type === 'text') for (const character of node.value) needs.characters.add(character);
    if (node.type !== 'element') return;
    if (node.tagName === 'msqrt' && isLow(node)) addClass(node, 'low');
    if (typeof node.properties['style'] !== 'string') return;
    addClass(node, styleClass(node.properties['style'], needs.styles));
    delete node.properties['style'];
  });
  return tree.children[0] as ElementContent;
}

/** Whether what stands under a root is no higher than letters with an index: base.css closes the gap after such roots. */
function isLow(root: Element): boolean {
  let low = true;
  visit(root, 'element', (node) => {
    if (node !== root && !['mrow', 'mi', 'mn', 'mo', 'mtext', 'msub'].includes(node.tagName)) low = false;
  });
  return low;
}

function addClass(node: Element, name: string): void {
  const classes = node.properties['className'];
  node.properties['className'] = [...(Array.isArray(classes) ? classes : []), name];
}

function styleClass(style: string, styles: Map<string, string>): string {
  const name = `tm-${createHash('sha256').update(style).digest('hex').slice(0, 6)}`;
  styles.set(name, style);
  return name;
}

export function equationSheet(needs: EquationNeeds): string {
  return [...needs.styles].map(([name, style]) => `.${name} { ${style} }`).sort().join('\n');
}
