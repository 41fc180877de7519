// order-blind in words: title, the sentence for a screen reader, table, and the names of its parts.

import { fixed, ordinal, plain, score, share } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Table } from '../definition.ts';
import { base } from '../head-views/input.ts';
import { tokensOf } from '../one-head/reading.ts';
import type { State } from './state.ts';
import { layerOf, type Apart, type Result, type Seen, type Toy } from './work.ts';

export const positionNames: Record<State['positions'], string> = { none: 'none', learned: 'as learned', shuffled: 'shuffled' };

const readAs: Record<State['positions'], string> = { none: 'Without positions', learned: 'With positions', shuffled: 'With shuffled positions' };

/** Every number the same to three decimals. */
export function looksSame({ most }: Pick<Apart, 'most'>): boolean {
  return fixed(most, 3) === '0.000';
}

/** The last token: ".", or both where they differ: ". | !". */
export function askerOf({ sides }: Seen): string {
  const [one, two] = sides.map(({ tokens }) => tokenName(tokensOf(tokens.slice(-1))[0]!));
  return one === two ? one! : `${one} | ${two}`;
}

/** "the difference is 23 % as long as what it brings" */
export function apartText({ one, two, difference }: Apart): string {
  return `the difference is ${share(difference / (Math.max(one, two) || 1))} as long as what it brings`;
}

/** How exactly the numbers agree: "the largest difference of two numbers is 1.19 × 10⁻⁷; 80 of 96 are the same to the last bit". */
export function exactly({ most, equal }: Apart, all: number): string {
  if (equal === all) return `all ${fixed(all, 0)} numbers are the same, to the last bit`;
  return `the largest difference of two numbers is ${plain(most)}; ${fixed(equal, 0)} of ${fixed(all, 0)} are the same to the last bit`;
}

function statement(seen: Seen, layer: number): string {
  const found = seen.layers[layer]!;
  const brings = `attention in layer ${ordinal(layer, base())} brings “${askerOf(seen)}”`;
  return looksSame(found) ? `${brings} the same from both texts` : `${brings} something else from each text: ${apartText(found)}`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'Two texts, waiting for words that the model can read';
  if (result.kind === 'toy') return toyTitle(result);
  return `${readAs[state.positions]}, ${statement(result, layerOf(state, result))}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  if (result.kind === 'toy') return `${toyTitle(result)}. The query is “${result.told.query.phrase}”. Shares: ${toySays(result)}.`;
  const rows = result.layers.map((row, layer) => `layer ${ordinal(layer, base())}: ${looksSame(row) ? 'the same' : apartText(row)}`);
  const words = result.reordered ? 'Both texts are made of the same tokens. ' : '';
  return `${title(state, result)}. ${words}${exactly(result.layers[layerOf(state, result)]!, result.model.config.d_model)}. Layer by layer: ${rows.join('; ')}.`;
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  if (result.kind === 'toy') return toyTable(result);
  return {
    caption: `${readAs[state.positions]}: what attention brings to “${askerOf(result)}” in each layer`,
    columns: [
      'layer', { label: 'length, first text', as: 'fixed3' }, { label: 'length, second text', as: 'fixed3' }, { label: 'length of the difference', as: 'fixed3' },
      { label: 'largest difference of two numbers', as: 'number' }, { label: `the same to the last bit, of ${fixed(result.model.config.d_model, 0)}`, as: 'integer' },
    ],
    rows: result.layers.map(({ one, two, difference, most, equal }, layer) => [ordinal(layer, base()), one, two, difference, most, equal]),
  };
}

// ----------------------------------------------------------------------------------------------------------- the toy

function toyTitle({ told }: Toy): string {
  const [one, two] = [told.one, told.two].map(({ tokens }) => `“${tokens.at(-1)!.text.trim()}”`);
  const asker = one === two ? one : `${one} | ${two}`;
  if (looksSame(told)) return `Added up in two orders, the blend of ${asker} is the same`;
  return `${told.places > 0 ? 'With numbers for the places, the' : 'The'} two blends of ${asker} are ${score(told.difference)} apart`;
}

function toySays({ told }: Toy): string {
  const said = (at: 'one' | 'two') => told[at].tokens.map(({ text, share: value }) => `${text.trim()} ${share(value)}`).join(', ');
  return `first text ${said('one')}; second text ${said('two')}`;
}

function toyTable({ told }: Toy): Table {
  const shown = told.features.map((_, at) => at).filter((at) => told.one.blend[at]! > 0 || told.two.blend[at]! > 0);
  const rows = (['one', 'two'] as const).flatMap((key) => {
    const text = key === 'one' ? 'first' : 'second';
    const side = told[key];
    return [
      ...side.tokens.map((token) => [text, token.text.trim(), token.match, token.place, token.share, ...shown.map((at) => token.part[at]!)]),
      [text, 'added up', null, null, side.tokens.reduce((sum, token) => sum + token.share, 0), ...shown.map((at) => side.blend[at]!)],
    ];
  });
  const parts = shown.map((at) => ({ label: told.features[at]!, as: 'fixed3' as const }));
  return {
    caption: `Share × value of every word, and the sum, for the query “${told.query.phrase}”`,
    columns: ['text', 'word', { label: 'match', as: 'score' }, { label: 'for the place', as: 'signed' }, { label: 'share', as: 'share' }, ...parts],
    rows,
  };
}
