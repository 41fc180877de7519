// The three depths. Every block of a depth is in the page; the style sheet shows those of the section's depth, which is
// the page's unless the reader has set the section apart.

import type { Element, ElementContent } from 'hast';
import type { ContainerDirective } from 'mdast-util-directive';
import { h } from 'hastscript';
import { visit } from 'unist-util-visit';
import { children, isElement, type Handler } from './context.ts';

const depths = ['plain', 'detail', 'math', 'beyond-plain'];

export const depthHandlers: Record<string, Handler> = Object.fromEntries(
  depths.map((depth) => [depth, (state, node: ContainerDirective) => h('div', { className: ['for', `for-${depth}`] }, children(state, node))]),
);

/** Gathers a chapter's blocks into passages: what stands before the first heading, then one a heading of level 2. */
export function intoSections(blocks: readonly ElementContent[]): Element[] {
  const sections: Element[] = [];
  let open: Element | undefined;
  for (const block of blocks) {
    if (block.type === 'text' && block.value.trim() === '') continue;
    const element = isElement(block) ? block : undefined;
    if (element && hasClass(element, 'summary')) {
      sections.push(element);
      open = undefined;
      continue;
    }
    const heading = element?.tagName === 'h2' ? element : undefined;
    if (heading || !open) sections.push((open = h('section', heading ? { ariaLabelledBy: String(heading.properties['id']) } : {})));
    open.children.push(block);
  }
  for (const section of sections) section.properties['dataPassage'] = hasDepths(section) ? 'depths' : 'one';
  return sections;
}

function hasClass(element: Element, name: string): boolean {
  const classes = element.properties['className'];
  return Array.isArray(classes) && classes.includes(name);
}

function hasDepths(section: Element): boolean {
  let found = false;
  visit(section, 'element', (node) => {
    if (hasClass(node, 'for')) found = true;
  });
  return found;
}
