// logit-lens in words: its title, the sentence for a screen reader, its table.

import { counted } from '../../marks/model-label.ts';
import { fixed, share } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Column, Table } from '../definition.ts';
import { piecesOf } from '../model-text.ts';
import { sentence } from './recorded.ts';
import { doneOf, entry, pending, shown, type Lens, type Result, type State } from './work.ts';
import type { Guess } from '../../engine/types.ts';

export const nameOf = (guess: Pick<Guess, 'id' | 'pieces'>) => tokenName({ pieces: piecesOf(guess) });

/** In a sentence: “France”; but a space alone is no word. */
function called(guess: Pick<Guess, 'id' | 'pieces'>): string {
  return isSpace(guess) ? 'a space alone' : `“${nameOf(guess)}”`;
}

/** The target in a sentence. Of a word of several tokens only the first is followed, which need not look like the word. */
export function calledTarget({ target }: Lens): string {
  if (target.whole === '') return called(target);
  return `${isSpace(target) ? 'the leading space' : called(target)} (the first token of “${target.whole}”)`;
}

const isSpace = (guess: Pick<Guess, 'id' | 'pieces'>) => piecesOf(guess).every(({ kind }) => kind === 'space');

/** "before any layer", "after 1 layer", "after all 4 layers". Layers done are a count: they never shift with the display. */
export function stretch(done: number, layers: number): string {
  if (done === 0) return 'before any layer';
  return done === layers && layers > 1 ? `after all ${counted(layers, 'layer')}` : `after ${counted(done, 'layer')}`;
}

export const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function question(lens: Lens): string {
  return `After how many layers is ${calledTarget(lens)} among the top three guesses for the first time?`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'The read-out after every layer, waiting for a text that its model can read';
  const lens = result.seen;
  if (pending(state)) return question(lens);
  return sentenceCase(statement(doneOf(state, lens), lens));
}

function askedToken(result: Exclude<Result, { kind: 'refused' }>): string {
  return result.kind === 'recorded' ? sentence : nameOf(result.run.tokens[result.seen.position]!);
}

function statement(done: number, lens: Lens): string {
  const { guesses, chance, rank } = lens.depths[done]!;
  const [name, layers] = [calledTarget(lens), lens.depths.length - 1];
  if (rank === 0) return `${stretch(done, layers)}, ${name} leads with ${share(chance)}`;
  return `${stretch(done, layers)}, ${called(guesses[0]!)} leads with ${share(guesses[0]!.probability)}; ${name} has ${share(chance)}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const lens = result.seen;
  const asked = `Asked is what follows “${askedToken(result)}”${result.kind === 'recorded' ? ', recorded from GPT-2 small' : ''}.`;
  if (pending(state)) return `${asked} ${question(lens)} The numbers show when you have guessed.`;
  const list = lens.depths.map((_, done) => `${statement(done, lens)}.`).map(sentenceCase).join(' ');
  return `${asked}${state.quiz ? ` ${verdict(state, lens)}` : ''} ${list}`;
}

/** The reader's guess beside the truth. */
export function verdict({ guess }: State, lens: Lens): string {
  const layers = lens.depths.length - 1;
  const at = entry(lens);
  const told = guess > layers ? 'never' : stretch(guess, layers);
  const truth = at === null ? 'it never is' : `it is ${stretch(at, layers)}`;
  const right = (at ?? layers + 1) === Math.min(guess, layers + 1);
  return right ? `You said ${told}, and so it is.` : `You said ${told}; ${truth}.`;
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const lens = result.seen;
  if (pending(state)) return { caption: 'Guess first; then the numbers stand here.', columns: [], rows: [] };
  const name = calledTarget(lens);
  const places = Array.from({ length: Math.min(shown, lens.depths[0]!.guesses.length) }, (_, at) => at);
  return {
    caption: `What the read-out ${result.kind === 'recorded' ? 'of GPT-2 small said' : 'says'} after “${askedToken(result)}”, by the number of layers done; chances are shares of 1`,
    columns: [
      { label: 'layers done', as: 'integer' },
      { label: `chance of ${name}`, as: 'number' },
      { label: `place of ${name}`, as: 'integer' },
      ...places.flatMap((at): (string | Column)[] => [`guess ${fixed(at + 1, 0)}`, { label: `chance of guess ${fixed(at + 1, 0)}`, as: 'number' }]),
    ],
    rows: lens.depths.map(({ guesses, chance, rank }, done) => [done, chance, rank === null ? null : rank + 1, ...places.flatMap((at) => [nameOf(guesses[at]!), guesses[at]!.probability])]),
  };
}
