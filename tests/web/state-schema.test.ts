// Whatever arrives from a link, a figure gets a valid state; and a valid state survives the way through a link.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as schema from '../../web/state/schema.ts';
import { formatLink, parseLink } from '../../web/state/link.ts';

const fields = {
  stretch: schema.number({ min: -3, max: 9, step: 0.25, initial: 1 }),
  fine: schema.number({ min: 0.05, max: 0.93, step: 0.1, initial: 0.5 }),
  layer: schema.integer({ min: 0, max: 12, initial: 12 }),
  mode: schema.choice(['box', 'story'], 'box'),
  sink: schema.flag(true),
  query: schema.text({ most: 12, initial: 'a place' }),
  scores: schema.numbers({ min: -10, max: 10, step: 0.01, least: 1, most: 5, initial: [2, 1] }),
  words: schema.texts({ length: 8, most: 4, initial: ['sky', 'sea'] }),
};
type State = schema.StateOf<typeof fields>;

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
const lattice = (min: number, max: number, step: number) =>
  fc.integer({ min: 0, max: Math.round((max - min) / step) }).map((k) => Number((min + k * step).toFixed(2)));
const short = (most: number) => anyText.map((value) => Array.from(value.replace(/\p{Surrogate}/gu, '?')).slice(0, most).join(''));

const validState: fc.Arbitrary<State> = fc.record({
  stretch: lattice(-3, 9, 0.25),
  fine: fc.oneof(fc.constant(0.93), lattice(0.05, 0.85, 0.1)),
  layer: fc.integer({ min: 0, max: 12 }),
  mode: fc.constantFrom<'box' | 'story'>('box', 'story'),
  sink: fc.boolean(),
  query: short(12),
  scores: fc.array(lattice(-10, 10, 0.01), { minLength: 1, maxLength: 5 }),
  words: fc.array(short(8), { maxLength: 4 }),
});

function expectValid(state: State): void {
  expect(state.stretch * 4).toSatisfy(Number.isInteger);
  expect(state.stretch).toBeGreaterThanOrEqual(-3);
  expect(state.stretch).toBeLessThanOrEqual(9);
  expect(Object.is(state.stretch, -0)).toBe(false);
  expect(state.fine).toBeGreaterThanOrEqual(0.05);
  expect(state.fine).toBeLessThanOrEqual(0.93);
  expect(Number.isInteger(state.layer) && state.layer >= 0 && state.layer <= 12).toBe(true);
  expect(['box', 'story']).toContain(state.mode);
  expect(typeof state.sink).toBe('boolean');
  expect(Array.from(state.query).length).toBeLessThanOrEqual(12);
  expect(state.query).not.toMatch(/\p{Surrogate}/u);
  expect(state.scores.length).toBeGreaterThanOrEqual(1);
  expect(state.scores.length).toBeLessThanOrEqual(5);
  expect(state.scores.every((score) => score >= -10 && score <= 10)).toBe(true);
  expect(state.words.length).toBeLessThanOrEqual(4);
  expect(state.words.every((word) => Array.from(word).length <= 8 && !/\p{Surrogate}/u.test(word))).toBe(true);
}

