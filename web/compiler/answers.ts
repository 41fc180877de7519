// The answer key: every question of the book with its right answer and the reason, taken from the compiled chapters.

import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import { visit } from 'unist-util-visit';
import { plain } from '../marks/number.ts';
import type { CompiledChapter } from './chapter.ts';
import { lessonTime } from './contents.ts';
import { isElement, type Book } from './context.ts';
import { isDirective } from './directives.ts';
import { equation } from './equations.ts';
import { nameParts } from './formula.ts';
import { lengthsOf } from './length.ts';
import { pageHtml, type Assets } from './page.ts';
import type { Chapter } from './parse.ts';
import { sentenceOf } from './problems.ts';
import { workOut } from './worked.ts';

type Attributes = Record<string, string | null | undefined>;

export async function answersPage(compiled: readonly CompiledChapter[], book: Book, assets: Assets): Promise<string> {
  const chapters: Element[] = [];
  for (const { chapter, sections } of compiled) {
    const exercises = exercisesOf(chapter);
    const entries: Element[] = [];
    for (const { element, remark } of questionsIn(sections)) entries.push(await entry(element, remark, chapter, exercises, book));
    const id = `chapter-${chapter.number}`;
    chapters.push(h('section', { ariaLabelledBy: id }, [
      h('h2', { id }, [h('a', { href: `${chapter.slug}.html` }, `${chapter.number} ${chapter.title}`)]),
      h('p', { className: ['lesson-rule'] }, ['Lesson time: ', ...lessonTime(lengthsOf(sections)), '.']),
      ...entries,
    ]));
  }
  const content = [
    h('article', { className: ['front', 'answers'] }, [
      h('header', { className: ['opening'] }, [
        h('h1', 'Answer key'),
        h('p', { className: ['standfirst'] }, 'For teachers: every question of the book, its right answer, and why.'),
      ]),
      h('p', 'Some exercises can be asked with other numbers. For these the rule is given, and three examples that the book’s core worked out when this page was built, by the code that checks a reader’s answer.'),
      ...chapters,
    ]),
  ];
  return pageHtml({ book, assets, title: 'Answer key · Lookback', description: 'Every question of the book with its answer, for teachers.', noindex: true, hasEquations: true, content });
}

function exercisesOf({ tree }: Chapter): Map<string, Attributes> {
  const found = new Map<string, Attributes>();
  visit(tree, (node) => {
    if (isDirective(node) && node.name === 'exercise') found.set(node.attributes?.['id'] ?? '', node.attributes ?? {});
  });
  return found;
}

/** The questions of a chapter in the order of the text, each with the depths that show it. */
function questionsIn(sections: readonly ElementContent[]): { element: Element; remark: string }[] {
  const found: { element: Element; remark: string }[] = [];
  const remarks: Record<string, string> = { 'for-plain': 'Plain only', 'for-beyond-plain': 'Detail and Math', 'for-detail': 'Detail only', 'for-math': 'Math only' };
  const walk = (node: ElementContent, remark: string): void => {
    if (!isElement(node)) return;
    const depth = classesOf(node).find((name) => Object.hasOwn(remarks, name));
    const here = depth ? remarks[depth]! : remark;
    if (classesOf(node).includes('question')) found.push({ element: node, remark: here });
    else node.children.forEach((child) => walk(child as ElementContent, here));
  };
  sections.forEach((section) => walk(section, ''));
  return found;
}

