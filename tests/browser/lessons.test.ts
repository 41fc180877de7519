// Lessons: controls hidden by a link, seen to be hidden, out of the tab order, and brought back; and the tool that makes
// such links.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { chapters, settled } from './figures.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const openPage = useBook();
const openDial = (values = '') => openPage(`02-searching.html#softmax-dial${values}`);
const dialOf = (page: Page) => page.locator('#softmax-dial');
const stretch = (dial: Locator) => dial.getByRole('slider', { name: /size of/ });
const line = (dial: Locator) => dial.locator('.figure-concealed');

/** What the Tab key reaches below an element. */
function reached(figure: Locator, below: string): Promise<string[]> {
  return figure.evaluate((node, place) => {
    const handled = 'a[href], button, input, select, textarea, summary, [tabindex="0"]:not([role=region])';
    const all = [...node.querySelectorAll<HTMLElement>(`${place} :is(${handled})`)].filter(({ tabIndex }) => tabIndex >= 0);
    const met = all.filter((element) => (element.focus(), element === document.activeElement));
    return met.map((element) => element.outerHTML.slice(0, 160));
  }, below);
}

const namesIn = async (figure: Locator) => {
  await figure.getByText('Send as a lesson', { exact: true }).click();
  const boxes = figure.locator('.maker-choice input');
  await boxes.first().waitFor();
  return boxes.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).name));
};

it('hides what the link names, says so, keeps it while the state changes, and gives it back', async () => {
  const page = await openDial('&softmax-dial.scores=1,2&softmax-dial.hide=stretch,powers,nobody');
  const dial = dialOf(page);
  await settled(dial);
  await line(dial).waitFor();
  expect(await line(dial).innerText()).toMatch(/^This lesson hides 2 controls: size of q and k: scores ×, show the powers of e\./);
  expect(await stretch(dial).count()).toBe(0);
  expect(await dial.getByRole('button', { name: /powers of e/ }).count()).toBe(0);
  expect((await reached(dial, '.figure-controls')).map((part) => /class="([^"]*)/.exec(part)![1])).toEqual(['dial-do']);

  await dial.getByRole('button', { name: 'add a token' }).click();
  await settled(dial);
  await expect.poll(() => page.url()).toMatch(/softmax-dial\.scores=1,2,0.*softmax-dial\.hide=stretch,powers,nobody/);
  await dial.getByRole('button', { name: 'Reset' }).click();
  await settled(dial);
  await expect.poll(() => page.url()).not.toContain('scores');
  expect(await stretch(dial).count()).toBe(0);

  await dial.getByRole('button', { name: 'Show everything' }).click();
  await expect.poll(() => stretch(dial).count()).toBe(1);
  expect(await line(dial).count()).toBe(0);
  await expect.poll(() => page.url()).not.toContain('hide');
  expect(await dial.evaluate((node) => node.contains(document.activeElement))).toBe(true);
});

it('leaves what the picture is made of to be read, and takes nothing there', async () => {
  const page = await openDial('&softmax-dial.hide=score,name');
  const dial = dialOf(page);
  await settled(dial);
  await line(dial).waitFor();
  const field = dial.locator('.dial-score input').first();
  expect(await field.isVisible()).toBe(true);
  expect(await field.inputValue()).toBe('1');
  expect(await reached(dial, ':is(.dial-score, .dial-name, .dial-drag)')).toEqual([]);
});

it('is made by ticking controls, and the link carries the state and what is hidden', async () => {
  const page = await openDial();
  const dial = dialOf(page);
  await settled(dial);
  await dial.getByRole('button', { name: 'add a token' }).click();
  await settled(dial);
  const names = await namesIn(dial);
  expect(names).toEqual(expect.arrayContaining(['stretch', 'score', 'name', 'remove', 'add-a-token', 'powers', 'numbers', 'reset']));
  const link = dial.getByLabel('A link to this figure as it is now');
  expect(await link.inputValue()).not.toContain('hide');
  for (const name of ['stretch', 'numbers']) await dial.locator(`.maker-choice input[name=${name}]`).check();
  await expect.poll(() => link.inputValue()).toMatch(/#softmax-dial&softmax-dial\.scores=[^&]+&softmax-dial\.hide=stretch,numbers$/);
  const code = await dial.getByLabel('For a page of your own').inputValue();
  expect(code).toMatch(/^<script type="module" src="http:\/\/[^"]*\/embed\.js"><\/script>\n<softmax-dial scores="[^"]+" hide="stretch,numbers"><\/softmax-dial>$/);
  expect(await stretch(dial).count()).toBe(1); // the teacher still has it

  const address = new URL(await link.inputValue());
  const lesson = dialOf(await openPage(address.pathname.slice(1) + address.hash));
  await settled(lesson);
  await line(lesson).waitFor();
  expect(await stretch(lesson).count()).toBe(0);
  expect(await lesson.getByText('Numbers', { exact: true }).isVisible()).toBe(false);
  expect(await lesson.locator('.figure-title').innerText()).toBe(await dial.locator('.figure-title').innerText());
});

it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (colorScheme) => {
  const page = await openPage('02-searching.html#softmax-dial&softmax-dial.hide=score,stretch', { colorScheme });
  const dial = dialOf(page);
  await settled(dial);
  await namesIn(dial);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run(root: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run('#softmax-dial');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
});

it('takes any words for names', async () => {
  const page = await openDial();
  const dial = dialOf(page);
  await settled(dial);
  const names = await namesIn(dial);
  const word = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'picture', '__proto__', '*', '"]', ' stretch ', 'STRETCH'));
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
      const known = new Set(words.flatMap((entry) => entry.split(',')).map((entry) => entry.trim().toLowerCase()).filter((entry) => names.includes(entry)));
      const { hidden, count } = await page.evaluate(async (value) => {
        location.hash = `softmax-dial&softmax-dial.hide=${encodeURIComponent(value)}`;
        await new Promise((heard) => addEventListener('hashchange', heard, { once: true }));
        const figure = document.querySelector('softmax-dial') as HTMLElement & { updateComplete: Promise<unknown>; concealed: string[] };
        await figure.updateComplete;
        return { hidden: figure.concealed.length, count: figure.querySelectorAll('[data-lesson]').length };
      }, `${words.join(',')},${Math.random()}`); // never the same address twice
      expect(hidden, words.join(',')).toBe(known.size);
      expect(count > 0).toBe(known.size > 0);
    }),
    { numRuns: 60 },
  );
});

it('can hide every control of every figure', async () => {
  for (const chapter of await chapters()) {
    const page = await openPage(chapter);
    for (const figure of await page.locator('[data-figure]').all()) {
      await figure.scrollIntoViewIfNeeded();
      await settled(figure);
      const id = (await figure.getAttribute('id'))!;
      const names = await namesIn(figure);
      await page.evaluate(([place, hide]) => (location.hash = `${place}&${place}.hide=${hide}`), [id, names.join(',')]);
      await line(figure).waitFor();
      expect(await reached(figure, ':is(.figure-picture, .figure-actions)'), `${chapter}#${id}`).toEqual([]);
      expect(await figure.getByRole('button', { name: 'Show everything' }).isVisible()).toBe(true);
    }
  }
}, 900_000);
