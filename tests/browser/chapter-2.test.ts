// Chapter 2 as a whole in Chromium: state in the link, links of the prose, hostile links and words, Reset and Copy link,
// reading without a script, accessibility, and room on every screen. The figures' numbers: chapter-2-*.test.ts.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { figure as blendMap } from '../../web/figures/blend-map.ts';
import { figure as learnAHead } from '../../web/figures/learn-a-head.ts';
import { figure as manyQuestions } from '../../web/figures/many-questions.ts';
import { figure as dotDial } from '../../web/figures/dot-dial.ts';
import { figure as searchPlayground } from '../../web/figures/search-playground.ts';
import { figure as sinkDemo } from '../../web/figures/sink-demo.ts';
import { figure as softmaxDial } from '../../web/figures/softmax-dial.ts';
import type { Field } from '../../web/state/schema.ts';
import { decimals, figureOn, lesson, type Name, names, openChapter, percent, readShown, setDepth, settled, snapshot, titleOf, two, useChapter } from './chapter-2-page.ts';

useChapter();

/** A change by hand to each figure. */
const changes: Record<Name, (figure: Locator) => Promise<void>> = {
  async 'search-playground'(figure) {
    await figure.getByRole('button', { name: 'Inside a sentence' }).click();
    await settled(figure);
    await figure.getByRole('textbox', { name: /^Query/ }).fill('who, or what, sleeps & 100 % rests?');
    await figure.getByRole('button', { name: /^Show all/ }).click();
  },
  async 'dot-dial'(figure) {
    await figure.getByRole('button', { name: 'quarter turn of k' }).click();
    await figure.getByRole('spinbutton', { name: 'x of the query q' }).fill('0');
  },
  async 'softmax-dial'(figure) {
    await figure.getByRole('textbox', { name: 'Name of token Cats' }).fill('');
    await figure.getByRole('spinbutton', { name: /scores ×/ }).fill('0.5');
    await figure.getByRole('button', { name: 'add a token' }).click();
  },
  async 'sink-demo'(figure) {
    await figure.getByRole('textbox', { name: 'Query' }).fill('');
    await figure.getByRole('button', { name: 'Sink', exact: true }).click();
    await figure.getByRole('spinbutton', { name: 'sink’s score' }).fill('0');
  },
  async 'blend-map'(figure) {
    await figure.getByRole('combobox', { name: 'Value 2' }).selectOption('queen');
    await figure.getByRole('spinbutton', { name: 'share of sky' }).fill('20');
  },
  async 'many-questions'(figure) {
    await figure.locator('#many-questions-where-token-11').click();
  },
  async 'learn-a-head'(figure) {
    await figure.getByRole('button', { name: 'Next seed' }).click();
  },
};

async function change(page: Page, name: Name): Promise<Locator> {
  const figure = await figureOn(page, name, false);
  await changes[name](figure);
  await settled(figure);
  return figure;
}

/** Waits until the address names the figure, or no longer does. */
const addressed = (page: Page, name: Name, there: boolean) => page.waitForFunction(([id, wanted]) => location.hash.includes(`${id}.`) === wanted, [name, there] as const);

// --------------------------------------------------------------------------------------------------------------- links

