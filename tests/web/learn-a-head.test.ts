// learn-a-head: its first state by the module that pages load against the native program's practice, and what it draws
// of two records against the records.

import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import { figure } from '../../web/figures/learn-a-head.ts';
import type { Run } from '../../web/figures/training/run.ts';
import type { Training, TrainingPlan, TrainingReading } from '../../web/engine/training-types.ts';
import { share } from '../../web/marks/number.ts';
import { pageSchema } from '../../web/state/page.ts';
import { initialState } from '../../web/state/schema.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const build = process.env['LOOKBACK_BUILD'] ?? `${root}build`;
const little = `${root}web/public/models/little`;
const native = nativeProgram(`${build}/native/lookback`, little);
const state = initialState(figure.schema);
const signal = new AbortController().signal;

interface Practised {
  plan: TrainingPlan;
  losses: number[];
  reading: TrainingReading;
}
const practise = (steps: number) => native.practice('head', { seed: state.seed, steps }) as Promise<Practised>;

let untrained: Practised;
let trained: Practised;
let further: Practised;
beforeAll(async () => void ([untrained, trained, further] = await Promise.all([practise(0), practise(20), practise(200)])));

/** The figure with the native program's records; the one on show is `at`. */
function runAt(at: number): Run {
  const nothing = () => {};
  const rest = { every: 20, status: 'paused', problem: '', ledge: null, run: nothing, pause: nothing, step: nothing, dispose: nothing } as const;
  const training: Training = { ...rest, plan: untrained.plan, losses: further.losses, readings: [untrained.reading, trained.reading, further.reading] };
  return { training, at, follows: at === 2, problem: '', train: nothing, pause: nothing, step: nothing, look: nothing, restart: async () => {} };
}

/** Per column: each bar's label, drawn length from 0 to 1 and number. */
async function drawnBars(run: Run) {
  const markup = await draw(figure.view({ id: 'f', state, result: run, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|undefined|\[object|NaN/);
  return markup.split('class="learn-column"').slice(1).map((column) =>
    [...column.matchAll(/<li class="bar-row[^]*?<\/li>/g)].map(([row]) => ({
      label: lettersOf(/class="bar-label">([^]*?)<svg/.exec(row)![1]!).trim(),
      length: Number(/class="bar-share"[^>]* width="([\d.]+)%"/.exec(row)![1]) / 100,
      number: lettersOf(/class="bar-number">([^]*?)<\/span>/.exec(row)![1]!),
    })),
  );
}

it('begins, in the compiled page, where the native practice begins', async () => {
  const engine = buildEngine(native, { wasm: `${build}/wasm/wasm`, little });
  const { training } = await figure.compute(engine, state, signal, () => {});
  expect(training.plan).toEqual(untrained.plan);
  expect(training.readings).toEqual([untrained.reading]);
});

describe('a record on show', () => {
  it.each([0, 1, 2])('is drawn as it was measured (record %i)', async (at) => {
    const run = runAt(at);
    const columns = await drawnBars(run);
    expect(columns).toHaveLength(4);
    run.training.plan.probes.forEach(({ ids, known, from }, probe) => {
      [0, at].forEach((record, side) => {
        const drawn = columns[probe * 2 + side]!;
        const { patterns } = run.training.readings[record]!.probes[probe]!;
        const measured = Array.from({ length: from + 1 }, (_, place) => patterns[from * known.length + place]!);
        expect(drawn.map(({ label }) => label)).toEqual(ids.slice(0, from + 1).map((id) => untrained.plan.words[id]));
        expect(drawn.map(({ number }) => number)).toEqual(measured.map(share));
        drawn.forEach(({ length }, place) => expect(length).toBeCloseTo(measured[place]!, 3));
        expect(measured.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
      });
    });
  });

  it('says in its title and sentences what its bars show', () => {
    for (const at of [0, 1, 2]) {
      const run = runAt(at);
      const { ids, known, from, noun } = run.training.plan.probes[0]!;
      const onNoun = share(run.training.readings[at]!.probes[0]!.patterns[from * known.length + noun]!);
      expect(figure.title(state, run)).toContain(`“it” gives ${onNoun} of its look to its noun, “${untrained.plan.words[ids[noun]!]}”`);
      expect(figure.describe(state, run)).toContain(`${onNoun} of its look`);
    }
  });

  it('finds the noun after a while', () => {
    expect(untrained.reading.roles[0]![0]).toBeLessThan(0.3);
    expect(further.reading.roles[0]![0]).toBeGreaterThan(0.6);
    expect(further.reading.known_loss!).toBeLessThan(untrained.reading.known_loss! / 2);
  });
});
