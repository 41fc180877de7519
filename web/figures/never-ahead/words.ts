// never-ahead in words: title, the sentence for a screen reader, table, and the names of its cells.

import { counted } from '../../marks/model-label.ts';
import { fixed, ordinal } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Table } from '../definition.ts';
import { base } from '../head-views/input.ts';
import { tokensOf } from '../one-head/reading.ts';
import { layersOf, type Result, type Seen, type State } from './work.ts';

/** The token at a place, or both where the texts part: "tired | wide". */
export function nameAt({ tokens }: Seen, at: number): string {
  const [one, two] = tokens.map((list) => tokensOf(list.slice(at, at + 1)).map(tokenName)[0]);
  return one === two ? one! : `${one ?? '–'} | ${two ?? '–'}`;
}

/** "before the first layer", "after 3 layers"; layers done are counted, so the counting base has no part in it. */
export function afterLayers(layers: number): string {
  return layers === 0 ? 'before the first layer' : `after ${counted(layers, 'layer')}`;
}

export function cellName(seen: Seen, layers: number, at: number): string {
  return `“${nameAt(seen, at)}” ${afterLayers(layers)}: ${numbersAt(seen, layers, at)}`;
}

function numbersAt({ differing, model }: Seen, layers: number, at: number): string {
  const count = differing[layers]![at]!;
  const all = model.config.d_model;
  if (count === 0) return `all ${fixed(all, 0)} numbers equal, to the last bit`;
  return count === all ? `all ${fixed(all, 0)} numbers differ` : `${fixed(count, 0)} of ${fixed(all, 0)} numbers differ`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'Two texts, waiting for words that the model can read';
  const layers = layersOf(state, result);
  const { place, parting, differing, model } = result;
  const same = differing[layers]![place] === 0;
  const all = fixed(model.config.d_model, 0);
  const when = afterLayers(layers);
  const holds = same
    ? `“${nameAt(result, place)}” has the same ${all} numbers in both texts ${when}`
    : `“${nameAt(result, place)}” ${when}: ${numbersAt(result, layers, place)}`;
  return `${holds}; ${parting === null ? 'the texts are the same' : `the texts part at “${nameAt(result, parting)}”`}`;
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const shared = result.differing[0]!.length;
  const equal = Array.from({ length: shared }, (_, at) => at).filter((at) => result.differing.every((row) => row[at] === 0)).length;
  return `${title(state, result)}. Of the ${shared} places that both texts have, ${equal} hold the same numbers ${result.differing.length > 1 ? 'before the first layer and after every one' : ''}.`;
}

export function table(_state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  const { differing, model } = result;
  return {
    caption: `How many of a token’s ${fixed(model.config.d_model, 0)} numbers differ between the two texts`,
    columns: ['token', ...differing.map((_, layers) => ({ label: afterLayers(layers), as: 'integer' as const }))],
    rows: differing[0]!.map((_, at) => [`${ordinal(at, base())} ${nameAt(result, at)}`, ...differing.map((row) => row[at]!)]),
  };
}
