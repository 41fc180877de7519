// What head-gallery asks the core: layer by layer every head's pattern in small, and what the head mostly looks at in this
// text. A model that still arrives shows the layers that it has; of a long text the layers in sight are worked out.

import { withRun } from '../../engine/with-run.ts';
import { EngineError, headScores, type Engine, type Input, type LoadProgress, type ModelInfo, type Run } from '../../engine/types.ts';
import type { Pattern } from '../../marks/pattern.ts';
import type { Update } from '../definition.ts';
import { inputOf, type Refused, type TextState } from '../model-text.ts';

export type Score = (typeof headScores)[number];

/** In the model's order, or by a score, largest first. */
export const sorts = ['place', ...headScores] as const;
export type Sort = (typeof sorts)[number];

export interface State extends TextState {
  sort: Sort;
  /** The head that is open, "layer.head" from 0; empty for none. */
  heads: readonly string[];
}

export interface HeadAt {
  layer: number;
  head: number;
}

export interface Head extends HeadAt {
  pattern: Pattern;
  /** Null where no look of the text can have it. */
  scores: Record<Score, number | null>;
}

export interface Seen {
  kind: 'seen';
  engine: Engine;
  model: ModelInfo;
  /** Null while the tokens of the text are still on their way. */
  run: Run | null;
  /** Rows and columns of a pattern that one square stands for. */
  block: number;
  /** The heads of each layer; null where they are not there yet. */
  layers: readonly (readonly Head[] | null)[];
  /** Asks for a layer that a long text has not needed so far; it comes with a later result. */
  ask(layer: number): void;
  /** How far the model is; null when it is whole. */
  progress: LoadProgress | null;
}

export type Result = Refused | Seen;

/** Squares along a grid's side, at most. */
export const most = 64;
/** From so many tokens on a layer is worked out when it is asked for. */
const longText = 200;
/** How long an arriving model may take before its empty shapes are shown. Milliseconds. */
const patience = 400;

