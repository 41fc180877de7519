// Numbers that the build works out. A claim says what to ask and where in the answer its number stands:
//
//   :claim[73 %]{lesson="softmax" input='{"scores":[1,0]}' at="/shares/0" as="percent"}   a toy world
//   :claim{command="inside" input='{"text":"Hello"}' at="/attention/mean/0" as="percent"}  the program, on the little model
//   :claim{practice="repeats" input='{"steps":600}' at="/reading/known_right" as="percent"} a training from nothing
//   :claim{model="little" at="/config/n_layers" as="integer"}                              the little model itself
//   :claim{head="receiver"}, :claim{head="receiver" at="/share" as="percent"}              a head that the front matter names
//
// A claim with a text fails the build when the core computes something else at the precision displayed. One without gets
// its text from the core, since a trained model may change; within="0.3..1" then says in which bounds the sentence around
// it holds. Head names of the front matter may stand in the input of a command, as its "head".

import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import type { LessonName } from '../engine/types.ts';
import { formats } from '../marks/formats.ts';
import { plain } from '../marks/number.ts';
import { parseFresh, type FreshRange } from '../state/fresh.ts';
import { at } from '../state/pointer.ts';
import type { Context } from './context.ts';
import { isDirective, type Directive } from './directives.ts';
import { sentenceOf } from './problems.ts';

/** A displayed number without its dress: "−1 024.50 %" becomes "-1024.50". */
export function bare(text: string): string {
  const digits = text.replace(/[\s\u00a0\u2009\u202f,%]/g, '').replace('\u2212', '-').replace(/^\+/, '');
  return /^-0(\.0*)?$/.test(digits) ? digits.slice(1) : digits;
}

/** Checks and fills in every claim of a chapter; returns how many there are. */
export async function checkClaims(context: Context): Promise<number> {
  const checks: Promise<void>[] = [];
  visit(context.chapter.tree, (node) => {
    if (!isDirective(node)) return;
    if (node.name === 'claim') checks.push(checkClaim(node, context));
    if (node.name === 'exercise' && node.attributes?.['lesson']) checks.push(checkAnswer(node, context));
  });
  await Promise.all(checks);
  return checks.length;
}

async function checkClaim(node: Directive, context: Context): Promise<void> {
  const report = (message: string) => context.chapter.report(node, message);
  const written = toString(node);
  const computed = await compute(node, context);
  if (computed === undefined) return;
  const as = node.attributes?.['as'] ?? (isName(node) ? 'text' : '');
  const format = as === 'text' ? String : Object.hasOwn(formats, as) ? formats[as] : undefined;
  if (!format) return report(`A claim is displayed as one of ${Object.keys(formats).join(', ')} or text, not "${as}".`);
  if (as !== 'text' && typeof computed !== 'number') return report(`${asked(node)} is ${JSON.stringify(computed)}, not a number.`);
  checkBounds(node, computed, report);
  const shown = format(computed as number);
  if (written === '') node.children = [{ type: 'text', value: shown }];
  else if (as === 'text' ? shown !== written : bare(shown) !== bare(written)) report(differs(written, shown, node));
}

/** A head alone stands for its name. */
function isName({ attributes }: Directive): boolean {
  return Boolean(attributes?.['head'] && !attributes['at']);
}

/** "0.3..1": the sentence around the number holds from 0.3 to 1. */
function checkBounds(node: Directive, computed: unknown, report: (message: string) => void): void {
  const within = node.attributes?.['within'];
  if (!within) return;
  const [least = NaN, most = NaN] = within.split('..').map(Number);
  if (!(least <= most)) return report(`within="${within}" must be two numbers, such as 0.3..1.`);
  if (!(typeof computed === 'number' && computed >= least && computed <= most)) {
    report(`The sentence holds from ${least} to ${most}, the core computes ${computed} (${asked(node)}).`);
  }
}

