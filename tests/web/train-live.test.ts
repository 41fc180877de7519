// train-live: what is displayed is what was recorded, and the buttons do what they say, on a training whose numbers are
// known.

import { describe, expect, it } from 'vitest';
import type { Training, TrainingPlan, TrainingReading } from '../../web/engine/training-types.ts';
import type { Engine } from '../../web/engine/types.ts';
import { csv, displayTable } from '../../web/figures/definition.ts';
import { figure, type State } from '../../web/figures/train-live.ts';
import { largestOf } from '../../web/figures/train-live/heads.ts';
import { firstRun } from '../../web/figures/train-live/probe.ts';
import type { Run } from '../../web/figures/training/run.ts';
import { initialState, parseState } from '../../web/state/schema.ts';
import { pageSchema } from '../../web/state/page.ts';
import { draw, lettersOf } from './draw.ts';

// ------------------------------------------------------------------------------------------ a training that is known

const plan: TrainingPlan = {
  words: ['cat', 'sun', 'hat', 'sea'],
  config: { n_layers: 1, n_heads: 2, d_model: 4, d_head: 2, d_mlp: 2, n_positions: 6, d_vocab: 4 },
  n_parameters: 100, n_steps: 60, sequence: 6, sequences_a_step: 2,
  roles: [{ name: 'previous token', threshold: 0.8 }, { name: 'induction', threshold: 0.5 }],
  // cat sun hat | cat sun hat | cat
  probes: [{ ids: [0, 1, 2, 0, 1, 2, 0], known: [false, false, false, true, true, true], from: 0, noun: 0 }],
};
const n = 6;

/** Head 0 looks at the word before with `sharp`, at itself with the rest; head 1 evenly. */
function reading(step: number, sharp: number): TrainingReading {
  const patterns: number[] = [];
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) patterns.push(row === 0 ? Number(column === 0) : column === row - 1 ? sharp : column === row ? 1 - sharp : 0);
  }
  for (let row = 0; row < n; row++) for (let column = 0; column < n; column++) patterns.push(column <= row ? 1 / (row + 1) : 0);
  // From step 20 on the settled words are guessed right; before, everything is "sea".
  const right = step >= 20;
  return {
    step, known_loss: right ? 0.25 : 1.4, other_loss: 1.5, known_right: right ? 0.9 : 0.2,
    roles: [[sharp, 0.3], [0.1, 0.2]],
    probes: [{
      patterns, losses: [1, 1, 1, 1, 1, 1], chances: [0.1, 0.2, 0.3, 0.76, 0.004, 0.5],
      guesses: [3, 3, 3, right ? 1 : 3, right ? 2 : 3, 0], guess_chances: [0.4, 0.4, 0.4, 0.76, 0.41, 0.5],
    }],
  };
}

function knownEngine(known: { plan?: TrainingPlan; readings?: TrainingReading[]; losses?: number[] } = {}) {
  const asked: object[] = [];
  const made: (Training & { done: string[]; change(patch: Partial<Training>): void })[] = [];
  let refusal = '';
  const train = async (_name: string, options: object, call: { onProgress?: () => void }) => {
    asked.push(options);
    if (refusal) throw new Error(refusal);
    const done: string[] = [];
    const training = {
      plan: known.plan ?? plan, every: 20, status: 'ready' as Training['status'], problem: '', losses: known.losses ?? [], readings: known.readings ?? [reading(0, 0.4)], ledge: null as Training['ledge'],
      run: () => void done.push('run'), pause: () => void done.push('pause'), step: () => void done.push('step'), dispose: () => void done.push('dispose'),
      done,
      change(patch: Partial<Training>) {
        Object.assign(training, patch);
        call.onProgress?.();
      },
    };
    made.push(training);
    return training;
  };
  return { engine: { train } as unknown as Engine, asked, made, refuse: (sentence: string) => (refusal = sentence) };
}

const initial = initialState(figure.schema);
const page = initialState(pageSchema);

async function shown(engine: Engine, state: State = initial) {
  const updates: { run: Run; announced: boolean }[] = [];
  const first = await figure.compute(engine, state, new AbortController().signal, (run, announced = false) => updates.push({ run, announced }));
  return { first, updates };
}

const markup = (run: Run, state: State = initial) => draw(figure.view({ id: 'f', state, result: run, set: () => {}, page }));
const trained = { readings: [reading(0, 0.4), reading(20, 0.85), reading(40, 0.97)], losses: Array.from({ length: 40 }, (_, step) => (step < 20 ? 1.4 : 0.5)) };

// ------------------------------------------------------------------------------------------------------------- words

