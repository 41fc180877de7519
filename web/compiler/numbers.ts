// Numbers in the prose, each with its source: a fact of the literature, a figure recorded from GPT-2, a claim that the
// build has recomputed, or a number that an example gives.

import type { ElementContent } from 'hast';
import type { TextDirective } from 'mdast-util-directive';
import { h } from 'hastscript';
import { toString } from 'mdast-util-to-string';
import { children, type Context, type Handler } from './context.ts';
import { citation } from './notes.ts';
import { disagreement } from './recorded.ts';

export function numberHandlers(context: Context): Record<string, Handler> {
  // The reference is named once in a paragraph, however many of its numbers stand there.
  const named = { line: -1, ids: new Set<string>() };

  const referred = (kind: string): Handler => (state, node: TextDirective, parent) => {
    const line = parent?.position?.start.line ?? 0;
    if (line !== named.line) Object.assign(named, { line, ids: new Set<string>() });
    const { ref: id = '', claim } = (node.attributes ?? {}) as Record<string, string>;
    if (claim) {
      const wrong = disagreement(context.book.recorded, claim, toString(node));
      if (wrong) context.chapter.report(node, wrong);
    }
    const number = numeral(kind, children(state, node), claim ? { dataRef: id, dataClaim: claim } : { dataRef: id });
    if (named.ids.has(id)) return number;
    named.ids.add(id);
    const mark = citation(context, id, node);
    if (!mark) return number;
    // Raised and close, it would be read as the number's exponent.
    const [joiner, link] = mark;
    link.properties['className'] = ['cite', 'cite-number'];
    return [number, joiner, link];
  };

  return {
    fact: referred('fact'),
    recorded: referred('recorded'),
    claim: (state, node) => numeral('claim', children(state, node)),
    given: (state, node) => numeral('given', children(state, node)),
    // The page's script finds a fresh number by its place and writes another there.
    fresh: (state, node: TextDirective) => {
      const { of, at, as } = node.attributes ?? {};
      return numeral('given', children(state, node), of ? { dataOf: of } : { dataAt: at ?? '', dataAs: as ?? 'number' });
    },
  };
}

function numeral(kind: string, content: ElementContent[], properties: Record<string, string> = {}): ElementContent {
  const spaced = content.map((node) => (node.type === 'text' ? { ...node, value: narrow(node.value) } : node));
  return h('span', { className: ['num', kind], ...properties }, spaced);
}

/** Thousands and the percent sign keep close: "1,024", "1 024" and "73 %" get a narrow space that does not break. */
function narrow(text: string): string {
  return text.replace(/(\d)[ \u00a0,](?=\d{3}(?!\d))/g, '$1\u202f').replace(/(\d)[ \u00a0](?=%)/g, '$1\u202f');
}

/** How the numbers of the chapter are to be read: said once, at its end. */
export function numbersNote(counts: { claims: number; recorded: number }): ElementContent[] {
  const sentences: string[] = [];
  if (counts.claims > 0) {
    const many = counts.claims === 1 ? 'One number' : `${counts.claims} numbers`;
    sentences.push(`${many} of this chapter ${counts.claims === 1 ? 'was' : 'were'} recomputed by the book’s own core when this page was built.`);
  }
  if (counts.recorded > 0) {
    sentences.push('Numbers with dots below them were computed with the weights of GPT-2, which this page does not hold; the reference names the model. Open GPT-2 in a figure to compare them.');
  }
  return sentences.length === 0 ? [] : [h('p', { className: ['numbers-note'] }, sentences.join(' '))];
}
