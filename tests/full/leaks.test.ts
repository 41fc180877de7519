// A long use by script: every chapter, figures opened and closed, models switched, sentences changed, heads paged. What the
// page and its workers hold after the last round is within a tenth of what they held after the first.
//
// LEAK_MINUTES=60 uses the book for an hour; 5 minutes where nothing is said.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine } from '../../web/engine/types.ts';
import { type CheckpointShape, writeCheckpoint } from '../browser/checkpoint.ts';
import { chapters, settled } from '../browser/figures.ts';
import { complaintsOf, launch, modelFiles, serveWithEngine, type Site } from '../browser/site.ts';

const minutes = Number(process.env['LEAK_MINUTES'] ?? 5);
const half = minutes * 30_000;
const timeout = half + 900_000;
/** More than that of what the first round left is a leak. */
const most = 1.1;

const models: Record<string, CheckpointShape> = {
  one: { n_layer: 3, n_head: 4, n_embd: 64, n_positions: 128, vocab_size: 50257 },
  other: { n_layer: 2, n_head: 2, n_embd: 48, n_positions: 96, vocab_size: 50257 },
};
const texts = ['The dog chased the cat. The cat', 'The red ball is in the box.', 'When Mary and John went to the store, John gave a drink to', 'It was late.'];

let site: Site & { folder: string };
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([serveWithEngine(), launch()]);
  for (const [at, [name, shape]] of Object.entries(models).entries()) await writeCheckpoint(join(site.folder, 'made-up', name), { shape, seed: at + 1, vocabulary: true });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

// ---------------------------------------------------------------------------------------------------------- measuring

interface Held {
  heap: number;
  nodes: number;
  listeners: number;
  /** Of the workers that compute, in bytes. */
  wasm: number;
  /** Of all processes that show pages, in bytes. */
  resident: number;
}

async function measure(page: Page, session: CDPSession): Promise<Held> {
  // What is let go takes a turn or two to be found.
  for (let turn = 0; turn < 3; turn++) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(200);
  }
  const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage');
  const wasm = await page.evaluate(async () => {
    const shelf = document.querySelector('model-shelf') as unknown as { engine: Engine };
    return (await shelf.engine.memory()).heap_bytes;
  });
  return { heap, nodes, listeners, wasm, resident: await resident() };
}

async function resident(): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  let sum = 0;
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    sum += 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return sum;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Uses the book in rounds until the time is over, and holds the last against the first. */
async function rounds(page: Page, round: (number: number) => Promise<void>): Promise<void> {
  const complaints = complaintsOf(page);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const held: Held[] = [];
  const end = Date.now() + half;
  while (held.length < 3 || Date.now() < end) {
    await round(held.length);
    const now = await measure(page, session);
    held.push(now);
    console.log(`Round ${held.length}: ${megabytes(now.heap)} of JavaScript, ${now.nodes} nodes, ${now.listeners} listeners, ${megabytes(now.wasm)} of wasm, ${megabytes(now.resident)} resident.`);
  }
  const [first, last] = [held[0]!, held.at(-1)!];
  for (const kind of ['heap', 'nodes', 'listeners', 'wasm'] as const) expect(last[kind], `${kind} after ${held.length} rounds`).toBeLessThanOrEqual(most * first[kind]);
  expect(complaints).toEqual([]);
}

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

// --------------------------------------------------------------------------------------------------------------- deeds

async function shown(figure: Locator): Promise<void> {
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
}

async function press(figure: Locator, name: string): Promise<void> {
  const button = figure.getByRole('button', { name, exact: true }).first();
  if ((await button.count()) > 0 && (await button.isVisible()) && (await button.isEnabled())) await button.click();
}

/** Its parts unfolded and folded, its text changed, its heads paged, and back to its start. */
async function use(figure: Locator, text: string): Promise<void> {
  await shown(figure);
  for (const words of ['Numbers', 'Send as a lesson']) {
    const summary = figure.locator('summary', { hasText: words }).first();
    for (let turn = 0; turn < 2; turn++) await summary.click();
  }
  const field = figure.locator('textarea').first();
  if ((await field.count()) > 0 && (await field.isVisible())) {
    await field.fill(text);
    await shown(figure);
  }
  for (const name of ['Head after', 'Head after', 'Head before', 'Layer after', 'Layer before']) {
    await press(figure, name);
    await shown(figure);
  }
  await press(figure, 'Reset');
  await shown(figure);
}

/** Of those that do not go on by themselves. */
const figuresOf = (page: Page) => page.locator('[data-figure]:not(train-live, learn-a-head, price-here)').all();

const labelOf = (page: Page) => page.locator('#lab-head .figure-model').innerText();

async function openModel(page: Page, name: string): Promise<void> {
  await page.locator('#lab-head').scrollIntoViewIfNeeded(); // figures compute near the screen only
  // Handed over by the page itself: a driver that picks files keeps the field, and with it the whole card around it.
  await page.evaluate(
    async ([folder, names]) => {
      const files = new DataTransfer();
      for (const file of names) files.items.add(new File([await (await fetch(`${folder}/${file}`)).blob()], file));
      const field = document.querySelector<HTMLInputElement>('#lab-head input[type=file]')!;
      field.files = files.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    },
    [`made-up/${name}`, modelFiles] as const,
  );
  await expect.poll(() => labelOf(page), { timeout: 60_000 }).toContain(`${models[name]!.n_layer} layers × ${models[name]!.n_head} heads`);
  await expect.poll(() => labelOf(page), { timeout: 60_000 }).not.toContain('arriving');
}

async function backToLittle(page: Page): Promise<void> {
  await page.locator('#lab-head').scrollIntoViewIfNeeded();
  await page.evaluate(() => (document.querySelector('model-shelf') as unknown as { engine: Engine }).engine.openLittle().then(() => {}));
  await expect.poll(() => labelOf(page)).toContain('Little model');
}

it('through every chapter, again and again', { timeout }, async () => {
  const page = await openPage();
  const all = await chapters();
  await rounds(page, async (number) => {
    for (const place of all) {
      await page.goto(site.address + place);
      for (const figure of await figuresOf(page)) await use(figure, texts[number % texts.length]!);
    }
    await page.goto(`${site.address}07-the-lab.html`);
    for (const figure of await figuresOf(page)) await shown(figure);
  });
  await page.context().close();
});

it('in one chapter, with models switched', { timeout }, async () => {
  const page = await openPage();
  await page.goto(`${site.address}07-the-lab.html`);
  const figures = await figuresOf(page);
  for (const figure of figures) await shown(figure);
  await rounds(page, async (number) => {
    for (const name of Object.keys(models)) {
      await openModel(page, name);
      for (const figure of figures) await use(figure, texts[number % texts.length]!);
    }
    await backToLittle(page);
    for (const figure of figures) {
      await press(figure, 'Reset');
      await shown(figure);
    }
  });
  await page.context().close();
});
