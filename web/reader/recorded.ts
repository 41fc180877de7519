// What the text records about GPT-2, computed anew as soon as GPT-2 small is open: each number of the prose that
// chapters/recorded.json knows is marked as confirmed, or with what this page computed instead.

import recorded from '../../chapters/recorded.json';
import type { Engine, HeadGrids, ModelInfo, Run } from '../engine/types.ts';
import { withRun } from '../engine/with-run.ts';

/** An entry of recorded.json; core/cli/claims.cpp says what each measure needs. A negative place counts from the end. */
export interface Claim {
  id: string;
  text?: string;
  ids?: number[];
  measure: string;
  recorded: number;
  decimals: number;
  within?: number;
  layer?: number;
  head?: number;
  from?: number;
  to?: number;
  at?: number;
  layers_done?: number;
  token?: string | number;
}

export interface Checked {
  same: boolean;
  /** At the recorded number's decimals. */
  computed: string;
}

const claims = new Map((recorded.claims as Claim[]).map((claim) => [claim.id, claim]));

/** Whether the recorded numbers are about this model. */
export function isGpt2Small({ config, origin, arriving, precision }: ModelInfo): boolean {
  const { n_layers, n_heads, d_model, d_vocab } = config;
  return origin !== 'little' && !arriving && precision === 'f32' && n_layers === 12 && n_heads === 12 && d_model === 768 && d_vocab === 50257;
}

/** Checks the page's recorded numbers each time GPT-2 small takes the place of another model. */
export function watchRecorded(engine: Engine): void {
  let stop = new AbortController();
  const checkPage = (model: ModelInfo | null) => {
    stop.abort();
    stop = new AbortController();
    const marks = [...document.querySelectorAll<HTMLElement>('.num.recorded[data-claim]')];
    marks.forEach((mark) => unmark(mark));
    if (model && isGpt2Small(model)) void checkAll(engine, marks, stop.signal);
  };
  engine.onModel(checkPage);
  checkPage(engine.model());
}

async function checkAll(engine: Engine, marks: readonly HTMLElement[], signal: AbortSignal): Promise<void> {
  for (const mark of marks) {
    const claim = claims.get(mark.dataset['claim']!);
    if (!claim) continue;
    try {
      markAs(mark, await check(engine, claim, signal));
    } catch {
      if (signal.aborted) return;
      unmark(mark); // a number that could not be computed is neither confirmed nor refuted
    }
  }
}

export async function check(engine: Engine, claim: Claim, signal: AbortSignal): Promise<Checked> {
  const measure = measures[claim.measure];
  if (!measure) throw new Error(`The measure "${claim.measure}" is not known.`);
  const input = claim.ids ? { ids: claim.ids } : { text: claim.text ?? '' };
  const computed = await withRun(engine, input, signal, (run) => measure(engine, run, claim));
  const shown = computed.toFixed(claim.decimals);
  const same = claim.within ? Math.abs(computed - claim.recorded) <= claim.within : shown === claim.recorded.toFixed(claim.decimals);
  return { same, computed: shown };
}

// ------------------------------------------------------------------------------------------------------------ measures

type Measure = (engine: Engine, run: Run, claim: Claim) => Promise<number>;

const place = (run: Run, at = 0) => (at < 0 ? run.tokens.length + at : at);

const cellOf =
  (grid: (grids: HeadGrids) => Float32Array): Measure =>
  async (engine, run, { layer = 0, head = 0, from, to }) => {
    const grids = await engine.head(run, layer, head);
    return grid(grids)[place(run, from) * grids.n + place(run, to)]!;
  };

/** The guesses of the lens are by likelihood; a token further down than these has no chance that shows. */
const deepest = 200;

const guessOf = async (engine: Engine, run: Run, { layers_done = 0, at, token }: Claim) => {
  const guesses = await engine.lens(run, layers_done, place(run, at), deepest);
  const id = typeof token === 'number' ? token : (await engine.tokenize(token!))[0]!.id;
  const rank = guesses.findIndex((guess) => guess.id === id);
  return { rank: rank < 0 ? Infinity : rank, guess: guesses[rank] };
};

const measures: Record<string, Measure> = {
  share: async (...args) => 100 * (await cellOf((grids) => grids.pattern)(...args)),
  score: cellOf((grids) => grids.scaled),
  mean_share: async (engine, run, { from, to }) => {
    const { n_layers, n_heads } = engine.model()!.config;
    let sum = 0;
    for (let layer = 0; layer < n_layers; layer++) {
      for (let head = 0; head < n_heads; head++) sum += await measures['share']!(engine, run, { layer, head, from, to } as Claim);
    }
    return sum / (n_layers * n_heads);
  },
  hardest_share: async (engine, run, { layer, from, to }) => {
    const shares: number[] = [];
    for (let head = 0; head < engine.model()!.config.n_heads; head++) shares.push(await measures['share']!(engine, run, { layer, head, from, to } as Claim));
    return Math.max(...shares);
  },
  chance: async (engine, run, claim) => 100 * ((await guessOf(engine, run, claim)).guess?.probability ?? 0),
  rank: async (engine, run, claim) => (await guessOf(engine, run, claim)).rank,
  logit: async (engine, run, claim) => (await guessOf(engine, run, claim)).guess?.logit ?? NaN,
};

// --------------------------------------------------------------------------------------------------------------- marks

function markAs(mark: HTMLElement, { same, computed }: Checked): void {
  unmark(mark);
  mark.dataset['checked'] = same ? 'same' : 'different';
  const said = document.createElement('span');
  said.className = 'recorded-check';
  said.textContent = same ? '✓' : ` (here ${computed})`;
  said.title = same ? 'Confirmed: this page computed the same number with GPT-2.' : `This page computed ${computed} with the model that is open.`;
  if (same) {
    said.setAttribute('role', 'img');
    said.setAttribute('aria-label', 'confirmed');
  }
  mark.append(said);
}

function unmark(mark: HTMLElement): void {
  delete mark.dataset['checked'];
  mark.querySelector('.recorded-check')?.remove();
}
