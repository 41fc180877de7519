// The address fragment: what stands in it survives, one figure never disturbs another, and nothing throws.

import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { figureNames } from '../../web/compiler/registry.mjs';
import type { FigureDefinition } from '../../web/figures/definition.ts';
import { formatLink, liveLink, parseLink, type AddressBar } from '../../web/state/link.ts';
import { pageSchema } from '../../web/state/page.ts';
import { clampState, formatState, parseState, type Schema } from '../../web/state/schema.ts';

const awkward = [
  '', ' ', '0', 'a b', 'a&b=c#d%e+f', '100 %', '%zz', '%', '&', '=', '#', '😀 é 漢字 \u200d', '<img src=x onerror=alert(1)>',
  '"\'`', 'line\nbreak\ttab', 'trailing.', "it's (here)!", 'a,b,', '\u0000', '..%2F..',
];

describe('the grammar', () => {
  it.each(awkward)('carries %j through a real address', (value) => {
    const link = { anchor: value, page: new Map([['sentence', value]]), figures: new Map([['dial-1', new Map([['text', value]])]]) };
    const address = new URL('https://book.example/02/?q=1#' + formatLink(link));
    const read = parseLink(address.hash);
    expect(read.anchor).toBe(value);
    expect(read.page.get('sentence')).toBe(value);
    expect(read.figures.get('dial-1')?.get('text')).toBe(value);
  });

  it('writes only signs that chat programs leave alone, and reads what they escape', () => {
    for (const value of awkward) {
      const written = formatLink({ anchor: '', page: new Map([['sentence', value]]), figures: new Map() });
      expect(written).toMatch(/^[\w\-.~%=&,]*$/);
      expect(written).not.toMatch(/,$/);
      expect(parseLink(encodeURI(written).replace(/%25/g, '%')).page.get('sentence')).toBe(value);
    }
  });

  it('round-trips any link', () => {
    const text = fc.string({ unit: 'grapheme' });
    const name = fc.string({ minLength: 1, unit: 'grapheme' });
    const values = fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, minLength: 1 }).map((pairs) => new Map(pairs));
    const figures = fc.uniqueArray(fc.tuple(name, values), { selector: ([id]) => id }).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(fc.record({ anchor: text, page: values, figures }), (link) => {
        expect(parseLink('#' + formatLink(link))).toEqual(link);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads any string', () => {
    const noise = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom('&', '=', '.', '#', '%', '%41', 'a', '')).map((parts) => parts.join('')));
    fc.assert(
      fc.property(noise, (fragment) => {
        const link = parseLink(fragment);
        expect(parseLink(formatLink(link))).toEqual(link);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps an ordinary anchor ordinary', () => {
    expect(parseLink('#where-next').anchor).toBe('where-next');
    expect(formatLink(parseLink('#where-next'))).toBe('where-next');
    expect(formatLink(parseLink(''))).toBe('');
    expect(parseLink('#__proto__.x=1&constructor=2').figures.get('__proto__')?.get('x')).toBe('1');
  });
});

const web = fileURLToPath(new URL('../../web', import.meta.url));
const seconds = Number(process.env['SECONDS_EACH'] ?? 0);
const budget = seconds > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false } : { numRuns: 100 };

/** Every number of a state is one. */
function expectNumbers(value: unknown): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
  else if (Array.isArray(value)) value.forEach(expectNumbers);
  else expect(['string', 'boolean']).toContain(typeof value);
}

describe('any link, for', async () => {
  const schemas = new Map<string, Schema<any>>([['page', pageSchema]]);
  for (const name of await figureNames(web)) {
    const { figure } = (await import(`../../web/figures/${name}.ts`)) as { figure: FigureDefinition<any, any> };
    schemas.set(name, figure.schema);
  }

  it.each([...schemas])('%s gives a state within its bounds, which its own link gives again', (name, schema) => {
    const number = fc.oneof(fc.double().map(String), fc.bigInt().map(String), fc.constantFrom('NaN', '-0', '1e999', '1e-999', '0x10', ',', '1,2', ',,', '\\', '−1', '1,5', ' 7 ', '٣'));
    const value = fc.oneof(number, fc.array(number, { maxLength: 30 }).map((list) => list.join(',')), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...awkward), fc.constantFrom('x', '\ud800', ',').map((sign) => sign.repeat(30_000)));
    const keys = fc.constantFrom(...Object.keys(schema), 'unknown', '__proto__', 'constructor', 'hide');
    const link = fc.array(fc.tuple(keys, value), { maxLength: 8 }).map((pairs) => pairs.map(([key, text]) => `a.${key}=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))}`).join('&'));
    const broken = fc.tuple(link, fc.nat(), fc.string({ unit: 'binary', maxLength: 5 })).map(([text, where, noise]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + noise + text.slice(at + noise.length);
    });
    fc.assert(
      fc.property(fc.oneof(link, broken), (fragment) => {
        const state = parseState(schema, parseLink(fragment).figures.get('a') ?? new Map());
        expect(Object.keys(state)).toEqual(Object.keys(schema));
        Object.values(state).forEach(expectNumbers);
        expect(clampState(schema, state)).toEqual(state);
        const own = formatLink({ anchor: '', page: new Map(), figures: new Map([['a', formatState(schema, state)]]) });
        expect(parseState(schema, parseLink(own).figures.get('a') ?? new Map()), name).toEqual(state);
      }),
      budget,
    );
  }, seconds * 1000 + 60_000);
});

