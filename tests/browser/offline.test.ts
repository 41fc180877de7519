// After one visit the whole book works without a network, isolated as before, with the models that are kept. The copy is
// fetched after the page's own needs, Settings says truly whether it is there, and where none can be, nothing is amiss.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeCheckpoint } from './checkpoint.ts';
import { chapters, settled } from './figures.ts';
import { hubFor } from './hub.ts';
import { copiedSite, copyIs, type CopiedSite } from './offline-site.ts';
import { complaintsOf, inside, launch, quiet, temporaryFolder } from './site.ts';

let browser: Browser;
let site: CopiedSite;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), copiedSite('offline')]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(async () => {
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/.test(text))).toEqual([]);
  await context.close();
  await site.stop();
  await site.start();
});

async function open(place: string, prepare?: (page: Page) => Promise<unknown>, of: Browser = browser, address = site.address): Promise<Page> {
  context = await of.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'allow' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  complaints = complaintsOf(page);
  await prepare?.(page);
  await page.goto(address + place);
  return page;
}

async function cutNetwork(): Promise<void> {
  await site.stop();
  await context.setOffline(true);
}

const firstAlive = (page: Page) => page.waitForFunction(() => performance.getEntriesByType('mark').some(({ name }) => name.endsWith(' alive')));

it('after one visit every page and every file of the book is there without a network, isolated as before', async () => {
  const page = await open('06-the-price.html');
  expect((await copyIs(page, 'kept')).replace(/\s/g, ' ')).toMatch(/^This book works without a network: a copy of it, \d+(\.\d)? MB, is kept on this device\.$/);
  await cutNetwork();

  // The page that was visited goes on, with what it had not fetched yet.
  await page.getByText('Contents', { exact: true }).first().click();
  await page.getByRole('searchbox', { name: 'Search the book' }).first().fill('softmax');
  await page.locator('.search-results a').first().waitFor();

  const places = (await readdir(site.folder, { recursive: true })).filter((place) => /\.\w+$/.test(place) && !/\.(map|zip)$|^embed\.js$|^book\.png$|^assets\/embed-|^service-worker\.js$/.test(place));
  expect(places.length).toBeGreaterThan(80);
  expect(places.filter((place) => /^wasm\/(simd|threads)\/(lookback|training|lessons)\.wasm$/.test(place)).length).toBeGreaterThanOrEqual(3);
  const missing = await page.evaluate(async (all) => {
    const answers = await Promise.all(all.map((place) => fetch(place).then((answer) => answer.ok, () => false)));
    return all.filter((_, at) => !answers[at]);
  }, places);
  expect(missing).toEqual([]);
  await page.close();

  const failed: string[] = [];
  // But for the question whether there is a new edition.
  context.on('requestfailed', (request) => request.url().endsWith('/service-worker.js') || failed.push(request.url()));
  for (const name of ['', 'glossary.html', '03-one-head.html?from=a-mail', ...(await chapters())]) {
    const next = await context.newPage();
    await next.goto(site.address + name);
    expect(await next.locator('h1').count(), name).toBe(1);
    expect(await next.evaluate(() => crossOriginIsolated), name).toBe(true);
    const figure = next.locator('[data-figure]').first();
    if ((await figure.count()) > 0) {
      await figure.scrollIntoViewIfNeeded();
      await settled(figure);
      // From then on the code of the others comes.
      await next.waitForLoadState('networkidle');
      expect(await next.locator('.figure-error').count(), name).toBe(0);
    } else expect(await copyIs(next, 'kept')).toContain('works without a network');
    await next.close();
  }
  expect(failed).toEqual([]);
});

