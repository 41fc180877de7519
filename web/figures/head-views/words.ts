// head-views in words: its title, the sentence for a screen reader, and its table. No word says what a head is for; that
// is the reader's to find out.

import { ordinal, share } from '../../marks/number.ts';
import { textTokens, tokenName, type TokenView } from '../../marks/token.ts';
import { counted } from '../../marks/model-label.ts';
import type { Table } from '../definition.ts';
import { placeIfNeeded, tokensOf } from '../one-head/reading.ts';
import { base } from './input.ts';
import { recordedTokens } from './recorded.ts';
import { askedOf, sharesOf, views, type HeadAt, type Recorded, type Result, type Seen, type State, type View } from './work.ts';

export function headName({ layer, head }: HeadAt): string {
  return `layer ${ordinal(layer, base())} head ${ordinal(head, base())}`;
}

export function tokensSeen(result: Seen | Recorded): TokenView[] {
  return result.kind === 'recorded' ? recordedViews : tokensOf(result.run.tokens);
}

// “didn” and “'t” are two tokens of one word.
const recordedViews = textTokens(recordedTokens).map((token, at) => ({ ...token, word: at > 2 ? at - 1 : at }));

/** What each view is called on its button. */
export function viewNames(result: Seen | Recorded, state: State): Record<View, string> {
  const all = result.kind === 'recorded' ? 'all 144 heads' : `all ${result.model.config.n_layers * result.model.config.n_heads} heads`;
  const heads = (result.kind === 'recorded' ? askedOf(state) : result.heads).map(headName);
  return { first: heads[0]!, second: heads[1]!, third: heads[2]!, mean: `average of ${all}` };
}

function where(state: State, result: Seen | Recorded): string {
  if (result.kind === 'recorded') return result.at ? `Recorded from GPT-2 small: in ${headName(result.at)}` : 'Recorded from GPT-2 small: on average over its 144 heads';
  const { n_layers, n_heads } = result.model.config;
  if (state.view === 'mean') return `On average over ${counted(n_layers * n_heads, 'head')}`;
  return `In ${headName(result.heads[views.indexOf(state.view)]!)}`;
}

/** Tokens before the one that looks, and itself, largest share first; of equals the earlier. */
export function ranked(shares: readonly (number | null)[]): number[] {
  const known = shares.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  return known.sort((a, b) => b.value - a.value || a.at - b.at).map(({ at }) => at);
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'Where a token looks, waiting for a text that the model can read';
  return `${where(state, result)}, ${statement(state, result)}`;
}

function statement(state: State, result: Seen | Recorded): string {
  const names = tokensSeen(result).map(tokenName);
  const shares = sharesOf(state, result);
  const most = ranked(shares)[0] ?? 0;
  return `“${names[result.from]}” looks most at ${most === result.from ? 'itself' : `“${names[most]}”`}, with ${share(shares[most]!)}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const names = tokensSeen(result).map(tokenName);
  const shares = sharesOf(state, result);
  const rest = ranked(shares).slice(1, 5).map((at) => `“${names[at]}”${placeIfNeeded(names, at, base())} ${share(shares[at]!)}`);
  return `${title(state, result)}.${rest.length > 0 ? ` Then come ${rest.join(', ')}.` : ''}`;
}

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const tokens = tokensSeen(result);
  const names = tokens.map(tokenName);
  const label = (at: number) => `${ordinal(at, base())} ${names[at]}`;
  const caption = `Shares that “${names[result.from]}” (place ${ordinal(result.from, base())}) gives to itself and the tokens before it`;
  if (result.kind === 'recorded') {
    return { caption: `${caption}, recorded from GPT-2 small`, columns: ['token', { label: where(state, result), as: 'share' }], rows: result.shares.map((value, at) => [label(at), value ?? 'below 0.5 %']) };
  }
  const { n_layers, n_heads } = result.model.config;
  return {
    caption,
    columns: ['token', ...result.heads.map((at) => ({ label: headName(at), as: 'share' as const })), { label: `average of ${n_layers * n_heads} heads`, as: 'share' }],
    rows: result.shares[0]!.map((_, at) => [label(at), ...result.shares.map((row) => row[at]!)]),
  };
}
