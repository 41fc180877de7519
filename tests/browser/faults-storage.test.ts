// Storage that is cleared or full while a model is opened, and two tabs that open the same model at once. Whatever
// happens to what is kept, the model that was asked for works and the shelf does not say more than is so.

import type { CDPSession, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beforeWorkers, faultsSuite, writeModel } from './faults-page.ts';
import { type Hub, hubFor } from './hub.ts';

const faults = faultsSuite('faults-storage');
const { open, expectRight, expectKept } = faults;
/** Of no chapter: its table comes whole, before the layers. */
const sentence = 'My own words about the dog';
let folder: string;
let hub: Hub;

beforeAll(async () => {
  folder = await writeModel(faults.suite.folder);
});

async function openChapter(): Promise<void> {
  await open(async (page) => (hub = await hubFor(page, folder)));
  await faults.field.fill(sentence);
  await expectRight(sentence);
}

const shelfOn = (page: Page) => page.locator('one-head .shelf');
const errorOf = (shelf: Locator) => shelf.locator('.figure-error').allInnerTexts();
const textOf = async (shelf: Locator) => (await shelf.innerText()).replace(/[\u00A0\u202F]/g, ' ');

/** Asks what the repository takes, and opens it. */
async function openRepository(page: Page = faults.page): Promise<void> {
  const shelf = shelfOn(page);
  if (!(await shelf.locator('.shelf-card').isVisible())) await page.locator('one-head .head-model > summary').click();
  if ((await shelf.locator('.shelf-open', { hasText: 'someone/model' }).count()) === 0) {
    await shelf.getByText('Another model').click();
    await shelf.getByLabel('A repository on the hub').check();
    await shelf.getByLabel('Repository on the hub', { exact: true }).fill('someone/model');
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
  }
  await shelf.locator('.shelf-open', { hasText: 'someone/model' }).click();
}

/** The model is whole and in use. */
async function expectOpen(page: Page = faults.page): Promise<void> {
  await expect.poll(() => page.locator('one-head .figure-model').innerText(), { timeout: 60_000 }).toContain('someone/model');
  await expect.poll(() => shelfOn(page).locator('.shelf-loading').count(), { timeout: 60_000 }).toBe(0);
  await expect.poll(() => textOf(shelfOn(page))).toContain('is open: 3 layers');
}

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);
const origin = () => new URL(faults.suite.site.address).origin;
const clear = async () => (await sessionOf(faults.page)).send('Storage.clearDataForOrigin', { origin: origin(), storageTypes: 'all' });
const allow = async (bytes: number) => (await sessionOf(faults.page)).send('Storage.overrideQuotaForOrigin', { origin: origin(), quotaSize: bytes });

/** Another visit of the same reader: a tab of the same browser. */
async function visit(): Promise<{ page: Page; hub: Hub }> {
  const page = await faults.page.context().newPage();
  const its = await hubFor(page, folder);
  await page.goto(faults.page.url());
  await page.locator('one-head textarea').waitFor();
  await page.locator('one-head .head-model > summary').click();
  return { page, hub: its };
}

