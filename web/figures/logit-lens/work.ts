// What logit-lens asks the core: after every number of layers the top guesses at one place of a text, and where the
// target word stands.

import type { Engine, Guess, ModelInfo, TokenPiece } from '../../engine/types.ts';
import { kindOf } from '../../marks/model-label.ts';
import { isId, lookAt, piecesOf, positionOf, type Looked, type TextState } from '../model-text.ts';
import { recorded, sentence } from './recorded.ts';

export interface State extends TextState {
  position: number;
  target: string;
  done: number;
  quiz: boolean;
  guess: number;
}

/** The read-out after so many layers. */
export interface Depth {
  /** Likeliest first. */
  guesses: Guess[];
  /** Of the target. */
  chance: number;
  /** 0: the likeliest of all. Null: not among the recorded guesses. */
  rank: number | null;
}

export interface Target {
  id: number;
  pieces: TokenPiece[];
  /** The word that was typed, where the target is only its first token; else empty. */
  whole: string;
  /** One sentence about how the target follows from what was typed; else empty. */
  note: string;
}

export interface Lens {
  position: number;
  target: Target;
  /** [n_layers + 1]: after 0, 1, … all layers. */
  depths: Depth[];
}

/** GPT-2 small is meant and not at hand. */
export interface Recorded {
  kind: 'recorded';
  engine: Engine;
  /** The one in use, which is not shown. */
  model: ModelInfo;
  seen: Lens;
}

export type Result = Looked<Lens> | Recorded;

/** Guesses that are shown of a depth. */
export const shown = 5;

export async function look(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
  if (asksForRecord(state)) {
    const model = await engine.inUse({ signal });
    if (model && kindOf(model) !== 'gpt2') return { kind: 'recorded', engine, model, seen: recorded };
  }
  return lookAt(engine, state, signal, async (run, model) => {
    const position = positionOf(state.position, run);
    const { n_layers } = model.config;
    const guesses: Guess[][] = [];
    for (let done = 0; done <= n_layers; done++) guesses.push(await engine.lens(run, done, position, shown, { signal }));
    const target = await targetOf(engine, state.target, model, guesses[n_layers]![0]!, signal);
    const { data } = await engine.activation(run, `lens.${position}.${target.id}`, { signal });
    return { position, target, depths: guesses.map((list, done) => ({ guesses: list, chance: data[2 * done]!, rank: data[2 * done + 1]! })) };
  });
}

function asksForRecord({ model, text, target, position }: State): boolean {
  return model === 'gpt2' && text === sentence && position === -1 && ['', 'France'].includes(target.trim());
}

/** The token that is followed: what was typed, as it would stand inside a text; else the model's own last guess. */
async function targetOf(engine: Engine, typed: string, model: ModelInfo, own: Guess, signal: AbortSignal): Promise<Target> {
  const itself = (note: string): Target => ({ id: own.id, pieces: piecesOf(own), whole: '', note });
  if (typed.trim() === '') return itself('');
  if (model.vocabulary === 'none') {
    const id = typed.trim();
    return isId(id, model) ? { id: Number(id), pieces: piecesOf({ id: Number(id), pieces: [] }), whole: '', note: '' } : itself(`“${id}” is no token of this model, so its own last guess is followed.`);
  }
  const tokens = await engine.tokenize(/^[\p{L}\p{N}]/u.test(typed) ? ` ${typed}` : typed, { signal });
  const first = tokens[0]!;
  const whole = tokens.length === 1 ? '' : typed.trim();
  return { id: first.id, pieces: piecesOf(first), whole, note: whole === '' ? '' : `“${whole}” is ${tokens.length} tokens to this model; its first is followed.` };
}

/** The slider's number, never beyond the model's layers. */
export function doneOf({ done }: Pick<State, 'done'>, { depths }: Lens): number {
  return Math.min(done, depths.length - 1);
}

/** The least number of layers after which the target is among the top three; null: never. */
export function entry({ depths }: Lens): number | null {
  const at = depths.findIndex(({ rank }) => rank !== null && rank < 3);
  return at < 0 ? null : at;
}

/** Whether the reader has still to guess, so that nothing may give the answer away. */
export function pending({ quiz, guess }: Pick<State, 'quiz' | 'guess'>): boolean {
  return quiz && guess < 0;
}
