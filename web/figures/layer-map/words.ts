// layer-map in words: its title, the sentence for a screen reader, its table.

import { fixed, ordinal, score } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import { page } from '../../state/page.ts';
import type { Table } from '../definition.ts';
import { piecesOf, type Seen } from '../model-text.ts';
import { neuronOf, type Map, type Result, type State } from './work.ts';

/** As the reader counts; the compiled page counts from 0. */
export const base = (): 0 | 1 => (typeof document === 'undefined' ? 0 : page().get().base);

export function nameOf({ run, seen }: Seen<Map>): string {
  return tokenName({ pieces: piecesOf(run.tokens[seen.position]!) });
}

export function title(_state: State, result: Result): string {
  if (result.kind === 'refused') return 'One layer, waiting for a text that its model can read';
  const { lengths, layer } = result.seen;
  const { attention, feed_forward } = lengths[layer]!;
  return `In layer ${ordinal(layer, base())} attention adds a row of length ${score(attention)} to “${nameOf(result)}”, the feed-forward step one of ${score(feed_forward)}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const { lengths, layer, sizes, neurons } = result.seen;
  const { before, between, after } = lengths[layer]!;
  const { at, pre, post } = neuronOf(state, result.seen);
  return `${title(state, result)}. The row’s own length is ${score(before)} before the layer, ${score(between)} between its halves and ${score(after)} after it. ${fixed(sizes.n, 0)} rows of ${fixed(sizes.d_model, 0)} numbers go in and come out. Of ${fixed(sizes.d_mlp, 0)} neurons ${fixed(positive(neurons), 0)} are above zero; neuron ${ordinal(at, base())} goes from ${score(pre)} to ${score(post)}.`;
}

export function positive(neurons: Map['neurons']): number {
  return neurons.filter(({ pre }) => pre > 0).length;
}

export function table(_state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  return {
    caption: `Lengths of the row of “${nameOf(result)}” and of what each layer adds to it`,
    columns: ['layer', { label: 'row before', as: 'score' }, { label: 'attention adds', as: 'score' }, { label: 'row between', as: 'score' }, { label: 'feed-forward adds', as: 'score' }, { label: 'row after', as: 'score' }],
    rows: result.seen.lengths.map(({ before, attention, between, feed_forward, after }, layer) => [ordinal(layer, base()), before, attention, between, feed_forward, after]),
  };
}
