// continue-text on the core: its text and chances against the native program (`lookback generate`, and the read-out of
// `lookback inside`), greedy and drawn, going on, going back and taking another way; to the end of the window; links.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import { displayTable } from '../../web/figures/definition.ts';
import { figure } from '../../web/figures/continue-text.ts';
import { textOf } from '../../web/figures/continue-text/words.ts';
import type { Engine } from '../../web/engine/types.ts';
import { initialState, parseState, type StateOf } from '../../web/state/schema.ts';
import { pageSchema } from '../../web/state/page.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const little = `${root}web/public/models/little`;
const program = `${root}build/native/lookback`;
const native = nativeProgram(program, little);
const open = () => buildEngine(native, { wasm: `${root}build/wasm/wasm`, little });
const engine = open();

const initial = initialState(figure.schema);
type State = typeof initial;

async function compute(patch: Partial<State>, asked: Engine = engine) {
  const state = { ...initial, ...patch };
  const result = await figure.compute(asked, state, new AbortController().signal, () => {});
  if (result.kind !== 'seen') throw new Error(result.sentence);
  return { state, result, seen: result.seen, ids: [...result.seen.given, ...result.seen.steps.map(({ token }) => token)].map(({ id }) => id) };
}

async function show(patch: Partial<State>, base: 0 | 1 = 0) {
  const state = { ...initial, ...patch };
  const result = await figure.compute(engine, state, new AbortController().signal, () => {});
  const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: { ...initialState(pageSchema), base } }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const text = lettersOf(markup.replace(/<\/(span|p|button)>/g, ' $&')).replace(/\s+/g, ' ');
  return { state, result, markup, text, title: figure.title(state, result), describe: figure.describe(state, result), rows: displayTable(figure.table(state, result)).rows };
}

async function generate(text: string, length: number, options: Record<string, number>): Promise<{ ids: number[]; text: string; window_full: boolean; prompt_tokens: number }> {
  const settings = Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)]);
  const { stdout } = await promisify(execFile)(program, ['generate', '--model', little, '--text', text, '--length', String(length), '--json', ...settings]);
  return JSON.parse(stdout);
}

interface LensRow { top: { id: number; token: string; probability: number }[] }
const readOut = async (text: string) => ((await native.command('inside', { text, top: 100 })) as { lens: LensRow[] }).lens.at(-1)!.top;
const share = (value: number) => (value === 0 ? 'left out' : value * 100 < 0.05 ? '<\u202F0.1\u202F%' : `${(value * 100).toFixed(value < 0.0095 ? 1 : 0)}\u202F%`);
const word = (token: string) => token.replace(/^“(.*)”$/s, '$1').trim();

const texts = ['The dog chased the cat. The cat', 'Maya lives in Paris, the capital of', 'One morning'];
const settings: Partial<State>[] = [
  { temperature: 0 },
  { temperature: 1, seed: 1 },
  { temperature: 1, seed: 7 },
  { temperature: 2.5, seed: 3 },
  { temperature: 0.7, topk: 3, seed: 2 },
  { temperature: 1.5, topp: 0.9, seed: 5 },
  { temperature: 1.2, topk: 40, topp: 0.8, seed: 11 },
];
const optionsOf = ({ temperature = 1, topk = 0, topp = 1, seed = 1 }: Partial<State>) => ({ temperature, 'top-k': topk, 'top-p': topp, seed });

it('the same seed gives the same text here and in the native program, greedy and for every setting', async () => {
  for (const text of texts) {
    for (const setting of settings) {
      const truth = await generate(text, 24, optionsOf(setting));
      const { ids, seen } = await compute({ text, ...setting, drawn: 24 });
      expect(ids, `${text} ${JSON.stringify(setting)}`).toEqual(truth.ids);
      // Half a character is shown by its bytes.
      expect(textOf([...seen.given, ...seen.steps.map(({ token }) => token)]).replace(/⟨[\dA-F ]+⟩/g, '\uFFFD')).toBe(truth.text);
    }
  }
});

