// What continue-text asks the core: the chances of the next token, and the draws. A step is asked for once and kept, so
// going back, or taking another way from there, computes only what is new. The engine holds one text and one series of
// draws at a time; both are found again where they were left.

import { withRun } from '../../engine/with-run.ts';
import type { Draw, Engine, ModelInfo, Run, Token } from '../../engine/types.ts';
import type { Update } from '../definition.ts';
import { lookAt, type Refused, type TextState } from '../model-text.ts';

export interface State extends TextState {
  temperature: number;
  topk: number;
  topp: number;
  seed: number;
  drawn: number;
  taken: readonly string[];
  at: number;
}

/** Alternatives that a step shows. */
export const shown = 10;

export type Named = Pick<Token, 'id' | 'pieces'>;

/** A token that may come next. */
export interface Choice extends Named {
  /** The model's own chance: the read-out's softmax, before temperature and limits. Null where it was not asked for. */
  own: number | null;
  /** In this draw. 0: left out. */
  chance: number;
}

/** What may follow one text, and what was drawn. */
export interface Choices {
  likeliest: readonly Choice[];
  /** Nothing beyond these can be drawn. */
  closed: boolean;
  drawn: { id: number; chance: number };
}

export interface Step {
  choices: Choices;
  token: Choice;
  byHand: boolean;
}

export interface Continuation {
  given: readonly Token[];
  steps: readonly Step[];
  /** Before the next draw; null while steps are still on their way, and when there is no place to go on from. */
  next: Choices | null;
  full: boolean;
  /** More steps are on their way. */
  going: boolean;
  /** One sentence about why it does not go on; else empty. */
  trouble: string;
}

export interface Seen {
  kind: 'seen';
  engine: Engine;
  model: ModelInfo;
  seen: Continuation;
}

export type Result = Refused | Seen;

/** The compiler and tests want the whole continuation. */
const inPage = typeof document !== 'undefined';
/** Longer than this nobody waits for the first new tokens, and then for more of them. Milliseconds. */
const patience = 200;

export async function look(engine: Engine, state: State, signal: AbortSignal, update: Update<Result>): Promise<Result> {
  const root = await rootOf(engine, state, signal);
  if ('kind' in root) return root;
  const { model, given } = root;
  const result = (seen: Continuation): Seen => ({ kind: 'seen', engine, model, seen });
  const growing = grow(engine, root, state, signal);
  let since = performance.now();
  const soon = () => inPage && performance.now() - since > patience;
  let latest: Continuation = { given, steps: [], next: null, full: false, going: true, trouble: '' };

  /** The rest of many steps comes while the first are seen. */
  async function goOn(): Promise<void> {
    try {
      for await (latest of growing) {
        if (latest.going && !soon()) continue;
        since = performance.now();
        update(result(latest));
      }
    } catch (problem) {
      if (!signal.aborted) update(result({ ...latest, going: false, trouble: problem instanceof Error ? problem.message : String(problem) }));
    }
  }

  for (;;) {
    const grown = await growing.next();
    if (grown.done) return result(latest);
    latest = grown.value;
    if (latest.going && soon()) {
      void goOn();
      return result(latest);
    }
  }
}

export function drawOf({ temperature, topk, topp, seed }: State): Draw {
  return { temperature, top_k: topk, top_p: topp, seed };
}

/** How many tokens can follow: a token is drawn after the last place too, and has no place itself. */
export function room({ given }: Pick<Continuation, 'given'>, { config }: ModelInfo): number {
  return config.n_positions + 1 - given.length;
}

/** The step whose alternatives are open; null for the one to come. */
export function openStep({ at }: Pick<State, 'at'>, { steps, next }: Continuation): number | null {
  if (at >= 0 && at < steps.length) return at;
  return next || steps.length === 0 ? null : steps.length - 1;
}

// -------------------------------------------------------------------------------------------------- what was asked

/** A text that was reached, what may follow it, and the ways that were gone from there. */
interface Node {
  choices: Choices | null;
  ways: Map<number, Node>;
}

interface Root {
  model: ModelInfo;
  given: readonly Token[];
  node: Node;
}

const keptRoots = 8;
const roots = new WeakMap<ModelInfo, Map<string, Root>>();