describe('words', () => {
  it('say in the title which head does what, or that none does', async () => {
    const { first } = await shown(knownEngine().engine);
    expect(figure.title(initial, first)).toBe('Before training, two heads look at everything alike, and every guess is as unsure as among 4 words');
    const after = (await shown(knownEngine(trained).engine)).first;
    expect(figure.title(initial, after)).toBe('After 40 steps, layer 0 head 0 looks at the word before (97\u202f%)');
    const early = (await shown(knownEngine({ readings: [reading(0, 0.4), reading(20, 0.5)] }).engine)).first;
    expect(figure.title(initial, early)).toBe('After 20 steps, none of the two heads has a habit with a name, and a guess that could be sure is as unsure as among 1.3 words');
  });

  it('describe the record on show with its values', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    const said = figure.describe(initial, first);
    expect(said).toContain('40 of 60 steps are done.');
    expect(said).toContain('the loss is 0.25, as unsure as among 1.3 words, and 90\u202f% of the guesses are right.');
    expect(said).toContain('Layer 0 head 0 looks at the word before, with 97\u202f% of its attention.');
  });

  it('put every record into the table, with the mean training loss of the steps before it', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    const table = figure.table(initial, first);
    expect(table.rows.map((row) => row.slice(0, 5))).toEqual([
      [0, 1.4, 1.5, 0.2, null],
      [20, 0.25, 1.5, 0.9, expect.closeTo(1.4, 10)],
      [40, 0.25, 1.5, 0.9, expect.closeTo(0.5, 10)],
    ]);
    expect(displayTable(table).labels.slice(5)).toEqual(['previous token, layer 0 head 0', 'previous token, layer 0 head 1', 'induction, layer 0 head 0', 'induction, layer 0 head 1']);
    expect(csv(table).split('\r\n')).toHaveLength(5);
  });

  it('say that there is nothing to learn where nothing is repeated', async () => {
    const never = { ...plan, probes: [{ ...plan.probes[0]!, known: [false, false, false, false, false, false] }] };
    const blank = { ...reading(0, 0.4), known_loss: null, known_right: null };
    const { first } = await shown(knownEngine({ plan: never, readings: [blank] }).engine);
    expect(firstRun(never.probes[0]!)).toBe(n);
    expect(lettersOf(await markup(first))).toContain('there is nothing to learn');
    expect(figure.describe(initial, first)).not.toContain('null');
    expect(await markup(first)).not.toContain('NaN');
  });
});

// ------------------------------------------------------------------------------------------------------------ picture

