// A figure whose script does not come: its printed state stays, a sentence says so, and a new connection brings it to life.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch, root, serve, type Site } from './site.ts';

let browser: Awaited<ReturnType<typeof launch>>;
let site: Site;
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(join(root, 'web/dist'))]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

it('says so, keeps its first state, and comes alive when the connection is back', async () => {
  const page = await browser.newPage();
  await page.route(/\/assets\/rotary-dial-[^/]*\.js$/, (route) => route.abort());
  await page.goto(`${site.address}04-order.html`);
  const figure = page.locator('#rotary-dial');
  const title = await figure.locator('.figure-title').innerText();
  await figure.scrollIntoViewIfNeeded();
  await figure.getByRole('alert').waitFor();
  expect(await figure.getByRole('alert').innerText()).toContain('script could not be loaded');
  expect(await figure.locator('.figure-title').innerText()).toBe(title);

  await page.unroute(/\/assets\/rotary-dial-[^/]*\.js$/);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.waitForFunction(() => performance.getEntriesByName('rotary-dial alive').length > 0);
  expect(await figure.getByRole('alert').count()).toBe(0);
  expect(await figure.locator('.figure-title').innerText()).toBe(title);
});