/** The text as typed and what may follow it, or why the model cannot read it. */
async function rootOf(engine: Engine, state: State, signal: AbortSignal): Promise<Root | Refused> {
  const draw = drawOf(state);
  const inUse = await engine.inUse({ signal });
  const key = JSON.stringify([inUse?.vocabulary === 'none' ? state.ids : state.text, draw]);
  const kept = inUse && roots.get(inUse)?.get(key);
  if (kept) return kept;
  const looked = await lookAt(engine, state, signal, (run, model) => choicesAfter(engine, model, run, draw, 0, signal));
  if (looked.kind === 'refused') return looked;
  const { model, run, seen } = looked;
  const root: Root = { model, given: run.tokens, node: { choices: seen, ways: new Map() } };
  const ofModel = roots.get(model) ?? new Map<string, Root>();
  roots.set(model, ofModel.set(key, root));
  if (ofModel.size > keptRoots) ofModel.delete(ofModel.keys().next().value!);
  return root;
}

async function* grow(engine: Engine, { model, given, node: first }: Root, state: State, signal: AbortSignal): AsyncGenerator<Continuation, void> {
  const draw = drawOf(state);
  const byHand = handsOf(state);
  const most = room({ given }, model);
  const ids = given.map(({ id }) => id);
  const steps: Step[] = [];
  const after = (patch: Partial<Continuation>): Continuation => ({ given, steps: [...steps], next: null, full: false, going: false, trouble: '', ...patch });
  for (let node = first; ; ) {
    if (steps.length === most) return yield after({ full: true });
    node.choices ??= await withRun(engine, { ids: [...ids] }, signal, (run) => choicesAfter(engine, model, run, draw, steps.length, signal));
    if (steps.length === state.drawn) return yield after({ next: node.choices });
    const { choices } = node;
    const hand = choices.likeliest.find(({ id }) => id === byHand.get(steps.length));
    const token = hand ?? choices.likeliest.find(({ id }) => id === choices.drawn.id) ?? (await unlisted(engine, choices, ids, model, signal));
    steps.push({ choices, token, byHand: hand !== undefined && hand.id !== choices.drawn.id });
    ids.push(token.id);
    const way = node.ways.get(token.id) ?? { choices: null, ways: new Map() };
    node.ways.set(token.id, way);
    node = way;
    yield after({ going: true });
  }
}

export function handsOf({ taken }: Pick<State, 'taken'>): Map<number, number> {
  return new Map(taken.flatMap((pair): [number, number][] => {
    const [, step, id] = /^(\d{1,6})\.(\d{1,8})$/.exec(pair) ?? [];
    return step === undefined ? [] : [[Number(step), Number(id)]];
  }));
}

/** What was drawn from below the alternatives: a run tells how it is written, and is the next step's run. */
async function unlisted(engine: Engine, { drawn }: Choices, ids: readonly number[], { config }: ModelInfo, signal: AbortSignal): Promise<Choice> {
  const read = ids.length < config.n_positions ? [...ids, drawn.id] : [drawn.id];
  const { pieces } = await withRun(engine, { ids: read }, signal, async (run) => run.tokens.at(-1)!);
  return { id: drawn.id, pieces, own: null, chance: drawn.chance };
}

// ------------------------------------------------------------------------------------------------- one draw of a series

/** Where the engine's series of draws stands: a seed's first draw is for the first step, and so on. */
interface Series {
  model: ModelInfo;
  draw: string;
  drawn: number;
}

const seriesIn = new WeakMap<Engine, Series>();

/** Draws for one step, with the likeliest beside. A draw takes one number of the series, whatever it draws from. */
async function choicesAfter(engine: Engine, model: ModelInfo, run: Run, draw: Draw, step: number, signal: AbortSignal): Promise<Choices> {
  const key = JSON.stringify(draw);
  let series = seriesIn.get(engine);
  seriesIn.delete(engine); // until this one is through, nobody knows where it stands
  if (series?.model !== model || series.draw !== key || series.drawn > step) {
    await engine.sampler(draw);
    series = { model, draw: key, drawn: 0 };
  }
  for (; series.drawn < step && draw.temperature > 0; series.drawn++) {
    signal.throwIfAborted();
    await engine.next(run, 0, { signal });
  }
  signal.throwIfAborted();
  const { id, probability, alternatives } = await engine.next(run, Math.min(shown + 1, model.config.d_vocab), { signal }); // one more tells whether there are more
  signal.throwIfAborted();
  const read = await engine.lens(run, model.config.n_layers, run.tokens.length - 1, Math.min(shown, alternatives.length), { signal });
  const own = new Map(read.map((guess) => [guess.id, guess.probability]));
  seriesIn.set(engine, { ...series, drawn: step + 1 });
  return {
    likeliest: alternatives.slice(0, shown).map((guess) => ({ id: guess.id, pieces: guess.pieces, own: own.get(guess.id) ?? null, chance: guess.probability })),
    closed: !(alternatives[shown]?.probability),
    drawn: { id, chance: probability },
  };
}
