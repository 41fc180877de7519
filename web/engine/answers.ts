// What comes back from a worker, held against what may come: its code or its memory may be no longer what they were.

import { engineFailed } from './failures.ts';
import type { Outcome } from './protocol.ts';
import { EngineError } from './types.ts';

const isOutcome = (answer: unknown): answer is Outcome<never> =>
  typeof answer === 'object' && answer !== null && ('ok' in answer || ['error', 'sentence'].every((key) => typeof (answer as Record<string, unknown>)[key] === 'string'));

/** The worker's outcome. Anything else that it says or throws means that it failed. */
export async function outcomeOf<T>(answer: Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    const outcome: unknown = await answer;
    return isOutcome(outcome) ? outcome : engineFailed;
  } catch (problem) {
    if (problem instanceof DOMException) throw problem; // what it was asked could not be sent
    return engineFailed;
  }
}

export const errorOf = ({ error, sentence }: { error: string; sentence: string }) => new EngineError(error, sentence);

export function unwrap<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw errorOf(outcome);
}