describe('the live link', () => {
  let shown = '';
  let history: string[] = [];
  let moved: () => void = () => {};
  let left: () => void = () => {};
  const bar: AddressBar = {
    read: () => shown,
    replace: (fragment) => history.splice(-1, 1, (shown = fragment)),
    push: (fragment) => history.push((shown = fragment)),
    watch: (listener) => (moved = listener),
    leave: (listener) => (left = listener),
  };
  const open = (fragment: string) => {
    shown = fragment;
    history = [fragment];
    return liveLink(bar);
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('changes one figure and leaves every other piece as it was', () => {
    const link = open('here&depth=math&a.x=1&b.y=%3Cimg%3E&b.z=');
    link.setFigure('a', new Map([['x', '2']]));
    vi.runAllTimers();
    expect(shown).toBe('here&depth=math&a.x=2&b.y=%3Cimg%3E&b.z=');
    link.setFigure('a', new Map());
    vi.runAllTimers();
    expect(shown).toBe('here&depth=math&b.y=%3Cimg%3E&b.z=');
  });

  it('writes the address at most twice a second, and the last state always', () => {
    const link = open('');
    const replace = vi.spyOn(bar, 'replace');
    for (let at = 0; at < 300; at++) {
      link.setFigure('a', new Map([['x', String(at)]]));
      vi.advanceTimersByTime(10);
    }
    vi.runAllTimers();
    expect(replace.mock.calls.length).toBeLessThanOrEqual(7);
    expect(shown).toBe('a.x=299');
    link.setFigure('a', new Map([['x', 'end']]));
    left();
    expect(shown).toBe('a.x=end');
    replace.mockRestore();
  });

  it('tells its listeners of changes from the page and from the address bar', () => {
    const link = open('a.x=1');
    const heard: (string | undefined)[] = [];
    const stop = link.subscribe(() => heard.push(link.figure('a').get('x')));
    link.setFigure('a', new Map([['x', '2']]));
    link.setFigure('a', new Map([['x', '2']]));
    shown = 'a.x=3';
    moved();
    vi.runAllTimers();
    stop();
    link.setFigure('a', new Map([['x', '4']]));
    expect(heard).toEqual(['2', '3']);
  });

  it('follows a link of the prose without losing the rest, and Back undoes it', () => {
    const link = open('a.x=1&b.y=2');
    link.setFigure('a', new Map([['x', '7']]));
    link.follow('dial&b.z=0');
    expect(history).toEqual(['a.x=7&b.y=2', 'dial&a.x=7&b.y=2&b.z=0']);
    shown = history[0]!;
    moved();
    expect(link.figure('b').get('z')).toBeUndefined();
    vi.runAllTimers();
    expect(shown).toBe('a.x=7&b.y=2');
  });

  it('follows a link in the place of those before it, and keeps what the reader has set', () => {
    const link = open('a.t=2&a.k=5&b.y=2');
    link.follow('a&a.t=0&a.n=40');
    expect(shown).toBe('a&a.t=0&a.k=5&a.n=40&b.y=2');
    link.follow('a&a.text=x&a.n=1');
    expect(Object.fromEntries(link.figure('a'))).toEqual({ t: '2', k: '5', text: 'x', n: '1' });
    link.setFigure('a', new Map([['t', '2'], ['k', '5'], ['text', 'mine'], ['n', '1']]));
    link.follow('a&a.k=3');
    expect(Object.fromEntries(link.figure('a'))).toEqual({ t: '2', k: '3', text: 'mine' });
    link.follow('b&b.y=7');
    link.follow('a');
    expect(shown).toBe('a&a.t=2&a.k=3&a.text=mine&b.y=7');
    // Back, and what the address says then is the reader's own.
    shown = 'a&a.k=3';
    moved();
    link.follow('a&a.t=1');
    expect(shown).toBe('a&a.k=3&a.t=1');
  });

  it('copies with an anchor and the page keys asked for', () => {
    expect(open('old&depth=plain&a.x=1').fragment('fig-2', new Map([['depth', 'math'], ['base', '1']]))).toBe('fig-2&depth=math&base=1&a.x=1');
  });
});