/** An exercise may name the lesson that gives its answer; it must lie within the tolerance, and its fresh numbers agree. */
async function checkAnswer(node: Directive, context: Context): Promise<void> {
  const answer = Number(node.attributes?.['answer']);
  const tolerance = Number(node.attributes?.['tolerance'] ?? 0);
  const computed = await compute(node, context);
  if (computed === undefined) return;
  const near = typeof computed === 'number' && Math.abs(computed - answer) <= Math.max(tolerance, 1e-9);
  if (!near) context.chapter.report(node, differs(String(answer), String(computed), node));
  await checkFresh(node, context);
}

/** Each :fresh number of an exercise is what the lesson's input or its answer has at its place. */
async function checkFresh(exercise: Directive, context: Context): Promise<void> {
  const { input = '{}', fresh } = exercise.attributes ?? {};
  const given = JSON.parse(input ?? '{}') as unknown;
  const answer = await answerOf(exercise, context);
  const ranges = fresh ? parseRanges(fresh, exercise, context) : [];
  for (const { pointer } of ranges) if (typeof at(given, pointer) !== 'number') context.chapter.report(exercise, `fresh: the input has no number at ${pointer}.`);
  visit(exercise, (node) => {
    if (!isDirective(node) || node.name !== 'fresh') return;
    const { of, at: place, as = 'number' } = node.attributes ?? {};
    const format = Object.hasOwn(formats, as ?? '') ? formats[as ?? ''] : undefined;
    const value = of ? at(given, of) : at(answer, place ?? '');
    if (!ranges.length || !format || typeof value !== 'number') return context.chapter.report(node, ':fresh needs of="…", a place in the input of its exercise, or at="…" and as="…" of the answer; the exercise needs fresh="…".');
    const shown = of ? plain(value) : format(value);
    if (bare(shown) !== bare(toString(node))) context.chapter.report(node, `":fresh[${toString(node)}]" is ${shown} in the exercise’s numbers.`);
  });
}

function parseRanges(fresh: string, node: Directive, context: Context): FreshRange[] {
  try {
    return parseFresh(fresh);
  } catch (problem) {
    context.chapter.report(node, sentenceOf(problem));
    return [];
  }
}

/** Undefined after a report. */
async function compute(node: Directive, context: Context): Promise<unknown> {
  try {
    const value = at(await answerOf(node, context), isName(node) ? '/name' : (node.attributes?.['at'] ?? ''));
    if (value === undefined) throw new Error('there is nothing there.');
    return value;
  } catch (error) {
    context.chapter.report(node, `${asked(node)}: ${sentenceOf(error)}`);
    return undefined;
  }
}

async function answerOf(node: Directive, { book, heads }: Context): Promise<unknown> {
  const { lesson, command, practice, model, head, input = '{}' } = node.attributes ?? {};
  const ways = [lesson, command, practice, model, head].filter(Boolean);
  if (ways.length !== 1) throw new Error('a claim needs one of lesson, command, practice, model and head.');
  if (lesson) return book.engine.lesson(lesson as LessonName, JSON.parse(input ?? '{}'));
  if (command) return book.native.command(command, headsNamed(JSON.parse(input ?? '{}'), heads));
  if (practice) return book.native.practice(practice, JSON.parse(input ?? '{}'));
  if (model) return book.engine.inUse();
  const found = heads.get(head!);
  if (!found) throw new Error(`the front matter names no such head; it names ${[...heads.keys()].join(', ') || 'none'}.`);
  return found;
}

function headsNamed(options: Record<string, unknown>, heads: Context['heads']): Record<string, unknown> {
  const found = heads.get(String(options['head']));
  return found ? { ...options, head: found.name } : options;
}

function asked(node: Directive): string {
  const { lesson, command, practice, model, head, input, at: pointer } = node.attributes ?? {};
  const what = lesson ? `lesson ${lesson} on ${input}` : practice ? `practice ${practice} on ${input ?? '{}'}` : command ? `${command} on ${input}` : model ? `model ${model}` : `head ${head}`;
  return pointer ? `${what} at ${pointer}` : what;
}

function differs(written: string, computed: string, node: Directive): string {
  return `The chapter says ${written}, the core computes ${computed} (${asked(node)}).`;
}
