// What a chapter costs: bytes until its first figure lives, where they come from, and that nothing moves while figures
// come alive.

import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chapters, dist, settled } from './figures.ts';
import { launch, serve, type Site } from './site.ts';

/** Gzipped, in thousands of bytes. */
const budget = { page: 75, wasm: 100 };

interface Fetched {
  place: string;
  /** When it was asked for, by the clock that pages have too. */
  at: number;
  type: string;
  zipped: number;
}

let browser: Browser;
let site: Site;
/** Passes everything on and writes it down: pages see no request of their workers. */
let between: Server;
let address: string;
const fetched: Fetched[] = [];

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(dist)]);
  between = createServer((request, response) => {
    const at = Date.now();
    get(new URL(request.url!, site.address), (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        fetched.push({ place: request.url!.slice(1), at, type: String(answer.headers['content-type']), zipped: gzipSync(body, { level: 9 }).length });
        response.writeHead(answer.statusCode!, answer.headers).end(body);
      });
    });
  });
  await new Promise<void>((ready) => between.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(between.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  between?.close();
});

const kilobytes = (some: readonly Fetched[]) => some.reduce((total, { zipped }) => total + zipped, 0) / 1000;

async function open(chapter: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce', serviceWorkers: 'allow' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] })[]) {
        const who = entry.sources.map(({ node }) => (node instanceof Element ? `<${node.localName} class="${node.className}">` : String(node?.nodeName)));
        // While the page's text still comes in, what is half there may move.
        if (!entry.hadRecentInput && entry.startTime >= load!.domInteractive && load!.domInteractive > 0) moved.push(`${entry.value.toFixed(5)} ${who.join(' ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address + chapter);
  return page;
}

it('scripts, styles and the engine stay within their budgets until the first figure lives', async () => {
  const [first] = await chapters();
  fetched.length = 0;
  const page = await open(first!, 1280);
  await page.waitForFunction(() => performance.getEntriesByType('mark').some(({ name }) => name.endsWith(' alive')));
  const alive = await page.evaluate(() => performance.timeOrigin + performance.getEntriesByType('mark').find(({ name }) => name.endsWith(' alive'))!.startTime);
  await expect.poll(() => fetched.some(({ place }) => place.endsWith('.wasm'))).toBe(true);

  // What a second worker asks for once more comes from the browser's store.
  const before = fetched.filter(({ at, place }, index) => at <= alive && fetched.findIndex((other) => other.place === place) === index);
  const ofEngine = ({ place }: Fetched) => /^wasm\/|^assets\/(worker|training)\b/.test(place);
  const code = before.filter(({ type }) => /javascript|css/.test(type));
  const [engine, page_] = [code.filter(ofEngine), code.filter((one) => !ofEngine(one))];
  const wasm = before.filter(({ type }) => type.startsWith('application/wasm'));
  console.log([...code, ...wasm].map(({ place, zipped }) => `${(zipped / 1000).toFixed(1).padStart(6)} kB ${place}`).join('\n'));
  console.log(`Until the first figure lives: ${kilobytes(page_).toFixed(1)} kB of scripts and styles of the page, ${kilobytes(engine).toFixed(1)} kB of scripts of the engine, ${kilobytes(wasm).toFixed(1)} kB of wasm.`);
  expect(kilobytes(page_)).toBeGreaterThan(10);
  expect(kilobytes(page_)).toBeLessThanOrEqual(budget.page);
  expect(wasm).toHaveLength(1);
  expect(kilobytes(wasm)).toBeLessThanOrEqual(budget.wasm);
  await page.context().close();
});

describe.each([360, 1440])('at %i px', (width) => {
  it('nothing moves while figures come alive, and nothing is asked of others', async () => {
    const moved: Record<string, string[]> = {};
    for (const chapter of await chapters()) {
      const page = await open(chapter, width);
      const strays: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) strays.push(request.url());
      });
      for (const figure of await page.locator('[data-figure]').all()) {
        await figure.scrollIntoViewIfNeeded();
        await settled(figure);
      }
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
      const found = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
      if (found.length > 0) moved[chapter] = found;
      expect(strays, chapter).toEqual([]);
      await page.context().close();
    }
    expect(moved).toEqual({});
  }, 900_000);
});