describe('the link', () => {
  it('follows every change, and a fresh page with it shows the same', async () => {
    const page = await openChapter();
    const before: unknown[] = [];
    for (const name of names) {
      const figure = await change(page, name);
      await page.mouse.move(2, 2);
      before.push(await snapshot(figure));
      await addressed(page, name, true);
    }
    const address = new URL(page.url());
    expect(address.search).toBe('');
    const fresh = await openChapter(address.hash);
    for (const [at, name] of names.entries()) expect(await snapshot(await figureOn(fresh, name, false)), name).toEqual(before[at]);
    // Back to the start, and the address forgets.
    for (const name of names) {
      const figure = fresh.locator(`#${name}`);
      await figure.getByRole('button', { name: 'Reset' }).click();
      await addressed(fresh, name, false);
    }
    const untouched = await openChapter();
    for (const name of names) expect(await snapshot(await figureOn(fresh, name, false)), name).toEqual(await snapshot(await figureOn(untouched, name, false)));
  });

  it('is copied with the figure as its anchor, or put in the address bar where copying is refused', async () => {
    const page = await openChapter('', { permissions: ['clipboard-read', 'clipboard-write'] });
    const figure = await change(page, 'sink-demo');
    await figure.getByRole('button', { name: 'Copy link' }).click();
    await figure.getByText('Link copied.').waitFor();
    const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.hash).toMatch(/^#sink-demo&/);
    const fresh = await openChapter(copied.hash);
    const other = fresh.locator('#sink-demo');
    await settled(other);
    expect(await snapshot(other)).toEqual(await snapshot(figure));
    expect(await other.evaluate((node) => node.getBoundingClientRect().top < innerHeight)).toBe(true);

    await page.evaluate(() => Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('no')) }));
    await figure.getByRole('button', { name: 'Copy link' }).click();
    await figure.getByText('The link is in the address bar.').waitFor();
    expect(new URL(page.url()).hash).toBe(copied.hash);
  });

  it('of the prose sets its figure, which then shows what the prose says of it', async () => {
    const page = await openChapter();
    for (const name of names) await figureOn(page, name, false);
    const links = page.locator('a.sets:visible');
    const count = await links.count();
    expect(count).toBeGreaterThan(10);
    let claims = 0;
    for (let at = 0; at < count; at++) {
      const link = links.nth(at);
      const [id = '', ...settings] = (await link.getAttribute('href'))!.slice(1).split('&');
      // The numbers between this link and the next are about this state.
      const said = await link.evaluate((anchor) => {
        const found: string[] = [];
        const marks = [...anchor.closest('p, li, dd')!.querySelectorAll('a.sets, .claim')];
        for (const mark of marks.slice(marks.indexOf(anchor) + 1)) {
          if (mark.matches('a')) break;
          found.push(mark.textContent!);
        }
        return found;
      });
      await link.click();
      const figure = page.locator(`#${id}`);
      await settled(figure);
      const hash = decodeURIComponent(new URL(page.url()).hash);
      for (const setting of settings) expect(hash).toContain(decodeURIComponent(setting));
      if (id === 'learn-a-head') continue; // its numbers are those of later steps; learn-a-head.test.ts reads them
      const text = await figure.innerText();
      const numbers = [...text.matchAll(/[+−]?\d+(?:\.\d+)?/g)].map(([number]) => Number(number.replace('−', '-')));
      for (const claim of said) {
        claims++;
        if (/%/.test(claim)) expect(text.replaceAll('\u202F', ' '), `${claim} after ${settings.join(' ')}`).toContain(claim.replaceAll('\u202F', ' ').replaceAll('\u00A0', ' '));
        else if (/\d/.test(claim)) expect(numbers, `${claim} after ${settings.join(' ')}`).toContain(readShown(claim));
        else expect(await titleOf(figure)).toContain(claim);
      }
    }
    expect(claims).toBeGreaterThan(8);
  });
});

// ------------------------------------------------------------------------------------------------------- hostile links

const schemas: Record<Name, Record<string, Field<never>>> = Object.fromEntries(
  [searchPlayground, dotDial, softmaxDial, sinkDemo, blendMap, manyQuestions, learnAHead].map((figure) => [figure.name, figure.schema]),
) as never;