describe('picture', () => {
  it('draws every share in its place and ink, and hides the upper triangle', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    const drawn = await markup(first);
    const grids = drawn.split('class="train-grid"').slice(1);
    expect(grids).toHaveLength(2);
    // 0.97 lies nearest to 19 of 20 levels; one square for each row from the second on, left of the diagonal.
    const path = /fill-opacity="?0.95"?[^>]* d="([^"]+)"/.exec(grids[0]!)![1]!;
    expect(path.match(/M\d+ \d+/g)).toEqual(['M0 10', 'M10 20', 'M20 30', 'M30 40', 'M40 50']);
    // An even head's third row has a third each: 7 of 20.
    expect(/fill-opacity="?0.35"?[^>]* d="([^"]+)"/.exec(grids[1]!)![1]).toBe('M0 20h10v10h-10zM10 20h10v10h-10zM20 20h10v10h-10z');
    expect(grids[0]).toContain('d="M10 0H60V60V50H50V40H40V30H30V20H20V10H10z"');
  });

  it('names a head by its role only from the threshold on', async () => {
    const heads = async (sharp: number) => (await markup((await shown(knownEngine({ readings: [reading(20, sharp)] }).engine)).first)).split('class="train-head"').slice(1);
    expect((await heads(0.85))[0]).toContain('class="train-role">looks at the word before');
    expect((await heads(0.75))[0]).not.toContain('class="train-role"');
    expect((await heads(0.85))[1]).not.toContain('class="train-role"');
  });

  it('frames the row of the picked word, at first where the pattern last comes round, and says its largest share', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    expect(await markup(first)).toContain('class="train-row" x="0" y="30" width="40" height="10"');
    const other = await markup(first, { ...initial, word: 1 });
    expect(other).toContain('class="train-row" x="0" y="10" width="20" height="10"');
    expect(lettersOf(other)).toContain('from sun most to cat, 97\u202f%');
    // A word beyond the text means its last.
    expect(await markup(first, { ...initial, word: 47 })).toContain('class="train-row" x="0" y="50"');
    expect(largestOf([0.5, 0, 0.5, 0.5], 2, 1)).toEqual({ column: 1, value: 0.5 });
  });

  it('shows each word with the guess made for its place, a line each time the pattern comes', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    const drawn = await markup(first);
    const lines = drawn.split('<tr>').slice(1).map((line) => lettersOf(line.split('</table>')[0]!).split(/\s{2,}/).map((part) => part.trim()).filter(Boolean).join(' '));
    expect(lines[0]).toBe('first time cat sun guessed sea 40\u202f%hat guessed sea 40\u202f%');
    expect(lines[1]).toBe('second time cat guessed sea 40\u202f%sun guessed right ✓ 76\u202f%hat guessed right ✓ 41\u202f%');
    // The first word of the second round was not settled, so its guess counts neither as right nor as wrong.
    const guesses = [...drawn.matchAll(/class="train-guess (train-\w+)"/g)].map((match) => match[1]);
    expect(guesses).toEqual(['train-new', 'train-new', 'train-new', 'train-new', 'train-right', 'train-right']);
    const wrong = await markup((await shown(knownEngine().engine)).first);
    expect([...wrong.matchAll(/class="train-guess (train-\w+)"/g)].map((match) => match[1]).slice(4)).toEqual(['train-wrong', 'train-wrong']);
  });

  it('draws the curve on one scale: the even guess at the logarithm of the number of words', async () => {
    const { first } = await shown(knownEngine(trained).engine);
    const drawn = await markup(first);
    const y = (loss: number) => Math.round((174 - (loss / (Math.log(4) + 0.6)) * 164) * 10) / 10;
    expect(drawn).toContain(`class="train-even" x1="0" x2="100%" y1=${quoted(y(Math.log(4)))}`);
    const known = /train-known" vector-effect="non-scaling-stroke" points="([^"]+)"/.exec(drawn)![1];
    expect(known).toBe(`0,${y(1.4)} 333.3,${y(0.25)} 666.7,${y(0.25)}`);
    expect(/train-every" vector-effect="non-scaling-stroke" points="([^"]+)"/.exec(drawn)![1]!.split(' ')).toHaveLength(40);
  });

  it('writes no style attribute and no heading', async () => {
    const drawn = await markup((await shown(knownEngine(trained).engine)).first);
    expect(drawn).not.toMatch(/<[^>]*\sstyle\s*=/);
    expect(drawn).not.toMatch(/<h\d/);
  });
});

const quoted = (value: number) => `"${value}"`;

// ---------------------------------------------------------------------------------------------------------- the run

describe('run', () => {
  it('asks for the texts of the state, ends in order, whatever a link says', async () => {
    const { engine, asked } = knownEngine();
    await shown(engine, parseState(figure.schema, new Map(Object.entries({ seed: '7', words: '99', shortest: '20', longest: '5', repeats: 'no' }))));
    expect(asked).toEqual([{ seed: 7, words: 40, shortest: 5, longest: 20, repeated: false }]);
  });

  it('follows the newest record until the reader looks back', async () => {
    const { engine, made } = knownEngine(trained);
    const { first, updates } = await shown(engine);
    const training = made[0]!;
    expect([first.at, first.follows]).toEqual([2, true]);
    first.look(1);
    expect([updates.at(-1)!.run.at, updates.at(-1)!.run.follows]).toEqual([1, false]);
    training.change({ status: 'running', readings: [...training.readings, reading(60, 0.99)] });
    expect([updates.at(-1)!.run.at, updates.at(-1)!.announced]).toEqual([1, false]);
    first.look(99);
    expect([updates.at(-1)!.run.at, updates.at(-1)!.run.follows]).toEqual([3, true]);
    first.look(-5);
    expect(updates.at(-1)!.run.at).toBe(0);
    first.train();
    training.change({ status: 'done' });
    expect([updates.at(-1)!.run.at, updates.at(-1)!.announced]).toEqual([3, true]);
    expect(training.done).toEqual(['run']);
  });

  it('offers only what can be done', async () => {
    const buttons = async (status: Training['status']) => {
      const { engine, made } = knownEngine(trained);
      const { first } = await shown(engine);
      made[0]!.change({ status });
      const line = (await markup(first)).split('train-walk')[1]!.split('</div>')[0]!;
      return [...line.matchAll(/<button([^>]*)>([^<]+)/g)].map(([, attributes, name]) => name + (attributes!.includes('disabled') ? ' (off)' : ''));
    };
    expect(await buttons('ready')).toEqual(['Train', '20 steps', 'Restart']);
    expect(await buttons('running')).toEqual(['Pause', '20 steps (off)', 'Restart']);
    expect(await buttons('done')).toEqual(['Train (off)', '20 steps (off)', 'Restart']);
    expect(await buttons('lost')).toEqual(['Train (off)', '20 steps (off)', 'Restart']);
  });

  it('begins anew with the same texts, and keeps what was recorded when it cannot', async () => {
    const { engine, made, asked, refuse } = knownEngine(trained);
    const { first, updates } = await shown(engine, { ...initial, seed: 5 });
    first.look(0);
    await first.restart();
    expect(made[0]!.done).toEqual(['dispose']);
    expect(asked).toEqual([asked[0], asked[0]]);
    expect(updates.at(-1)!.run.training).toBe(made[1]);
    expect(updates.at(-1)!.run.follows).toBe(true);
    refuse('There is not enough memory for this practice.');
    await first.restart();
    expect(updates.at(-1)!.run.problem).toBe('There is not enough memory for this practice.');
    expect(lettersOf(await markup(updates.at(-1)!.run))).toContain('There is not enough memory for this practice.');
    expect(updates.at(-1)!.run.training.readings).toHaveLength(3);
  });
});