it('a model that is kept opens without a network and computes', async () => {
  const folder = await temporaryFolder('offline-model');
  await writeCheckpoint(folder, { shape: { n_layer: 2, n_head: 2, n_embd: 32, n_positions: 64, vocab_size: 50257 }, seed: 5, vocabulary: true });
  const page = await open('03-one-head.html');
  await copyIs(page, 'kept');
  await hubFor(page, folder);
  const shelf = page.locator('one-head .shelf');
  const openShelf = async () => {
    await firstAlive(page);
    await page.locator('one-head .head-model > summary').click();
    await shelf.locator('.shelf-card').waitFor();
  };
  await openShelf();
  await shelf.getByText('Another model').click();
  await shelf.getByLabel('A repository on the hub').check();
  await shelf.getByLabel('Repository on the hub', { exact: true }).fill('someone/model');
  await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
  await shelf.getByRole('button', { name: 'Open someone/model' }).click();
  await expect.poll(() => shelf.innerText(), { timeout: 60_000 }).toContain('is kept on this device');

  await page.unroute('https://huggingface.co/**');
  await cutNetwork();
  await page.reload();
  await openShelf();
  await shelf.locator('summary', { hasText: 'Kept on this device' }).click();
  await shelf.getByRole('button', { name: 'Open someone/model' }).click();
  await expect.poll(() => page.locator('one-head .figure-model').innerText(), { timeout: 60_000 }).toContain('someone/model');
  const text = 'When Mary and John went to the store, John gave a drink to';
  await page.evaluate(() => (location.hash = 'one-head&one-head.layer=1&one-head.head=1&one-head.stage=shares'));
  const truth = await inside('--model', folder, '--text', text, '--head', '1.1');
  const shown = (value: number) => (value > 0 && value < 0.0005 ? '<0.1%' : `${value !== 0 && value < 0.0095 ? (value * 100).toFixed(1) : (value * 100).toFixed(0)}%`);
  const row = () => page.locator('one-head [data-cell]').evaluateAll((nodes) => nodes.slice(14 * 13).map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')));
  await expect.poll(row).toEqual(truth.attention.heads[0].shares.map(shown));
  await rm(folder, { recursive: true, force: true });
});

it('the copy is asked for only when the first figure lives', async () => {
  const page = await open('03-one-head.html', (fresh) => fresh.addInitScript(() => {
    const workers = navigator.serviceWorker;
    const register = workers.register.bind(workers);
    workers.register = (...given) => {
      performance.mark('copy begins');
      return register(...given);
    };
  }));
  await copyIs(page, 'kept');
  const [alive, begun] = await page.evaluate(() => {
    const marks = performance.getEntriesByType('mark');
    return [marks.find(({ name }) => name.endsWith(' alive'))!.startTime, marks.find(({ name }) => name === 'copy begins')!.startTime];
  });
  expect(begun!).toBeGreaterThan(alive!);
});

it('a reader who saves data is asked for nothing', async () => {
  const page = await open('glossary.html', (fresh) => fresh.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })));
  expect(await copyIs(page, 'saving')).toContain('needs the network');
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
});

it('a copy that was cleared is not claimed', async () => {
  const page = await open('glossary.html');
  await copyIs(page, 'kept');
  await page.evaluate(async () => {
    const [copy] = (await caches.keys()).filter((name) => name.includes('precache'));
    const cache = await caches.open(copy!);
    await cache.delete((await cache.keys())[0]!);
  });
  await page.getByText('Settings').click();
  expect(await copyIs(page, 'none')).toBe('This book needs the network: no copy of it is kept on this device.');
  expect(await page.locator('.copy-kept').isVisible()).toBe(true);
});

it('where a browser refuses to keep one, the page lives and says so', async () => {
  const page = await open('03-one-head.html', (fresh) => fresh.addInitScript(() => (navigator.serviceWorker.register = () => Promise.reject(new DOMException('No.', 'SecurityError')))));
  await firstAlive(page);
  await copyIs(page, 'none');
});

it('an address that is not secure has no copy and no fault', async () => {
  const other = await chromium.launch({ executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', ...quiet, '--host-resolver-rules=MAP book.example 127.0.0.1'] });
  try {
    const page = await open('03-one-head.html', undefined, other, site.address.replace('localhost', 'book.example'));
    expect(await page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator])).toEqual([false, false]);
    await firstAlive(page);
    await copyIs(page, 'none');
    // The browser says so itself where isolation is asked for in vain.
    complaints = complaints.filter((text) => !/Cross-Origin-Opener-Policy/.test(text));
  } finally {
    await other.close();
  }
});

it('a page of others that shows a figure gets no copy', async () => {
  const markup = `<!doctype html><title>A page</title><link rel="icon" href="data:,"><script type="module" src="${site.address}embed.js"></script><softmax-dial></softmax-dial>`;
  const host = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(markup));
  await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
  const asked: string[] = [];
  try {
    const page = await open('', async (fresh) => fresh.context().on('request', (request) => asked.push(request.url())), browser, `http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    await settled(page.locator('softmax-dial'));
    await page.waitForTimeout(4000);
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
    expect(asked.filter((address) => address.includes('service-worker'))).toEqual([]);
  } finally {
    host.close();
    host.closeAllConnections();
  }
});

it('another site that takes the book’s place at an address of this machine is seen', async () => {
  const page = await open('glossary.html');
  await copyIs(page, 'kept');
  const other = await temporaryFolder('other-site');
  await writeFile(join(other, 'index.html'), '<!doctype html><title>Another site</title><h1>Another site</h1>');
  await site.stop();
  await site.start(other);
  await page.goto(site.address);
  await expect.poll(() => page.title().catch(() => '')).toBe('Another site');
  complaints = complaints.filter((text) => !/404/.test(text));
  await rm(other, { recursive: true, force: true });
});
