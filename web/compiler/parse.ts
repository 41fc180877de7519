// A chapter's source: front matter and the tree of its Markdown.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Paragraph, PhrasingContent, Root } from 'mdast';
import remarkDirective from 'remark-directive';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';
import type { HeadWanted } from './heads.ts';
import { reporter, sentenceOf, type Problem, type Report } from './problems.ts';

export interface Chapter {
  /** File name, "02-searching.md". */
  file: string;
  /** File name without ".md"; what cross references and the page's address use. */
  slug: string;
  number: number;
  title: string;
  /** One sentence. */
  summary: string;
  /** Heads of the little model that the chapter speaks of, by name. */
  heads: Record<string, HeadWanted>;
  tree: Root;
  report: Report;
}

const processor = unified()
  .use(remarkParse)
  .use(remarkFrontmatter)
  .use(remarkGfm, { singleTilde: false })
  .use(remarkMath)
  .use(remarkDirective);

export async function parseChapter(path: string, problems: Problem[]): Promise<Chapter> {
  const file = basename(path);
  const report = reporter(problems, file);
  const tree = processor.parse(await readFile(path, 'utf8')) as Root;
  return { file, slug: file.replace(/\.md$/, ''), tree, report, ...frontMatter(tree, report) };
}

function frontMatter(tree: Root, report: Report): Pick<Chapter, 'number' | 'title' | 'summary' | 'heads'> {
  const [first] = tree.children;
  let data: Record<string, unknown> = {};
  if (first?.type === 'yaml') {
    try {
      data = (parseYaml(first.value) ?? {}) as Record<string, unknown>;
    } catch (error) {
      report(first, `The front matter is not YAML: ${sentenceOf(error)}`);
    }
    tree.children.shift();
  } else {
    report(1, 'The chapter must begin with front matter: title, number and summary between two lines "---".');
  }
  const text = (key: string): string => {
    const value = data[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    report(1, `The front matter needs "${key}", a text.`);
    return '';
  };
  const number = data['number'];
  if (!Number.isInteger(number)) report(1, 'The front matter needs "number", a whole number.');
  return { number: Number.isInteger(number) ? (number as number) : 0, title: text('title'), summary: text('summary'), heads: headsOf(data['heads'], report) };
}

function headsOf(data: unknown, report: Report): Record<string, HeadWanted> {
  const heads = (data ?? {}) as Record<string, HeadWanted>;
  for (const [name, wanted] of Object.entries(heads)) {
    if (!/^[a-z][a-z-]*$/.test(name)) report(1, `heads: "${name}" is no name: it is made of lower-case letters and hyphens.`);
    const whole = (['text', 'from', 'to'] as const).every((key) => typeof wanted?.[key] === 'string' && wanted[key] !== '');
    if (!whole) report(1, `heads: ${name} needs text, from and to.`);
  }
  return heads;
}

/** Markdown that stands in an attribute, such as a caption; its nodes get the place of the directive. */
export function parsePhrase(source: string, place: { position?: Paragraph['position'] }): PhrasingContent[] {
  const tree = processor.parse(source) as Root;
  visit(tree, (node) => {
    if (place.position) node.position = place.position;
  });
  return tree.children.flatMap((node) => (node.type === 'paragraph' ? node.children : []));
}
