// Guess-first questions, exercises and the closing summary.
//
// Without a script a question is plain text with its answer folded away. The reader script turns it into one that
// keeps the answer until the reader commits.

import type { ElementContent } from 'hast';
import type { List, ListItem, RootContent } from 'mdast';
import type { ContainerDirective } from 'mdast-util-directive';
import type { State } from 'mdast-util-to-hast';
import { toString } from 'mdast-util-to-string';
import { h } from 'hastscript';
import { plain } from '../marks/number.ts';
import { children, type Context, type Handler } from './context.ts';

export function questionHandlers(context: Context): Record<string, Handler> {
  return {
    guess: (state, node) => question(context, state, node, 'Guess first'),
    exercise: (state, node: ContainerDirective) =>
      question(context, state, node, context.anchors.get(node.attributes?.['id'] ?? '')?.label ?? ''),
    summary: (state, node) =>
      h('section', { className: ['summary'], ariaLabelledBy: 'summary' }, [h('h2', { id: 'summary' }, 'Summary'), ...children(state, node)]),
  };
}

function question(context: Context, state: State, node: ContainerDirective, kind: string): ElementContent {
  const report = (message: string) => context.chapter.report(node, message);
  const id = node.attributes?.['id'] ?? '';
  const rule = node.children.findIndex((child) => child.type === 'thematicBreak');
  if (rule < 0) report(`"${id}" needs its explanation, after an empty line, a line "---" and an empty line.`);
  const asked = rule < 0 ? node.children : node.children.slice(0, rule);
  const told = rule < 0 ? [] : node.children.slice(rule + 1);
  const list = asked.find(isChoices);
  const answer = node.attributes?.['answer'];
  if (list && answer) report(`"${id}" has choices and answer="…"; it takes one of the two.`);
  if (!list && !answer) report(`"${id}" needs choices ("- [x] right", "- [ ] wrong") or answer="…", a number.`);
  const ways = list ? choices(state, list, { id, many: /\bTick all\b/.test(asked.map((child) => toString(child)).join(' ')) }, report) : numberField(node, id, report);
  const ask = asked.filter((child) => child !== list);
  return h('div', { className: ['question', node.name], id, role: 'group', ariaLabelledBy: `${id}-kind ${id}-text`, dataQuestion: list ? 'choice' : 'number', ...freshness(node) }, [
    h('p', { className: ['question-kind'], id: `${id}-kind` }, kind),
    h('div', { className: ['question-text'], id: `${id}-text` }, convert(state, ask)),
    ...ways,
    h('details', { className: ['question-answer'] }, [h('summary', 'Answer'), ...rightAnswer(state, list, answer, node), ...convert(state, told)]),
  ]);
}

/** What the page's script needs to ask the same with other numbers. */
function freshness({ attributes }: ContainerDirective): Record<string, string> {
  const { fresh, lesson, input, at } = attributes ?? {};
  return fresh && lesson ? { dataFresh: fresh, dataLesson: lesson, dataInput: input ?? '{}', dataAt: at ?? '' } : {};
}

function convert(state: State, nodes: readonly RootContent[]): ElementContent[] {
  return children(state, { type: 'root', children: [...nodes] });
}

function isChoices(node: RootContent): node is List {
  return node.type === 'list' && node.children.length > 0 && node.children.every((item) => typeof item.checked === 'boolean');
}

/** `many`: the question asks for all that are right. How many these are must not show by what can be ticked. */
function choices(state: State, list: List, { id, many }: { id: string; many: boolean }, report: (message: string) => void): ElementContent[] {
  const right = list.children.filter((item) => item.checked).length;
  if (right === 0 || list.children.length < 2) report(`"${id}" needs at least two choices, one of them marked "- [x]".`);
  if (!list.children.every(hasWords)) report(`"${id}": a choice needs words beside its equation, by which voices name it.`);
  if (right > 1 && !many) report(`"${id}" has more than one right choice, so it must say “Tick all …”.`);
  const type = many ? 'checkbox' : 'radio';
  const rows = list.children.map((item, at) =>
    h('label', { className: ['choice'], dataRight: item.checked ? 'yes' : undefined }, [
      h('input', { type, name: `${id}-choice`, value: String(at), autoComplete: 'off' }),
      h('span', { className: ['choice-text'] }, itemContent(state, item)),
      h('span', { className: ['choice-verdict'] }),
    ]),
  );
  return [h('fieldset', { className: ['choices'], ariaLabelledBy: `${id}-text` }, rows)];
}

function hasWords(item: ListItem): boolean {
  return item.children.some((child) => child.type !== 'paragraph' || child.children.some((part) => part.type !== 'inlineMath' && toString(part).trim() !== ''));
}

/** A choice's words, without the paragraph around them: they stand in a label. */
function itemContent(state: State, item: ListItem): ElementContent[] {
  return item.children.flatMap((child) => (child.type === 'paragraph' ? children(state, child) : children(state, { type: 'root', children: [child] })));
}

function numberField(node: ContainerDirective, id: string, report: (message: string) => void): ElementContent[] {
  const { answer, tolerance, unit } = node.attributes ?? {};
  for (const [key, value] of Object.entries({ answer, tolerance })) {
    if (value && !Number.isFinite(Number(value))) report(`"${id}": ${key}="${value}" is no number.`);
  }
  return [
    h('p', { className: ['answer-line', 'needs-script'] }, [
      h('label', { htmlFor: `${id}-field` }, 'Your answer'),
      h('input', {
        className: ['field'], id: `${id}-field`, type: 'text', inputMode: 'decimal', autoComplete: 'off', size: 8,
        dataAnswer: answer ?? '', dataTolerance: tolerance ?? '0',
      }),
      ...(unit ? [h('span', { className: ['unit'] }, unit)] : []),
    ]),
  ];
}

/** What was right, in words, for readers without a script and for the moment after the guess. */
function rightAnswer(state: State, list: List | undefined, answer: string | null | undefined, node: ContainerDirective): ElementContent[] {
  if (!list) {
    const unit = node.attributes?.['unit'];
    return [h('p', { className: ['right-answer'] }, ['Answer: ', h('span', { className: ['num'] }, `${plain(Number(answer))}${unit ? `\u00a0${unit}` : ''}`)])];
  }
  const right = list.children.filter((item) => item.checked);
  return right.map((item) => h('p', { className: ['right-answer'] }, itemContent(state, item)));
}
