// How long a chapter is at each depth: words, figures, questions, and the lesson that they make. Works on a chapter's HTML
// tree, so that what is counted is what a reader meets.

import type { ElementContent } from 'hast';
import type { Depth } from '../state/page.ts';
import { isElement } from './context.ts';

export const depths: readonly Depth[] = ['plain', 'detail', 'math'];

export interface Length {
  /** Up to the exercises: the explanation, its notes, the summary and the questions to guess at. */
  words: number;
  /** The same without the questions, which are alike at every depth. */
  prose: number;
  figures: number;
  /** Those that stand on a line of their own. */
  equations: number;
  /** Ids. */
  guesses: string[];
  exercises: string[];
}

export type Lengths = Record<Depth, Length>;

/** Blocks that a depth hides: layout.css says the same. */
const hidden: Record<Depth, readonly string[]> = {
  plain: ['for-detail', 'for-math', 'for-beyond-plain'],
  detail: ['for-plain', 'for-math'],
  math: ['for-plain', 'for-detail'],
};

/** What stands twice, or beside the text. */
const silent = new Set(['references', 'numbers-note', 'heading-link', 'term-note', 'note-below', 'cite', 'question-kind', 'answer-line', 'right-answer']);

const blocks = new Set(['p', 'li', 'div', 'section', 'td', 'th', 'h2', 'h3', 'label', 'details']);

export function lengthsOf(sections: readonly ElementContent[]): Lengths {
  return Object.fromEntries(depths.map((depth) => [depth, lengthAt(depth, sections)])) as unknown as Lengths;
}

function lengthAt(depth: Depth, sections: readonly ElementContent[]): Length {
  const length: Length = { words: 0, prose: 0, figures: 0, equations: 0, guesses: [], exercises: [] };
  let prose = '';
  let guesses = '';
  const walk = (node: ElementContent, inGuess: boolean): void => {
    if (node.type === 'text') {
      if (inGuess) guesses += node.value;
      else prose += node.value;
    }
    if (!isElement(node)) return;
    const classes = (node.properties['className'] as string[] | undefined) ?? [];
    if (classes.some((name) => hidden[depth].includes(name) || silent.has(name))) return;
    if (node.properties['dataFigure'] !== undefined) return void length.figures++;
    if (classes.includes('equation')) return void length.equations++;
    if (node.tagName === 'math' || node.tagName === 'svg') return;
    const id = String(node.properties['id'] ?? '');
    if (classes.includes('exercise')) return void length.exercises.push(id);
    if (classes.includes('guess')) length.guesses.push(id);
    if (node.tagName === 'summary') return;
    const within = inGuess || classes.includes('guess');
    node.children.forEach((child) => walk(child as ElementContent, within));
    if (!blocks.has(node.tagName)) return;
    if (within) guesses += ' ';
    else prose += ' ';
  };
  sections.forEach((section) => walk(section, false));
  length.prose = countWords(prose);
  length.words = length.prose + countWords(guesses);
  return length;
}

function countWords(text: string): number {
  return text.replace(/[\u202f\u2060]/g, '').split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Minutes, a multiple of five. */
export function minutesOf({ words, figures, equations, guesses, exercises }: Length): number {
  const minutes = words / 150 + equations + 3 * figures + 2 * (guesses.length + exercises.length);
  return Math.max(5, 5 * Math.round(minutes / 5));
}

export const lessonRule = 'Lesson times count a minute for every 150 words and for every equation, three for a figure and two for a question, rounded to five.';