it('step by step, forward and back, mixed with other texts and seeds, the draws stay those of the series', async () => {
  const text = texts[0]!;
  const truth = await generate(text, 12, { temperature: 1.5, seed: 9 });
  const fresh = open();
  for (const drawn of [0, 1, 2, 5, 3, 4, 12, 0, 7]) {
    expect((await compute({ text, temperature: 1.5, seed: 9, drawn }, fresh)).ids).toEqual(truth.ids.slice(0, truth.prompt_tokens + drawn));
    await compute({ text: 'Another', seed: drawn, drawn: 2 }, fresh);
  }
  // Two at a time wait for each other.
  const both = await Promise.all([compute({ text, temperature: 1.5, seed: 9, drawn: 12 }, open()), compute({ text, temperature: 0, drawn: 12 }, open())]);
  expect(both[0].ids).toEqual(truth.ids);
  expect(both[1].ids).toEqual((await generate(text, 12, {})).ids);
});

it('a step costs one token: what was computed is not asked for again', async () => {
  const asked: number[] = [];
  const inner = open();
  const counting: Engine = { ...inner, run: (input, options) => (asked.push('ids' in input ? input.ids.length : -1), inner.run(input, options)) };
  await compute({ drawn: 3 }, counting);
  const given = asked.length;
  const { seen } = await compute({ drawn: 4 }, counting);
  expect(asked.slice(given)).toEqual([seen.given.length + 4]);
  await compute({ drawn: 2 }, counting);
  await compute({ drawn: 4 }, counting);
  expect(asked.length).toBe(given + 1);
});

it('shows the chances of the read-out and of the draw, worked out anew from it', async () => {
  for (const text of texts) {
    const top = await readOut(text);
    const { config } = (await engine.inUse())!;
    const run = await engine.run({ text });
    const odds = (await engine.lens(run, config.n_layers, run.tokens.length - 1, config.d_vocab)).map(({ probability }) => probability);
    expect(odds.slice(0, 100)).toEqual(top.map(({ probability }) => Math.fround(probability)));
    const weigh = (power: number) => odds.map((chance) => chance ** power);
    const cutBy = (weights: number[], { topk = 0, topp = 1 }: Partial<State>) => {
      const first = weights.slice(0, topk > 0 ? topk : weights.length);
      const sum = first.reduce((all, one) => all + one, 0);
      let reached = 0;
      const kept = first.filter((one) => {
        const keep = reached < topp;
        reached += one / sum;
        return keep;
      });
      const total = kept.reduce((all, one) => all + one, 0);
      return weights.map((one, at) => (at < kept.length ? one / total : 0));
    };
    for (const setting of [{ temperature: 1 }, { temperature: 0.5 }, { temperature: 2 }, { temperature: 1, topk: 2 }, { temperature: 1.5, topp: 0.8 }]) {
      const wanted = cutBy(weigh(1 / setting.temperature), setting);
      const { rows, result } = await show({ text, ...setting });
      if (result.kind !== 'seen') throw new Error();
      expect(rows.map((row) => row[1])).toEqual(top.slice(0, 10).map(({ token }) => word(token)));
      expect(rows.map((row) => row[2])).toEqual(odds.slice(0, 10).map((chance) => share(chance).replace('left out', '0\u202F%')));
      result.seen.next!.likeliest.forEach(({ chance, own }, at) => {
        expect(own!).toBeCloseTo(odds[at]!, 5);
        expect(chance).toBeCloseTo(wanted[at]!, 4);
      });
    }
    const { rows, title, text: said } = await show({ text, temperature: 0 });
    expect(rows.map((row) => row[3])).toEqual(['100\u202F%', ...Array(9).fill('0\u202F%')]);
    expect(said.match(/left out/g)).toHaveLength(10); // nine and the others
    expect(title).toBe(`After “${word((await compute({ text })).seen.given.at(-1)!.pieces.map(({ shown }) => shown).join(''))}”, the likeliest is “${word(top[0]!.token)}”: 100\u202F% in this draw`);
  }
});

it('says what the tokens beside the list have together, and when nothing beyond it can be drawn', async () => {
  const others = async (patch: Partial<State>) => /2 038 others, together , the model’s chance (?:< )?\S+ % , in this draw (left out|(?:< )?\S+ %)/.exec((await show(patch)).text.replaceAll('\u202F', ' '))?.[1];
  expect(await others({})).toMatch(/%$/);
  expect(await others({ topk: 11 })).toMatch(/%$/);
  expect(await others({ topk: 10 })).toBe('left out');
  expect(await others({ topp: 0.9 })).toBe('left out');
  expect(await others({ temperature: 0.5 })).toBe('< 0.1 %');
  expect(await others({ temperature: 3 })).toMatch(/^\d\d %$/);
});

