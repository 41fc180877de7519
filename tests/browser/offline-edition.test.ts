// A new edition shows itself and waits: until the reader takes it every page has the old one in all its parts, then the new
// one in all its parts, in every tab. What readers keep stays.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import axeCore from 'axe-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copiedSite, copyIs, editionOf, publish, type CopiedSite } from './offline-site.ts';
import { complaintsOf, launch } from './site.ts';

let browser: Browser;
let site: CopiedSite;
let context: BrowserContext;
const complaints: string[] = [];

beforeEach(async () => {
  [browser, site] = await Promise.all([launch(), copiedSite('edition')]);
  await publish(site.folder, 'first');
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'allow' });
  context.setDefaultTimeout(60_000);
});
afterEach(async () => {
  await browser?.close();
  await site?.close();
  expect(complaints.splice(0)).toEqual([]);
});

const first = ['first', 'first', 'first'];
const second = ['second', 'second', 'second'];

async function open(place = 'glossary.html'): Promise<Page> {
  const page = await context.newPage();
  const own = complaintsOf(page);
  page.once('close', () => complaints.push(...own));
  await page.goto(site.address + place);
  return page;
}

const note = (page: Page) => page.getByRole('region', { name: 'New edition' });

it('is told in every tab, waits for the reader, and then is whole in every tab', async () => {
  const one = await open();
  await copyIs(one, 'kept');
  const two = await open('02-searching.html');
  await copyIs(two, 'kept');
  await one.evaluate(async () => {
    localStorage.setItem('lookback.kept', 'here');
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('kept-models', { create: true });
    await folder.getFileHandle('a-model', { create: true });
    await (await caches.open('kept-models')).put('/a-piece', new Response('bytes'));
  });
  expect([await editionOf(one), await editionOf(two)]).toEqual([first, first]);

  await publish(site.folder, 'second');
  await one.reload();
  for (const page of [one, two]) {
    await note(page).waitFor({ timeout: 60_000 });
    await expect.poll(() => note(page).innerText()).toContain('A new edition of this book is here. Reload to read it. Its other open pages reload too.');
  }
  expect([await editionOf(one), await editionOf(two)]).toEqual([first, first]);
  await one.goto(`${site.address}04-order.html`);
  expect(await editionOf(one)).toEqual(first);
  await note(one).waitFor();

  await note(one).getByRole('button', { name: 'Reload' }).click();
  for (const page of [one, two]) {
    await page.waitForFunction(() => document.documentElement.dataset['edition'] === 'second');
    expect(await editionOf(page)).toEqual(second);
  }
  await copyIs(one, 'kept');
  expect(await note(one).count()).toBe(0);
  const left = await one.evaluate(async () => {
    const [copy] = (await caches.keys()).filter((name) => name.includes('precache'));
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('kept-models');
    return {
      scripts: (await (await caches.open(copy!)).keys()).filter(({ url }) => /\/early-/.test(url)).length,
      storage: localStorage.getItem('lookback.kept'),
      file: (await folder.getFileHandle('a-model')).name,
      piece: await (await (await caches.open('kept-models')).match('/a-piece'))!.text(),
    };
  });
  expect(left).toEqual({ scripts: 1, storage: 'here', file: 'a-model', piece: 'bytes' });

  // And it works without a network.
  await site.stop();
  await one.goto(`${site.address}05-heads-and-layers.html`);
  expect(await editionOf(one)).toEqual(second);
});

it('that is put off is not told again, and is there when the book is opened anew', async () => {
  const page = await open();
  await copyIs(page, 'kept');
  await publish(site.folder, 'second');
  await page.reload();
  await note(page).getByRole('button', { name: 'Later' }).click();
  await page.reload();
  await copyIs(page, 'kept');
  expect(await note(page).count()).toBe(0);
  expect(await editionOf(page)).toEqual(first);
  await page.close();
  await expect.poll(async () => {
    const again = await open();
    const edition = await editionOf(again);
    await again.close();
    return edition;
  }).toEqual(second);
});

it('that is not whole on the site is not taken: the old one stays', async () => {
  const page = await open();
  await copyIs(page, 'kept');
  await publish(site.folder, 'second');
  await writeFile(join(site.folder, '08-learning-to-look-back.html'), '<!doctype html><title>half</title>');
  await page.reload();
  const ended = await page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    await registration.update().catch(() => {});
    while (registration.installing) await new Promise((done) => setTimeout(done, 100));
    return [registration.waiting === null, registration.active?.state];
  });
  expect(ended).toEqual([true, 'activated']);
  expect(await editionOf(page)).toEqual(first);
  expect(await note(page).count()).toBe(0);
  await page.goto(`${site.address}08-learning-to-look-back.html`);
  expect(await editionOf(page)).toEqual(first);
});

it('is whole in a page that is reloaded past the copy, down to its workers', async () => {
  const page = await open('03-one-head.html');
  await copyIs(page, 'kept');
  const started = async () => {
    await expect.poll(() => page.workers().filter((worker) => worker.url().endsWith('assets/worker.js')).length).toBe(1);
    return page.workers().find((worker) => worker.url().endsWith('assets/worker.js'))!.evaluate(() => (self as unknown as { edition: string }).edition);
  };
  await page.reload();
  expect([await editionOf(page), await started()]).toEqual([first, 'first']);
  await publish(site.folder, 'second');
  await (await context.newCDPSession(page)).send('Page.reload', { ignoreCache: true });
  await page.waitForFunction(() => document.documentElement.dataset['edition'] === 'second');
  expect([await editionOf(page), await started()]).toEqual([second, 'second']);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  // The note is there for the other pages; it is taken here.
  await note(page).getByRole('button', { name: 'Reload' }).click({ noWaitAfter: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect([await editionOf(page), await started()]).toEqual([second, 'second']);
});

it('is told by a note that can be read, reached and pressed at every width, in both themes', async () => {
  const page = await open();
  await copyIs(page, 'kept');
  await publish(site.folder, 'second');
  await page.reload();
  await note(page).waitFor();
  await page.evaluate(axeCore.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 360, 800, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const box = (await note(page).boundingBox())!;
      expect([box.x >= 0, box.x + box.width <= width, box.y > 0]).toEqual([true, true, true]);
      const faults = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run('.edition', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
        return violations.map(({ id }) => id);
      });
      expect(faults).toEqual([]);
      if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `edition-${width}-${colorScheme}.png`) });
    }
  }
});
