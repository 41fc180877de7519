// same-row in words: title, the sentence for a screen reader, table, and the names of its stages.

import { counted } from '../../marks/model-label.ts';
import { fixed, ordinal, share } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Table } from '../definition.ts';
import { base } from '../head-views/input.ts';
import { tokensOf } from '../one-head/reading.ts';
import { stageOf, type Result, type Seen, type Side, type State } from './work.ts';

export function nameOf({ tokens, place }: Side): string {
  return tokenName(tokensOf(tokens.slice(place, place + 1))[0]!);
}

/** "it", or both where two different tokens are compared: "animal | train". */
export function nameAt({ sides: [one, two] }: Seen): string {
  return sameToken(one, two) ? nameOf(one) : `${nameOf(one)} | ${nameOf(two)}`;
}

export function sameToken(one: Side, two: Side): boolean {
  return one.tokens[one.place]!.id === two.tokens[two.place]!.id;
}

/** "in the table", "with its place added", "after 2 layers". Layers done are counted, so the counting base has no part in it. */
export function stageName(stage: number): string {
  if (stage === 0) return 'in the table';
  return stage === 1 ? 'with its place added' : `after ${counted(stage - 1, 'layer')}`;
}

export function equalText({ equal, model }: Seen, stage: number): string {
  const all = fixed(model.config.d_model, 0);
  const count = equal[stage]!;
  if (count === model.config.d_model) return `all ${all} numbers equal, to the last bit`;
  return count === 0 ? `none of the ${all} numbers equal` : `${fixed(count, 0)} of the ${all} numbers equal`;
}

/** "the difference is 4 % as long as the row"; empty where there is none. */
export function apartText({ apart, equal, model }: Seen, stage: number): string {
  return equal[stage] === model.config.d_model ? '' : `the difference is ${share(apart[stage]!)} as long as the row`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'One word in two texts, waiting for words that the model can read';
  const { sides, equal, model } = result;
  const stage = stageOf(state, result);
  const all = fixed(model.config.d_model, 0);
  const name = nameAt(result);
  if (!sameToken(...sides)) return `“${nameOf(sides[0])}” and “${nameOf(sides[1])}” are two rows of the table; ${stageName(stage)}, ${equalText(result, stage)}`;
  if (stage === 0) return `In the table, “${name}” is the same ${all} numbers for both texts`;
  const still = equal[stage] === model.config.d_model ? 'they are still the same' : equal[stage] === 0 ? 'none of them is the same' : `${fixed(equal[stage]!, 0)} of them are the same`;
  return `“${name}” begins as the same ${all} numbers in both texts; ${stageName(stage)}, ${still}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const stages = result.equal.map((_, stage) => `${stageName(stage)}: ${[equalText(result, stage), apartText(result, stage)].filter(Boolean).join(', ')}`);
  const next = result.sides.map((side, at) => `the ${at === 0 ? 'first' : 'second'} text ${guessText(side)}`);
  return `${title(state, result)}. Stages: ${stages.join('; ')}. What the model expects next: ${next.join('; ')}.`;
}

/** "“ trembled” 51 %, “ panted” 31 %" without the spaces before the words. */
export function guessText({ guesses }: Side): string {
  return guesses.map(({ id, pieces, probability }) => `“${tokenName({ pieces: pieces.length > 0 ? pieces : [{ kind: 'text', shown: String(id) }] })}” ${share(probability)}`).join(', ');
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const stage = stageOf(state, result);
  const [one, two] = result.sides.map(({ rows }) => rows[stage]!);
  return {
    caption: `The row of “${nameAt(result)}” ${stageName(stage)}, in both texts`,
    columns: ['number', { label: 'first text', as: 'fixed3' }, { label: 'second text', as: 'fixed3' }],
    rows: Array.from(one!, (value, at) => [ordinal(at, base()), value, two![at]!]),
  };
}
