// A worker that does not start: it dies before its script ran, hangs, or its bytes take very long. The figure says so, never
// gives up by itself, and starts another one when the reader wants it.

import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { lateSentence, patience } from '../../web/engine/late-start.ts';
import { faultsSuite } from './faults-page.ts';

const faults = faultsSuite('faults-late');
const { open, expectRight } = faults;
const text = 'The red ball is in the box.';
const said = () => faults.figure.locator('.figure-error:not(.shelf .figure-error)');
const tryAgain = () => faults.figure.getByRole('button', { name: 'Try again' });

/** Half a minute passes in a second. */
const impatient = (page: Page) =>
  page.addInitScript((wait) => {
    const set = window.setTimeout;
    window.setTimeout = ((act: () => void, ms?: number, ...rest: unknown[]) => set(act, ms === wait ? 1000 : ms, ...rest)) as typeof window.setTimeout;
  }, patience);

async function insteadOfWorkers(page: Page, body: string): Promise<void> {
  await page.route('**/assets/worker.js', async (route) => route.fulfill({ response: await route.fetch(), body }));
}

async function expectOffer(): Promise<void> {
  await expect.poll(() => said().allInnerTexts(), { timeout: 60_000 }).toEqual([`${lateSentence} Try again`]);
  expect(await faults.figure.getAttribute('aria-busy')).toBe('true');
}

it.each([
  ['dies before it has said anything', 'self.close();'],
  ['hangs', 'for (;;);'],
])('a worker that %s: a sentence, and the way to another one', async (_, body) => {
  await open(async (page) => {
    await impatient(page);
    await insteadOfWorkers(page, body);
  });
  const title = await faults.figure.locator('.figure-title').innerText();
  await expectOffer();
  expect(await faults.figure.locator('.figure-title').innerText()).toBe(title);
  await tryAgain().click();
  await expectOffer(); // that one is no better
  await faults.page.unroute('**/assets/worker.js');
  await tryAgain().click();
  await expect.poll(() => faults.figure.getAttribute('aria-busy'), { timeout: 60_000 }).toBeNull();
  expect(await said().count()).toBe(0);
  await faults.field.fill(text);
  await expectRight(text);
});

it('an engine whose bytes take long is waited for; then what was said goes, and what was opened meanwhile is open', async () => {
  const held: Route[] = [];
  await open(async (page) => {
    await impatient(page);
    await page.route('**/wasm/*/lookback.wasm', (route) => void held.push(route));
  });
  await expectOffer();
  const opened = ['head-model', 'figure-data'].map((name) => faults.figure.locator(`.${name}`));
  for (const fold of opened) await fold.locator('> summary').click();
  for (const route of held) await route.continue();
  await expect.poll(() => faults.figure.getAttribute('aria-busy'), { timeout: 60_000 }).toBeNull();
  expect(await said().count()).toBe(0);
  for (const fold of opened) expect(await fold.getAttribute('open')).toBe('');
  await faults.field.fill(text);
  await expectRight(text);
});
