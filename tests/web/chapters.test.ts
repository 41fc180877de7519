// The chapters as they were compiled: how long they are at each depth, how many exercises and passages that set a figure
// they have. Reads the site in web/dist.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fromHtml } from '../../web/node_modules/hast-util-from-html/index.js';
import { depths, lengthsOf } from '../../web/compiler/length.ts';

const dist = process.env['LOOKBACK_DIST'] ?? fileURLToPath(new URL('../../web/dist', import.meta.url));
const chapters = readdirSync(dist).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();

type Node = ReturnType<typeof fromHtml>['children'][number];
const classes = (node: Node): string[] => (node.type === 'element' ? ((node.properties['className'] as string[] | undefined) ?? []) : []);
const childrenOf = (node: Node): Node[] => ('children' in node ? (node.children as Node[]) : []);

function all(node: Node, found: (node: Node) => boolean): Node[] {
  return [...(found(node) ? [node] : []), ...childrenOf(node).flatMap((child) => all(child, found))];
}

function sectionsOf(name: string): Node[] {
  const [article] = fromHtml(readFileSync(join(dist, name), 'utf8')).children.flatMap((node) => all(node, (one) => one.type === 'element' && one.tagName === 'article'));
  return childrenOf(article!).filter((node) => node.type === 'element' && node.tagName === 'section');
}

it('are eight', () => expect(chapters).toHaveLength(8));

describe.each(chapters)('%s', (name) => {
  const sections = sectionsOf(name);
  const lengths = lengthsOf(sections as never);

  it('has 1,200 to 2,500 words at Detail up to its exercises', () => {
    expect(lengths.detail.words).toBeGreaterThanOrEqual(1200);
    expect(lengths.detail.words).toBeLessThanOrEqual(2500);
  });

  it('explains at Plain in about half of the words of Detail, and at Math in more', () => {
    const ratio = lengths.plain.prose / lengths.detail.prose;
    expect(ratio, `${lengths.plain.prose} of ${lengths.detail.prose} words`).toBeGreaterThanOrEqual(0.45);
    expect(ratio, `${lengths.plain.prose} of ${lengths.detail.prose} words`).toBeLessThanOrEqual(0.6);
    expect(lengths.math.prose).toBeGreaterThan(lengths.detail.prose);
  });

  it('has five exercises or more at every depth, two of them with fresh numbers and a rule in the answer key', () => {
    const fresh = sections.flatMap((section) => all(section, (node) => node.type === 'element' && node.properties['dataFresh'] !== undefined)).map((node) => String((node as { properties: { id: unknown } }).properties.id));
    for (const depth of depths) {
      expect(lengths[depth].exercises.length).toBeGreaterThanOrEqual(5);
      expect(lengths[depth].exercises.filter((id) => fresh.includes(id)).length).toBeGreaterThanOrEqual(2);
    }
    const key = readFileSync(join(dist, 'answers.html'), 'utf8');
    for (const id of fresh) {
      const entry = new RegExp(`<section class="key-entry" id="${name.replace('.html', '')}-${id}">.*?</section>`, 's').exec(key)![0];
      expect(entry).toContain('With other numbers, the answer is <math');
      expect(entry.match(/class="key-truth"/g)).toHaveLength(3);
    }
    for (const id of [...lengths.math.exercises, ...lengths.math.guesses]) expect(key).toContain(`href="${name}#${id}"`);
  });

  it('has three passages or more that set a figure, at every depth', () => {
    const hidden = { plain: ['for-detail', 'for-math', 'for-beyond-plain'], detail: ['for-plain', 'for-math'], math: ['for-plain', 'for-detail'] };
    for (const depth of depths) {
      const shown = (node: Node): Node[] =>
        classes(node).some((one) => [...hidden[depth], 'question', 'note-below'].includes(one)) ? [] : node.type === 'element' && ['p', 'li'].includes(node.tagName) ? [node] : childrenOf(node).flatMap(shown);
      const setting = sections.flatMap(shown).filter((passage) => all(passage, (node) => classes(node).includes('sets')).length > 0);
      expect(setting.length, depth).toBeGreaterThanOrEqual(3);
    }
  });

  it('ends its text with a numbered summary, by which it counts as read', () => {
    expect(sections.flatMap((section) => all(section, (node) => node.type === 'element' && node.properties['id'] === 'summary'))).toHaveLength(1);
  });
});
