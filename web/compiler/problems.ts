// What is wrong with a chapter, collected so that an author sees everything at once.

import type { Position } from 'unist';

export interface Problem {
  /** The chapter's file name. */
  file: string;
  /** Counted from 1; 0 when the problem belongs to the whole file. */
  line: number;
  message: string;
}

/** Takes anything that knows where it stands in the source. */
export type Report = (place: { position?: Position | undefined } | number, message: string) => void;

export function reporter(problems: Problem[], file: string): Report {
  return (place, message) => {
    const line = typeof place === 'number' ? place : (place.position?.start.line ?? 0);
    // What a library says may be of several lines.
    problems.push({ file, line, message: message.replace(/\s*\n\s*/g, ' ') });
  };
}

/** One line a problem, in the order of files and lines: "02-searching.md:41: …". */
export function formatProblems(problems: readonly Problem[]): string {
  return [...problems]
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
    .map(({ file, line, message }) => `${file}:${line}: ${message}`)
    .join('\n');
}

/** The text of anything thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