it('takes another alternative and goes on from there, with what the model makes of it', async () => {
  const text = texts[0]!;
  const { seen } = await compute({ text, temperature: 0, drawn: 6 });
  const other = seen.steps[2]!.choices.likeliest[3]!;
  const patch = { text, temperature: 0, drawn: 8, taken: [`2.${other.id}`] };
  const taken = await compute(patch);
  expect(taken.seen.steps[2]).toMatchObject({ byHand: true, token: { id: other.id, chance: 0 } });
  const begun = textOf([...seen.given, ...seen.steps.slice(0, 2).map(({ token }) => token), other]);
  expect(taken.ids).toEqual((await generate(begun, 5, {})).ids);
  expect((await show({ ...patch, at: 2 })).title).toMatch(/ was taken by hand; the draw left it out$/);
  expect((await show({ ...patch, at: 3 })).title).toMatch(/ was drawn; its chance was 100\u202F%$/);
  // What a step does not offer is not taken, and what was drawn anyway is not by hand.
  for (const strange of ['2.999999', '2.-1', 'x', `9.${other.id}`, `2.${seen.steps[2]!.token.id}`]) {
    const { ids, seen: plain } = await compute({ text, temperature: 0, drawn: 6, taken: [strange] });
    expect(ids).toEqual([...seen.given, ...seen.steps.map(({ token }) => token)].map(({ id }) => id));
    expect(plain.steps.some(({ byHand }) => byHand)).toBe(false);
  }
});

it('tells a token that was drawn from below the list', async () => {
  const { seen } = await compute({ temperature: 3, seed: 4, drawn: 12 });
  const at = seen.steps.findIndex(({ choices, token }) => !choices.likeliest.some(({ id }) => id === token.id));
  expect(at).toBeGreaterThanOrEqual(0);
  const { text, rows } = await show({ temperature: 3, seed: 4, drawn: 12, at });
  expect(rows.filter(([step]) => step === String(at + 1))).toHaveLength(11);
  expect(text).toMatch(/drawn .*, the model’s chance – , in this draw/);
});

it('goes to the last place of the window and one beyond, and ends in words', async () => {
  const text = texts[2]!;
  const truth = await generate(text, 400, { temperature: 1, seed: 1 });
  expect(truth.window_full).toBe(true);
  const { ids, seen } = await compute({ text, drawn: 5000 });
  expect(ids).toEqual(truth.ids);
  expect(ids).toHaveLength(129);
  expect(seen).toMatchObject({ full: true, next: null, going: false });
  const end = await show({ text, drawn: 5000 });
  expect(end.title).toBe('The window of 128 tokens is full, after 127 new tokens');
  expect(end.text).toContain('The window of 128 tokens is full.');
  expect(end.markup).toMatch(/<button[^>]*disabled[^>]*>\s*Step/);
  expect((await show({ text, drawn: 126 })).text).not.toContain('is full');

  const full = await compute({ text: ' the'.repeat(128), drawn: 3 });
  expect(full.seen.steps).toHaveLength(1);
  expect(full.seen.full).toBe(true);
  const beyond = await show({ text: ' the'.repeat(129), drawn: 3 });
  expect(beyond.result.kind).toBe('refused');
  expect(beyond.text).toContain('The text has 129 tokens, but the model\'s window holds 128.');
  expect((await show({ text: '' })).title).toContain('waiting for');
});

it('stays in use whatever a link holds', async () => {
  const value = fc.oneof(fc.string(), fc.constantFrom('-1', '0', '1e9', 'NaN', '3.5', '0.9,1.4', '__proto__', '<b>', '2.7,2.9,,'), fc.integer().map(String));
  const keys = ['temperature', 'topk', 'topp', 'seed', 'taken', 'at', 'model'] as const;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value), fc.integer({ min: -3, max: 9 }), async (values, drawn) => {
      const state = parseState<StateOf<typeof figure.schema>>(figure.schema as never, new Map([...Object.entries(values), ['drawn', String(drawn)]]));
      const { describe: said, title } = await show(state as Partial<State>);
      expect(title + said).not.toMatch(/NaN|undefined|Infinity|∞/);
    }),
    { numRuns: 40 },
  );
});
