// The whole book in use, page by page: every figure alive, search, settings, shelf, saving, training. Nothing breaks the
// policy, in the page, its workers and their threads, and nobody but the site is asked.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { chapters, dist, settled } from './figures.ts';
import { complaintsOf, launch, serve, type Site } from './site.ts';

let browser: Browser;
let folder: string;
let site: Site;
let page: Page;
let complaints: string[];
let asked: string[];

/** What every script of the site begins with here: a violation is told to the page, whoever meets it. */
const listen = `addEventListener('securitypolicyviolation', (event) =>
  new BroadcastChannel('broken').postMessage(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample + ' in ' + location.pathname));\n`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-policy-'));
  await cp(dist, folder, { recursive: true });
  await writeFile(join(folder, 'listen.js'), listen);
  const before = async (place: string, words: string) => writeFile(join(folder, place), words + (await readFile(join(folder, place), 'utf8')));
  for (const worker of ['worker.js', 'training.js']) await before(`assets/${worker}`, "import '../listen.js';\n");
  for (const thread of (await readdir(join(folder, 'wasm/threads'))).filter((name) => name.endsWith('.worker.js'))) await before(`wasm/threads/${thread}`, listen);
  [browser, site] = await Promise.all([launch(), serve(folder)]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await page?.context().close();
});

async function open(place: string): Promise<void> {
  // The changed scripts are not what the book's offline copy may hold; offline.test.ts has that one.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', acceptDownloads: true, serviceWorkers: 'block' });
  context.setDefaultTimeout(60_000);
  asked = [];
  context.on('request', (request) => asked.push(request.url()));
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.addInitScript(() => {
    const broken: string[] = ((window as any).broken = []);
    new BroadcastChannel('broken').onmessage = ({ data }) => broken.push(data);
    addEventListener('securitypolicyviolation', (event) => broken.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} in the page`));
  });
  await page.goto(site.address + place);
}

const broken = () => page.evaluate(() => (window as any).broken as string[]);
const strays = () => asked.filter((address) => !address.startsWith('data:') && !address.replace(/^blob:/, '').startsWith(site.address));

async function useMasthead(): Promise<void> {
  await page.locator('summary', { hasText: 'Contents' }).first().click();
  await page.locator('#search').fill('query');
  await page.locator('.search-result').first().waitFor();
  await page.locator('#search').fill('');
  await page.locator('summary', { hasText: 'Contents' }).first().click();
  const settings = page.locator('summary', { hasText: 'Settings' });
  const choose = (setting: string, words: string) => page.locator(`[data-setting=${setting}] label`, { hasText: words }).click();
  await settings.click();
  for (const theme of ['Dark', 'Light', 'As the device']) await choose('theme', theme);
  for (const base of ['1', '0']) await choose('base', base);
  await settings.click();
  // Pages without depths have no switch for them.
  if (await page.locator('[data-setting=depth]').isVisible()) for (const depth of ['Math', 'Plain', 'Detail']) await choose('depth', depth);
}

async function useFigures(): Promise<void> {
  const figures = await page.locator('main [data-figure]').all();
  expect(figures.length).toBeGreaterThan(0);
  for (const figure of figures) {
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
  }
  const figure = figures[0]!;
  await figure.scrollIntoViewIfNeeded();
  for (const kind of ['SVG', 'PNG', 'CSV']) {
    const button = figure.getByRole('button', { name: `Save as ${kind}` }).first();
    if ((await button.count()) > 0) await Promise.all([page.waitForEvent('download'), button.click()]);
  }
  const shelf = page.locator('.head-model > summary').first();
  if ((await shelf.count()) > 0) {
    await shelf.scrollIntoViewIfNeeded();
    await shelf.click();
    await page.locator('.shelf-card').first().waitFor();
    for (const more of await page.locator('.shelf-more > summary').all()) if (await more.isVisible()) await more.click();
  }
  const train = page.locator('main').getByRole('button', { name: 'Train', exact: true }).first();
  if ((await train.count()) > 0) {
    await train.scrollIntoViewIfNeeded();
    await train.click();
    const pause = page.getByRole('button', { name: 'Pause' }).first();
    await pause.waitFor();
    await pause.click();
  }
}

it.each(await chapters())('%s', async (name) => {
  await open(name);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await useMasthead();
  await useFigures();
  await page.waitForLoadState('networkidle');
  expect(await broken()).toEqual([]);
  expect(strays()).toEqual([]);
  expect(complaints).toEqual([]);
});

const others = (await readdir(dist)).filter((name) => name.endsWith('.html') && !/^\d\d-/.test(name));
it.each(others)('%s', async (name) => {
  await open(name);
  await useMasthead();
  await page.waitForLoadState('networkidle');
  expect(await broken()).toEqual([]);
  expect(strays()).toEqual([]);
  expect(complaints).toEqual([]);
});

it('is told of what the page, a worker or a thread does against the policy, and it does not happen', async () => {
  await open('03-one-head.html');
  await settled(page.locator('one-head').first());
  expect(asked.some((address) => address.endsWith('.worker.js'))).toBe(true); // threads
  const tried = await page.evaluate(() => {
    const attempts: (() => unknown)[] = [
      () => (document.createElement('p').innerHTML = '<img src=x>'),
      () => document.body.insertAdjacentHTML('beforeend', '<i id=own></i>'),
      () => new DOMParser().parseFromString('<p>', 'text/html'),
      () => new Worker('assets/worker.js'),
      () => (document.createElement('script').src = 'https://example.org/x.js'),
      () => (globalThis as any).trustedTypes.createPolicy('other', {}),
      () => (globalThis as any).trustedTypes.createPolicy('lit-html', {}),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (problem) {
        return (problem as Error).name;
      }
    });
  });
  expect(tried).toEqual(Array(7).fill('TypeError'));
  // Each is told by the page's policy and by the server's, which are the same.
  await expect.poll(async () => (await broken()).length).toBe(14);
  const [worker] = page.workers().filter((one) => one.url().endsWith('worker.js'));
  const names = await worker!.evaluate(() => [() => new Worker('https://example.org/x.js'), () => setTimeout('self.pwned = 1')].map((attempt) => {
    try {
      attempt();
      return 'done';
    } catch (problem) {
      return (problem as Error).name;
    }
  }));
  expect(names).toEqual(['TypeError', 'TypeError']);
  await expect.poll(async () => (await broken()).some((words) => words.startsWith('require-trusted-types-for') && words.endsWith('/assets/worker.js'))).toBe(true);
});
