// What the tests of faults in a real page share: the chapter of one-head with a reader's text and settings, the numbers
// that it must show, and the ways to disturb its worker.

import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Locator, Page, Worker } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { writeCheckpoint } from './checkpoint.ts';
import { complaintsOf, inside, little, type Suite, suiteWithEngine } from './site.ts';

/** What a reader has set before something fails. */
export const settings = { theme: 'dark', base: '1', depth: 'math' };
const head = { layer: 2, head: 1 };

export const lost = 'The engine stopped unexpectedly; your text is kept, and the next change starts it anew.';
export const failed = 'The engine failed on this input; it starts anew with the next change.';

export interface FaultsSuite {
  suite: Suite;
  readonly page: Page;
  readonly figure: Locator;
  readonly field: Locator;
  /** Opens the chapter with the settings. `prepare` comes before anything is fetched. */
  open(prepare?: (page: Page) => Promise<unknown>, options?: BrowserContextOptions): Promise<Page>;
  /** The figure lives and shows the numbers of a text, right to the core, and no sentence. */
  expectRight(text: string, model?: string): Promise<void>;
  /** The figure says this one sentence, is not busy, and keeps text and settings. */
  expectSaid(sentence: string, text?: string): Promise<void>;
  expectKept(text?: string): Promise<void>;
  /** The engine's worker that came last. */
  worker(): Worker;
}

/** What the figure itself says went wrong; the shelf in it has sentences of its own. */
const own = '.figure-error:not(.shelf .figure-error)';

/** Shares in whole per cent, below one with a decimal; what would round to nothing is less than 0.1 %. */
function shownShare(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1%';
  return `${percent !== 0 && percent < 0.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

export function faultsSuite(name: string): FaultsSuite {
  const suite = suiteWithEngine(name);
  let context: BrowserContext | undefined;
  afterEach(() => context?.close());
  const self: FaultsSuite = {
    suite,
    get page() {
      return suite.page;
    },
    get figure() {
      return suite.page.locator('one-head');
    },
    get field() {
      return suite.page.locator('one-head textarea');
    },
    async open(prepare, options) {
      const place = `03-one-head.html#one-head&one-head.layer=${head.layer}&one-head.head=${head.head}&one-head.stage=shares`;
      context = await suite.browser.newContext({ viewport: { width: 1280, height: 1000 }, serviceWorkers: 'block', ...options });
      const page = (suite.page = await context.newPage());
      suite.complaints = complaintsOf(page);
      await page.addInitScript((set) => {
        for (const [key, value] of Object.entries(set)) localStorage.getItem(`lookback.${key}`) ?? localStorage.setItem(`lookback.${key}`, value);
      }, settings);
      await prepare?.(page);
      await page.goto(suite.site.address + place);
      return page;
    },
    async expectRight(text, model = little) {
      const truth = await inside('--model', model, '--text', text, '--head', `${head.layer}.${head.head}`);
      const shares: number[] = truth.attention.heads[0].shares;
      const lastRow = () =>
        self.figure.locator('[data-cell]').evaluateAll((nodes, n) => nodes.slice(-n).map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')), shares.length);
      await expect.poll(lastRow, { timeout: 60_000, message: text }).toEqual(shares.map(shownShare));
      await expect.poll(() => self.figure.getAttribute('aria-busy')).toBeNull();
      expect(await self.figure.locator(own).count()).toBe(0);
      await self.expectKept(text);
    },
    async expectSaid(sentence, text) {
      const said = self.figure.locator(own);
      await expect.poll(() => said.allInnerTexts(), { timeout: 60_000 }).toEqual([sentence]);
      await expect.poll(() => self.figure.getAttribute('aria-busy')).toBeNull();
      await self.expectKept(text);
    },
    async expectKept(text) {
      if (text !== undefined) expect(await self.field.inputValue()).toBe(text);
      expect(await self.page.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject(settings);
    },
    worker: () => suite.page.workers().filter((worker) => worker.url().endsWith('/worker.js')).at(-1)!,
  };
  return self;
}

/** Has the page's workers run `code` before their own. */
export async function beforeWorkers(page: Page, code: string): Promise<void> {
  await page.route('**/assets/worker.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${code};${await answer.text()}` });
  });
}

/** A made-up model that comes in several pieces, in a folder of its own; its address on the disk. */
export async function writeModel(site: string): Promise<string> {
  const folder = join(site, 'model');
  await writeCheckpoint(folder, { shape: { n_layer: 3, n_head: 2, n_embd: 48, n_positions: 96, vocab_size: 50257 }, seed: 21, vocabulary: true });
  return folder;
}
