// What a reader waits for, measured in Chromium on the built site: the first figure, the next chapter, GPT-2 small's sizes
// from the first byte to the first result, looks at a pass, the page's own thread meanwhile, and memory. Prints; asserts
// nothing about times. ./build.sh bench runs it.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gpt2Small, writeCheckpoint } from '../browser/checkpoint.ts';
import type { TestPage } from '../browser/engine-page.ts';
import { launch, quiet, serveWithEngine, type Site, temporaryFolder } from '../browser/site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']>; held: number[]; words: string };

/** 14 tokens of GPT-2's vocabulary. */
const fourteen = "The animal didn't cross the street because it was too tired.";
const rounds = 5;

let browser: Awaited<ReturnType<typeof launch>>;
let site: Site & { folder: string };
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serveWithEngine()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const row = (what: string, values: number[], unit: string, aim = '') =>
  process.stdout.write(`  ${what.padEnd(66)} ${median(values).toFixed(1).padStart(9)} ${unit.padEnd(8)} ${`${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`.padEnd(18)} ${aim}\n`);

/** Keeps the length of each task of the page's own thread beyond 50 ms, in milliseconds. */
const holdLongTasks = () => {
  window.held = [];
  new PerformanceObserver((list) => window.held.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true });
};
const firstLife = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('mark').find(({ name }) => name.endsWith(' alive'))?.startTime).then((time) => time.jsonValue() as Promise<number>);

it('a chapter', async () => {
  const cold: number[] = [];
  const next: number[] = [];
  const held: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(holdLongTasks);
    await page.goto(`${site.address}01-a-word-alone.html`);
    cold.push(await firstLife(page));
    held.push(Math.max(0, ...(await page.evaluate(() => window.held))));
    await page.locator('a[rel=next]').first().click();
    await page.waitForURL('**/02-*');
    await page.waitForFunction(() => performance.getEntriesByType('paint').some(({ name }) => name === 'first-contentful-paint'));
    next.push(await page.evaluate(() => performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')!.startTime));
    await context.close();
  }
  row('first figure lives, cold', cold, 'ms', 'aim <= 1000');
  row('next chapter: its first content', next, 'ms', 'aim <= 100');
  row('longest task of the page until then', held, 'ms');
});

it("GPT-2 small's sizes", async () => {
  await writeCheckpoint(join(site.folder, 'big'), { shape: gpt2Small, seed: 3, vocabulary: true });
  const loads: number[] = [];
  const held: number[] = [];
  const heap: number[] = [];
  for (let round = 0; round < 3; round++) {
    // A profile on the disk, as readers have: a private one keeps files by way of the browser's own process.
    const profile = await temporaryFolder('profile');
    const context = await chromium.launchPersistentContext(profile, { executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', ...quiet] });
    const page = context.pages()[0]!;
    await page.addInitScript(holdLongTasks);
    await page.goto(`${site.address}engine.html`);
    const seen = await page.evaluate(async (words) => {
      window.engine = window.lookback.engineWith(2);
      const started = performance.now();
      const info = await window.engine.open({ address: new URL('big/model.safetensors', document.baseURI).href }, { precision: 'f32' });
      await window.engine.next(await window.engine.run({ text: words }), 5);
      const whole = performance.now() - started;
      const { heap_bytes, trace_bytes } = await window.engine.memory();
      return { whole, over: heap_bytes - info.weight_bytes - trace_bytes, weights: info.weight_bytes };
    }, fourteen);
    loads.push(seen.whole);
    heap.push(seen.over / 1e6);
    if (round === 2) await looks(page);
    held.push(Math.max(0, ...(await page.evaluate(() => window.held))));
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
  row('load from this machine to the first result, f32', loads, 'ms');
  row("engine's memory beyond the weights and the trace", heap, 'MB', 'aim <= 20 and 5 % of the weights');
  row('longest task of the page meanwhile', held, 'ms', 'aim <= 50');
});

async function looks(page: Page): Promise<void> {
  const seen = await page.evaluate(async (words) => {
    const engine = window.engine;
    const timed = async (work: (round: number) => Promise<unknown>) => {
      const times: number[] = [];
      for (let round = 0; round < 7; round++) {
        const started = performance.now();
        await work(round);
        times.push(performance.now() - started);
      }
      return times;
    };
    const run = await engine.run({ text: words });
    const { n_layers } = engine.model()!.config;
    const gallery = await timed(async () => {
      for (let layer = 0; layer < n_layers; layer++) await engine.gallery(run, layer, 16);
    });
    const cell = await timed((round) => engine.cell(run, round, 3, 9, 4));
    const head = await timed((round) => engine.head(run, round, 3));
    const whole: number[] = [];
    const word: number[] = [];
    for (let round = 0; round < 5; round++) {
      const ids = Array.from({ length: 256 }, (_, at) => 1000 * (round + 1) + 7 * at);
      let started = performance.now();
      await engine.run({ ids });
      whole.push(performance.now() - started);
      started = performance.now();
      await engine.run({ ids: [...ids, 13] });
      word.push(performance.now() - started);
    }
    return { gallery, cell, head, whole, word };
  }, fourteen);
  row("all heads' patterns for the gallery, 14 tokens", seen.gallery, 'ms', 'aim <= 10');
  row("a hovered cell's arithmetic", seen.cell, 'ms', 'aim <= 1');
  row('one head, every stage', seen.head, 'ms');
  row('256 tokens, whole trace, 2 threads', seen.whole, 'ms');
  row('one more word typed behind them', seen.word, 'ms');
  expect(seen.word).toHaveLength(5);
}