describe('a schema', () => {
  it('makes a valid state of any strings', () => {
    const numeric = fc.oneof(fc.double().map(String), fc.constantFrom('NaN', 'Infinity', '-Infinity', '1e999', '-0', '', ' ', '0x10'));
    const anything = fc.dictionary(fc.constantFrom(...Object.keys(fields), 'unknown', '__proto__', 'toString'), fc.oneof(anyText, numeric));
    fc.assert(
      fc.property(anything, (values) => {
        const state = schema.parseState<State>(fields, new Map(Object.entries(values)));
        expectValid(state);
        expect(schema.clampState<State>(fields, state)).toEqual(state);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a valid state back after format and parse', () => {
    fc.assert(
      fc.property(validState, (state) => {
        expect(schema.parseState<State>(fields, schema.formatState<State>(fields, state))).toEqual(state);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a valid state back after the whole way through an address', () => {
    fc.assert(
      fc.property(validState, validState, fc.string({ minLength: 1 }), (state, base, id) => {
        const name = id.replace(/\p{Surrogate}/gu, '?');
        const figures = new Map([[name, schema.formatState<State>(fields, state, base)]]);
        const address = new URL('https://book.example/a/b.html?x#' + formatLink({ anchor: '', page: new Map(), figures }));
        const read = parseLink(address.hash).figures.get(name) ?? new Map();
        expect(schema.parseState<State>(fields, read, base)).toEqual(state);
      }),
      { numRuns: 2000 },
    );
  });

  it('clamps what code sets, whatever it is', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.array(fc.double()), fc.array(anyText), anyText, (a, b, scores, words, query) => {
        expectValid(
          schema.clampState<State>(fields, { stretch: a, fine: b, layer: b, mode: query as 'box', sink: a as unknown as boolean, query, scores, words }),
        );
      }),
    );
  });
});

describe('single fields', () => {
  const read = (values: Record<string, string>) => schema.parseState<State>(fields, new Map(Object.entries(values)));

  it('let 0, the empty text and the empty list survive', () => {
    const state = { ...schema.initialState<State>(fields), stretch: 0, layer: 0, sink: false, query: '', words: [] };
    const written = schema.formatState<State>(fields, state);
    expect(Object.fromEntries(written)).toEqual({ stretch: '0', layer: '0', sink: '0', query: '', words: '' });
    expect(schema.parseState<State>(fields, written)).toEqual(state);
  });

  it('leave the default out of the link', () => {
    expect(schema.formatState<State>(fields, schema.initialState<State>(fields)).size).toBe(0);
    const base = { ...schema.initialState<State>(fields), stretch: 9 };
    expect(schema.formatState<State>(fields, base, base).size).toBe(0);
    expect(schema.formatState<State>(fields, { ...base, stretch: 1 }, base).get('stretch')).toBe('1');
  });

  it('read numbers as people type them', () => {
    expect(read({ stretch: ' 2,5 ' }).stretch).toBe(2.5);
    expect(read({ stretch: '\u22121' }).stretch).toBe(-1);
    expect(read({ stretch: '99' }).stretch).toBe(9);
    expect(read({ stretch: '' }).stretch).toBe(1);
    expect(read({ stretch: '1.1' }).stretch).toBe(1);
    expect(read({ layer: '3.6' }).layer).toBe(4);
    for (const text of ['200 000', '200\u202F000', '200\u00A0000', '200000']) expect(schema.readNumber(text)).toBe(200000);
    expect(schema.readNumber('1 234 567.5')).toBe(1234567.5);
    for (const text of ['1 2', '12 34', '1 2345', '- 1', '--1', '']) expect(schema.readNumber(text)).toBeNaN();
    expect(['123,456', '123.456', '\u22121,234', '1.5', '1,5'].map((text) => schema.readWritten(text, true))).toEqual([123456, 123456, -1234, 1.5, 1.5]);
    expect(schema.readWritten('1,234', false)).toBe(1.234);
  });

  it('tell the empty list from the list of one empty text', () => {
    for (const words of [[], [''], ['', ''], ['a', ''], ['', 'a'], ['a,b', '\\'], ['\\,', ',']]) {
      expect(fields.words.parse(fields.words.format(words))).toEqual(words);
    }
  });

  it('never cut a character in half', () => {
    expect(fields.query.parse('😀'.repeat(13))).toBe('😀'.repeat(12));
    expect(fields.query.parse('\ud83d!')).toBe('\ufffd!');
  });

  it('fill a list that is too short', () => {
    expect(read({ scores: '' }).scores).toEqual([2]);
    expect(read({ scores: 'x,y,z' }).scores).toEqual([2, 1, 0]);
    expect(read({ scores: '1,2,3,4,5,6,7' }).scores).toEqual([1, 2, 3, 4, 5]);
  });
});
