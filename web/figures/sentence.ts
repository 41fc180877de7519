// What a reader is told when a figure could not be worked out.

/** An error's own sentence. A browser's words about a fault in the code help nobody. */
export function sentenceOf(problem: unknown): string {
  const inCode = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => problem instanceof kind);
  const message = inCode ? '' : problem instanceof Error ? problem.message : String(problem);
  return message === '' ? 'This figure could not be worked out; change it to try again.' : message;
}