export async function look(engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> {
  const model = await engine.inUse({ signal });
  if (!model) throw new EngineError('no_model', 'No model is open, so this figure has nothing to show.');
  const input = inputOf(state, model);
  if (typeof input === 'string') return { kind: 'refused', engine, model, sentence: input };
  const asked = new Set([0]);
  return new Promise((resolve, reject) => {
    let newest: Result | null = null;
    let looking = false;
    let again = false;
    const show = (result: Result) => {
      if (signal.aborted) return;
      if (newest) update(result, result.kind === 'refused' || isWhole(result));
      else resolve(result);
      newest = result;
      if (result.kind === 'refused' || isWhole(result)) stop();
    };
    const ask = (layer: number) => {
      if (asked.has(layer)) return;
      asked.add(layer);
      void gather();
    };
    const seen = (run: Run | null, layers: Seen['layers'], block: number): Seen => ({ kind: 'seen', engine, model, run, block, layers: [...layers], ask, progress: engine.arriving() });
    const gather = async () => {
      again = looking;
      if (looking || signal.aborted) return;
      looking = true;
      try {
        do {
          again = false;
          show(await lookNow(engine, model, input, asked, signal, (run, { layers, block }) => seen(run, layers, block), show));
        } while (again);
      } catch (problem) {
        stop();
        reject(problem);
      }
      looking = false;
    };
    // A model that is whole is told to the figure, which then looks anew.
    const stop = !model.arriving ? () => {} : engine.onArrival((progress) => {
      if (!progress || newest?.kind !== 'seen') return;
      show({ ...newest, progress });
      if (newest.layers.some((heads, layer) => !heads && layer < progress.layers_begun)) void gather();
    });
    if (model.arriving) {
      signal.addEventListener('abort', stop, { once: true });
      setTimeout(() => newest ?? show(seen(null, Array.from({ length: model.config.n_layers }, () => null), 1)), patience);
    }
    void gather();
  });
}

/** What there is to see now. Of a long text each layer is shown as it comes, and only those that are asked for are looked at. */
async function lookNow(engine: Engine, model: ModelInfo, input: Input, asked: ReadonlySet<number>, signal: AbortSignal, seen: (run: Run, kept: Kept) => Seen, show: (seen: Seen) => void): Promise<Result> {
  try {
    return await withRun(engine, input, signal, async (run) => {
      const kept = keptOf(run, model);
      const long = run.tokens.length >= longText;
      for (let layer = 0; layer < kept.layers.length; layer++) {
        if (kept.layers[layer] || (long && !asked.has(layer))) continue;
        if (!(await addLayer(engine, model, run, layer, kept, signal))) break;
        if (long) show(seen(run, kept));
      }
      return seen(run, kept);
    });
  } catch (problem) {
    if (!(problem instanceof EngineError)) throw problem;
    // What was typed does not fit: the figure stays in use, so that it can be typed otherwise.
    if (['window_full', 'bad_argument'].includes(problem.code)) return { kind: 'refused', engine, model, sentence: problem.message };
    throw problem;
  }
}

// ------------------------------------------------------------------------------------------------- kept for the run

/** Layers of a run that were looked at: a head that is there stays the same, so its picture need not be drawn again. */
interface Kept {
  block: number;
  layers: (Head[] | null)[];
}

const kept = new WeakMap<Run, Kept>();

function keptOf(run: Run, { config }: ModelInfo): Kept {
  let found = kept.get(run);
  if (!found) kept.set(run, (found = { block: 1, layers: Array.from({ length: config.n_layers }, () => null) }));
  return found;
}

/** Looks at a layer; false when it has not come yet. */
async function addLayer(engine: Engine, { config }: ModelInfo, run: Run, layer: number, into: Kept, signal: AbortSignal): Promise<boolean> {
  try {
    const { block, side, grids, scores } = await engine.gallery(run, layer, most, { signal });
    into.block = block;
    into.layers[layer] = Array.from({ length: config.n_heads }, (_, head) => ({
      layer,
      head,
      pattern: { grid: grids.subarray(head * side * side, (head + 1) * side * side), side },
      scores: scoresOf(scores.subarray(head * headScores.length, (head + 1) * headScores.length)),
    }));
    return true;
  } catch (problem) {
    if (problem instanceof EngineError && problem.code === 'not_yet') return false;
    throw problem;
  }
}

function scoresOf(values: Float32Array): Head['scores'] {
  return Object.fromEntries(headScores.map((name, at) => [name, Number.isNaN(values[at]) ? null : values[at]!])) as Head['scores'];
}

// ---------------------------------------------------------------------------------------------------------- reading

/** The heads that are there, in the model's order. */
export function headsOf({ layers }: Pick<Seen, 'layers'>): Head[] {
  return layers.flatMap((heads) => heads ?? []);
}

export function isWhole({ layers }: Pick<Seen, 'layers'>): boolean {
  return layers.every((heads) => heads !== null);
}

/** The heads that are there: in the model's order, or largest score first; of equals the earlier, what has no score last. */
export function sorted(sort: Sort, seen: Pick<Seen, 'layers'>): Head[] {
  const heads = headsOf(seen);
  if (sort === 'place') return heads;
  const size = (head: Head) => head.scores[sort] ?? -1;
  return heads.sort((a, b) => size(b) - size(a));
}

/** All places of the wall, in its lines; in the order of a score those that are there hang before those that are awaited. */
export function wallOf(sort: Sort, seen: Seen): (Head | HeadAt)[][] {
  const { n_heads } = seen.model.config;
  const awaited = (layer: number) => Array.from({ length: n_heads }, (_, head) => ({ layer, head }));
  if (sort === 'place') return seen.layers.map((heads, layer) => [...(heads ?? awaited(layer))]);
  const all = [...sorted(sort, seen), ...seen.layers.flatMap((heads, layer) => (heads ? [] : awaited(layer)))];
  return seen.layers.map((_, line) => all.slice(line * n_heads, (line + 1) * n_heads));
}

/** The head that is open, or the nearest that the model has; null when none is, or it is not there yet. */
export function openOf({ heads }: Pick<State, 'heads'>, { layers, model }: Seen): Head | null {
  const [, layer, head] = /^(\d{1,3})\.(\d{1,3})$/.exec(heads[0] ?? '') ?? [];
  if (layer === undefined) return null;
  return layers[Math.min(Number(layer), layers.length - 1)]?.[Math.min(Number(head), model.config.n_heads - 1)] ?? null;
}

export function nameOf({ layer, head }: HeadAt): string {
  return `${layer}.${head}`;
}