const wild = fc.oneof(
  fc.constantFrom('', '0', '-0', '-1', '1e999', '0x10', '9'.repeat(400), '1,,,2', ',', '%', '%zz', '%E0%A4', '<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '__proto__', '\u202E\u0000', '\\', 'a,b\\,c', '🦉'.repeat(90)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.double({ noNaN: true }), { maxLength: 12 }).map((values) => values.join(',')),
  fc.array(fc.tuple(fc.integer({ min: -3, max: 300 }), fc.constantFrom('q', 'k', 'v', 'x', 'y', 'z'), fc.string({ maxLength: 12 })), { maxLength: 6 }).map((entries) => entries.map(([at, letter, text]) => `${at}${letter}:${text}`).join(',')),
);
/** Only where a number is wanted: as text these words would rightly be shown. */
const wildNumber = fc.oneof(wild, fc.constantFrom('NaN', 'Infinity', '-Infinity', 'undefined', 'null', '[object Object]', '1;2', '١٢', 'NaN,1,NaN'));

const piece = fc.constantFrom(...names).chain((name) =>
  fc.constantFrom(...Object.entries(schemas[name])).chain(([key, field]) =>
    fc
      .tuple(field.kind.startsWith('text') ? wild : wildNumber, fc.boolean())
      .map(([value, encoded]) => `${name}.${key}=${encoded ? encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD')) : value.replace(/[&\s#]/g, '')}`),
  ),
);

describe('hostile links', () => {
  const hostile = fc.tuple(fc.constantFrom('', 'softmax-dial', '%', 'no-such-place'), fc.constantFrom('box', 'story', 'box&search-playground.open=0&search-playground.tune=1'), fc.array(piece, { minLength: 4, maxLength: 16 }));

  it('show no NaN, no undefined and no error, and run nothing', { timeout: 300_000 }, async () => {
    const page = await openChapter();
    const address = page.url();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async ([anchor, mode, pieces]) => {
        const fragment = `#${anchor}&search-playground.mode=${mode}&${pieces.join('&')}`;
        // Some links open a page, the others change the one that is open.
        if (run++ % 4 === 0) await page.goto('about:blank');
        await page.goto(address + fragment);
        for (const name of names) {
          const figure = page.locator(`#${name}`);
          await figure.scrollIntoViewIfNeeded(); // figures compute near the screen only
          await settled(figure);
          const { words, markup } = await figure.evaluate((node) => ({ words: (node as HTMLElement).innerText, markup: node.outerHTML }));
          expect(words, fragment).not.toMatch(/NaN|undefined|Infinity|∞|\[object/);
          expect(markup, fragment).not.toMatch(/="[^"]*(NaN|undefined|Infinity|\[object)[^"]*"/);
          expect(await figure.locator('img, script').count()).toBe(0);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('and hostile words stay words', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const page = await openChapter();
    const search = await figureOn(page, 'search-playground');
    for (const field of ['Query', 'Key of “A planet”', 'Value of “A river in flood”']) await search.getByRole('textbox', { name: field, exact: true }).fill(evil);
    await settled(search);
    expect(await titleOf(search)).toContain(`“${evil}”`);
    expect(await search.locator('.figure-table').innerText()).toContain(evil);
    await search.getByRole('button', { name: 'Inside a sentence' }).click();
    await settled(search);
    await search.getByText('Change the sentence').click();
    await search.getByRole('textbox', { name: 'Sentence' }).fill(`The ${evil} sleeps`);
    await settled(search);
    expect((await search.locator('.tokens .token-text').allTextContents()).join('')).toBe(`The ${evil} sleeps`);

    const softmax = await figureOn(page, 'softmax-dial');
    await softmax.getByRole('textbox', { name: 'Name of token Cats' }).fill(evil.slice(0, 24));
    await settled(softmax);
    expect(await titleOf(softmax)).toContain(`“${evil.slice(0, 24)}”`);
    const sink = await figureOn(page, 'sink-demo');
    await sink.getByRole('textbox', { name: 'Query' }).fill(evil);
    await settled(sink);
    expect(await titleOf(sink)).toContain(`“${evil}”`);
    expect(await page.locator('[data-figure] :is(img, script)').count()).toBe(0);
  });
});

// ------------------------------------------------------------------------------------------------------ without script

describe('without a script', () => {
  it('the first state of every figure, the equations and the text read', async () => {
    const page = await openChapter('', { javaScriptEnabled: false });
    const picture = (name: Name) => page.locator(`#${name} .figure-picture`);
    const said = async (name: Name) => `${await page.locator(`#${name} .figure-title`).innerText()}\n${await picture(name).innerText()}`.replaceAll('\u00A0', ' ');
    const worlds = await lesson('worlds', {});
    const search = await lesson('search', worlds.search);
    for (const { title, score, contents } of search.results) for (const part of [title, two(score), contents]) expect(await said('search-playground')).toContain(part);
    expect(await said('search-playground')).toContain(`“${worlds.search.query}” finds “${search.results[0]!.title}”, a match of ${two(search.results[0]!.score)}`);
    const dot = await lesson('dot', { q: [2, 1], k: [1, 2] });
    for (const part of [`+${two(dot.dot)}`, `${decimals(dot.angle_degrees!, 1)}°`, decimals(dot.q_length, 3)]) expect(await said('dot-dial')).toContain(part);
    const softmax = await lesson('softmax', { scores: [1, 0.6, 0.3, 0.1, 0] });
    for (const share of softmax.shares) expect(await said('softmax-dial')).toContain(percent(share));
    const sink = await lesson('sink', worlds.sink);
    for (const share of [...sink.without_sink.shares, ...sink.with_sink.shares, sink.with_sink.sink_share]) expect(await said('sink-demo')).toContain(percent(share));
    const blend = await lesson('blend', { values: ['river', 'bank'] });
    expect(await said('blend-map')).toContain(`lands nearest ${blend.nearest}`);
    for (const name of names) {
      expect(await picture(name).isVisible()).toBe(true);
      expect(await page.locator(`#${name}`).getByRole('button', { name: 'Reset' }).isVisible()).toBe(false);
    }

    const equations = page.locator('main math:visible');
    expect(await equations.count()).toBeGreaterThan(2);
    const box = (await equations.first().boundingBox())!;
    expect([box.width > 20, box.height > 8]).toEqual([true, true]);
    expect(await page.locator('main').innerText()).toContain('The queries and keys in the figure are written in plain English');
  });
});

// ------------------------------------------------------------------------------------------------- every reader, screen

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Many things open at once: a row's arithmetic with its fields, powers, a long sentence. */
const busy = '#search-playground&search-playground.open=0&search-playground.tune=1&softmax-dial.powers=1&softmax-dial.scores=1,-2,3,0.25,5,6,7,8';

interface Violation {
  id: string;
  nodes: { target: string[]; html: string }[];
}

describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`in the ${colorScheme} theme axe finds nothing at any depth`, { timeout: 400_000 }, async () => {
      const page = await openChapter(busy, { colorScheme });
      for (const name of names) await figureOn(page, name);
      // The masthead lies over no target there.
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      await page.evaluate(axe);
      for (const depth of ['Plain', 'Detail', 'Math'] as const) {
        await setDepth(page, depth);
        const violations = await page.evaluate(async () => {
          const run = (window as unknown as { axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> } }).axe.run;
          const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
          return (await run(document, { resultTypes: ['violations'], rules })).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, html }) => ({ target, html })) }));
        });
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`)), depth).toEqual([]);
      }
    });
  }
});

describe('room', () => {
  it.each([320, 360, 800, 1440])('%i px: nothing is wider than the screen', async (width) => {
    const page = await openChapter(busy, { viewport: { width, height: 800 } });
    await setDepth(page, 'Math');
    for (const name of names) await figureOn(page, name);
    const fits = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await fits();
    await page.locator('#search-playground').getByRole('button', { name: 'Inside a sentence' }).click();
    await page.locator('#softmax-dial').getByRole('textbox', { name: 'Name of token Cats' }).fill('Uninterruptedly-long-one');
    for (const name of names) {
      await figureOn(page, name, false);
      // What cannot be scrolled to would be lost.
      const lost = await page.locator(`#${name}`).evaluate((figure) =>
        [...figure.querySelectorAll<HTMLElement>('button, input, select, textarea, .token, .match-number, .bar-number, .dial-percent, .num')]
          .filter((part) => part.checkVisibility() && !part.closest('.figure-table, .match-arithmetic, .visually-hidden'))
          .filter((part) => part.getBoundingClientRect().left < -1 || part.getBoundingClientRect().right > innerWidth + 1)
          .map((part) => part.outerHTML.slice(0, 120)),
      );
      expect(lost, name).toEqual([]);
    }
    await fits();
  });

  it('a finger finds fields of 44 px with their text in the middle', async () => {
    const page = await openChapter('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    for (const name of ['search-playground', 'softmax-dial', 'sink-demo'] as const) {
      const figure = await figureOn(page, name, false);
      const fields = await figure.locator('.phrase').evaluateAll((phrases) =>
        phrases.map((phrase) => {
          const [size, field] = [phrase.querySelector('.phrase-size')!, phrase.querySelector('textarea')!];
          const [above, below, line] = (['paddingTop', 'paddingBottom', 'lineHeight'] as const).map((name) => parseFloat(getComputedStyle(field)[name]));
          const lines = (field.clientHeight - above! - below!) / line!;
          const spare = field.offsetHeight - size.getBoundingClientRect().height;
          return { height: field.offsetHeight, spare, uneven: above! - below!, cut: field.scrollHeight - field.clientHeight, part: Math.abs(lines - Math.round(lines)) };
        }),
      );
      expect(fields.length).toBeGreaterThan(0);
      for (const { height, spare, uneven, cut, part } of fields) {
        expect(height).toBeGreaterThanOrEqual(44);
        expect([Math.abs(spare) <= 1, uneven, cut <= 0]).toEqual([true, 0, true]);
        expect(part).toBeLessThan(0.1);
      }
    }
  });
});