async function entry(question: Element, remark: string, chapter: Chapter, exercises: ReadonlyMap<string, Attributes>, book: Book): Promise<Element> {
  const id = String(question.properties['id']);
  const part = (name: string) => inner(question, name, chapter);
  const options = all(question, 'choice').map((choice) =>
    h('li', { className: choice.properties['dataRight'] === undefined ? undefined : ['is-right'] }, [
      ...inner(choice, 'choice-text', chapter),
      ...(choice.properties['dataRight'] === undefined ? [] : [' ', h('b', { className: ['key-right'] }, 'right')]),
    ]),
  );
  const told = first(question, 'question-answer')!.children.filter((child) => !(isElement(child, 'summary') || (isElement(child) && classesOf(child).includes('right-answer'))));
  return h('section', { className: ['key-entry'], id: `${chapter.slug}-${id}` }, [
    h('h3', [h('a', { href: `${chapter.slug}.html#${id}` }, part('question-kind')), ...(remark ? [' ', h('span', { className: ['key-depth'] }, remark)] : [])]),
    ...part('question-text'),
    ...(options.length > 0 ? [h('ul', { className: ['key-choices'] }, options)] : [h('p', { className: ['key-answer'] }, [...part('right-answer'), ...tolerated(exercises.get(id))])]),
    ...elsewhere(told as ElementContent[], chapter),
    ...(await otherNumbers(exercises.get(id), chapter, book)),
  ]);
}

function tolerated(attributes: Attributes = {}): ElementContent[] {
  const tolerance = Number(attributes['tolerance']) || 0;
  return tolerance > 0 ? [{ type: 'text', value: `, give or take ${plain(tolerance)}` }] : [];
}

async function otherNumbers(attributes: Attributes | undefined, chapter: Chapter, book: Book): Promise<ElementContent[]> {
  if (!attributes?.['fresh'] || !attributes['lesson']) return [];
  try {
    const { names, formula, examples } = await workOut(attributes, book.engine);
    const unit = attributes['unit'] ? ` in ${attributes['unit']}` : '';
    return [
      h('p', ['With other numbers', ...(formula ? [', the answer is ', equation(formula.latex, false, book.equations)] : []), ':']),
      h('div', { className: ['wide'], tabIndex: 0, role: 'group', ariaLabel: `Examples of ${attributes['id']}` }, [
        h('table', { className: ['key-examples'] }, [
          h('thead', [h('tr', [...names.map((name) => h('th', { scope: 'col' }, symbol(name))), h('th', { scope: 'col' }, `answer${unit}`)])]),
          h('tbody', examples.map(({ numbers, shown }) => h('tr', [...numbers.map((number) => h('td', plain(number))), h('td', { className: ['key-truth'] }, shown)]))),
        ]),
      ]),
    ];
  } catch (error) {
    chapter.report(0, sentenceOf(error));
    return [];
  }
}

/** As the formula writes it, in letters that every table header can have. */
function symbol(name: string): ElementContent[] {
  const { word, which } = nameParts(name);
  return [word.length === 1 ? h('i', word) : { type: 'text', value: word }, ...(which === '' ? [] : [h('sub', which)])];
}

// ------------------------------------------------------------------------------------------- taken out of its page

function classesOf(node: Element): readonly string[] {
  return (node.properties['className'] as string[] | undefined) ?? [];
}

function all(root: Element, name: string): Element[] {
  const found: Element[] = [];
  visit(root, 'element', (node) => {
    if (classesOf(node).includes(name)) found.push(node);
  });
  return found;
}

const first = (root: Element, name: string): Element | undefined => all(root, name)[0];

function inner(root: Element, name: string, chapter: Chapter): ElementContent[] {
  return elsewhere((first(root, name)?.children ?? []) as ElementContent[], chapter);
}

/** A copy for another page: without ids, and with links that lead to the chapter. */
function elsewhere(nodes: readonly ElementContent[], chapter: Chapter): ElementContent[] {
  const copies = structuredClone(nodes) as ElementContent[];
  visit(h('div', copies), 'element', (node) => {
    for (const key of ['id', 'dataOf', 'dataAt', 'dataAs', 'dataClaim', 'dataRef']) delete node.properties[key];
    const { href } = node.properties;
    if (typeof href === 'string' && href.startsWith('#')) node.properties['href'] = `${chapter.slug}.html${href}`;
    if (classesOf(node).includes('sets')) delete node.properties['className'];
  });
  return copies;
}
