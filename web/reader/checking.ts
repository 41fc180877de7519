// What makes an answer right. The page checks by it, and the build writes its answer key by it.

import type { Engine, LessonName } from '../engine/types.ts';
import type { FreshRange } from '../state/fresh.ts';
import { at, put } from '../state/pointer.ts';
import { readNumber } from '../state/schema.ts';

export function isNear(typed: string, truth: number, tolerance: number): boolean {
  return Math.abs(readAnswer(typed) - truth) <= Math.max(tolerance, 1e-9) * (1 + 1e-9);
}

/** A number or a fraction, NaN for anything else. A percent sign or spaces around it do not matter. */
export function readAnswer(typed: string): number {
  if (typed.length > 100) return NaN;
  const [above = '', below, ...more] = typed.replace(/[%\s\u202f]/g, '').split(/[/\u2044]/);
  if (more.length > 0) return NaN;
  const value = below === undefined ? readNumber(above) : readNumber(above) / readNumber(below);
  return Number.isFinite(value) ? value : NaN;
}

export interface AskedLesson {
  lesson: string;
  /** The place of the right number in the lesson's answer. */
  at: string;
}

/** What the core answers to an exercise with these numbers. */
export async function askCore(engine: Pick<Engine, 'lesson'>, { lesson, at: place }: AskedLesson, input: unknown): Promise<{ answer: unknown; truth: number }> {
  const answer = await engine.lesson(lesson as LessonName, input as never);
  const truth = at(answer, place);
  if (typeof truth !== 'number' || !Number.isFinite(truth)) throw new Error('The core has no number for this exercise.');
  return { answer, truth };
}

/** Numbers that were drawn before, put into the exercise's own input; null when anything about them is odd. */
export function redraw(input: unknown, ranges: readonly FreshRange[], kept: unknown): unknown {
  const drawn = ranges.map(({ pointer, from, to }) => {
    const number = at(kept, pointer);
    return typeof number === 'number' && number >= from && number <= to ? number : null;
  });
  return drawn.includes(null) ? null : ranges.reduce((whole, { pointer }, index) => put(whole, pointer, drawn[index]), input);
}