describe('storage that is cleared', () => {
  it('while a kept model is in use: it goes on, settings hold, and it can be fetched again', async () => {
    await openChapter();
    await openRepository();
    await expectOpen();
    expect(await textOf(shelfOn(faults.page))).toContain('is kept on this device');
    await clear();
    await faults.field.fill(`${sentence} sat`);
    await expectRight(`${sentence} sat`, folder);
    // A choice made now is remembered again.
    await faults.page.locator('summary', { hasText: 'Settings' }).click();
    await faults.page.locator('[data-setting=theme] label', { hasText: 'Light' }).click();
    expect(await faults.page.evaluate(() => localStorage.getItem('lookback.theme'))).toBe('light');
    await faults.page.locator('[data-setting=theme] label', { hasText: 'Dark' }).click();
    await faults.page.keyboard.press('Escape');
    await openRepository();
    await expectOpen();
    await expectRight(`${sentence} sat`, folder);
    expect(await textOf(shelfOn(faults.page))).toContain('is kept on this device');
  });

  it('while a model is fetched and kept: it opens, and the shelf says that it is not kept', async () => {
    await openChapter();
    hub.hold(/^h\.1\./);
    await openRepository();
    await expect.poll(() => hub.sent).toBeGreaterThan(5e6);
    await clear();
    hub.hold(null);
    await expectOpen();
    await expectRight(sentence, folder);
    expect(await errorOf(shelfOn(faults.page))).toEqual([]);
    const says = await textOf(shelfOn(faults.page));
    const second = await visit();
    const kept = await shelfOn(second.page).locator('.shelf-kept').count();
    expect([says.includes('is kept on this device'), kept > 0]).toEqual([false, false]);
  });

  it('while a kept model is read: what is missing is fetched again, and the numbers are right', async () => {
    await openChapter();
    await openRepository();
    await expectOpen();
    await faults.page.reload();
    await faults.field.waitFor();
    // The worker waits before it reads the third kept part, until storage has been cleared.
    await beforeWorkers(faults.page, `{
      const line = new BroadcastChannel('cleared');
      const find = FileSystemDirectoryHandle.prototype.getFileHandle;
      let parts = 0;
      FileSystemDirectoryHandle.prototype.getFileHandle = async function (name, options) {
        if (name.startsWith('piece-') && ++parts === 3) {
          line.postMessage('reading');
          await new Promise((go) => (line.onmessage = go));
        }
        return find.call(this, name, options);
      };
    }`);
    const reading = faults.page.evaluate(() => new Promise((go) => (new BroadcastChannel('cleared').onmessage = () => go(true))));
    const asked = hub.asked.length;
    await faults.page.locator('one-head .head-model > summary').click();
    await shelfOn(faults.page).locator('summary', { hasText: 'Kept on this device' }).click();
    await shelfOn(faults.page).locator('.shelf-kept').getByRole('button', { name: 'Open someone/model' }).click();
    await reading;
    await clear();
    await faults.page.evaluate(() => new BroadcastChannel('cleared').postMessage('go'));
    await expectOpen();
    await expectRight(sentence, folder);
    expect(hub.asked.length).toBeGreaterThan(asked);
    expect(await errorOf(shelfOn(faults.page))).toEqual([]);
    const says = await textOf(shelfOn(faults.page));
    const second = await visit();
    const kept = await shelfOn(second.page).locator('.shelf-kept').count();
    expect(says.includes('is kept on this device')).toBe(kept > 0);
  });
});

describe('storage that is full', () => {
  it('from the start: the shelf says so, and the model works without being kept', async () => {
    await openChapter();
    await allow(3e6);
    hub.hold(/^h\.2\./);
    await openRepository();
    await expect.poll(() => textOf(shelfOn(faults.page))).toMatch(/The browser (has room for \d+ MB more, too little for \d+ MB|gives no more room)\. The model loads, but is not kept\./);
    hub.hold(null);
    await expectOpen();
    await expectRight(sentence, folder);
    expect(await textOf(shelfOn(faults.page))).toContain('is not kept');
  });

  it('half-way: the same, and nothing of it stays behind', async () => {
    await openChapter();
    hub.hold(/^h\.1\./);
    await openRepository();
    await expect.poll(() => hub.sent).toBeGreaterThan(5e6);
    await allow(1e5);
    hub.hold(/^h\.2\./);
    await expect.poll(() => textOf(shelfOn(faults.page)), { timeout: 30_000 }).toContain('The browser gives no more room. The model loads, but is not kept.');
    hub.hold(null);
    await expectOpen();
    await expectRight(sentence, folder);
    expect(await textOf(shelfOn(faults.page))).toContain('is not kept');
    expect(await faults.page.evaluate(async () => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('kept-models');
      const names: string[] = [];
      for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
      return names;
    })).toEqual([]);
    await expectKept(sentence);
  });
});

describe('two tabs', () => {
  it('open the same model at once: one fetches, the other takes what is kept, both show the right numbers', async () => {
    await openChapter();
    hub.hold(/^h\.1\./);
    await openRepository();
    await expect.poll(() => hub.sent).toBeGreaterThan(5e6);
    const second = await visit();
    await openRepository(second.page);
    await expect.poll(() => textOf(shelfOn(second.page))).toContain('Another tab is fetching this model; this one waits, and takes what that one keeps.');
    hub.hold(null);
    await expectOpen();
    await expectOpen(second.page);
    await expectRight(sentence, folder);
    // All that it asked for itself is the header, for what the model would take.
    expect(second.hub.asked.filter(({ file, end }) => file === 'model.safetensors' && end > 1 << 16)).toEqual([]);
    const cells = (page: Page) => page.locator('one-head [data-cell]').evaluateAll((nodes) => nodes.map((node) => node.textContent));
    expect(await cells(second.page)).toEqual(await cells(faults.page));
    const folders = await second.page.evaluate(async () => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('kept-models');
      const names: string[] = [];
      for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
      return names.length;
    });
    expect(folders).toBe(1);
    await faults.field.fill(`${sentence} sat`);
    await expectRight(`${sentence} sat`, folder);
  });
});
