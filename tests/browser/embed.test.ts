// Figures in a page of another origin that knows nothing of the book: no policy, no isolation, styles of its own. They
// come alive by one script, show the core's numbers, ask the book's site alone, and leave the page as it was.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { figureNames } from '../../web/compiler/registry.mjs';
import { dist, settled } from './figures.ts';
import { complaintsOf, inside, launch, little, native, root, serve, type Site } from './site.ts';

let browser: Browser;
let site: Site;
let host: Server;
let here: string;
/** What the page of somebody else holds below its heading. */
let body = '';
/** Its content security policy. */
let policy = '';
let context: BrowserContext | undefined;
let complaints: string[] = [];
const requests: string[] = [];

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(dist)]);
  host = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    const styles = '<style>html { font-size: 10px } * { letter-spacing: 2px } button, p, li { color: rgb(255, 0, 0); text-transform: uppercase } :root { --paper: lime; --s4: 90px } svg { display: none }</style>';
    response.writeHead(200, { 'Content-Type': 'text/html;charset=utf-8', ...(policy && { 'Content-Security-Policy': policy }) }).end(`<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">${styles}<h1>A page</h1><p id="own">Its own words.</p>${body}`);
  });
  await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
  here = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  await context?.close();
  context = undefined;
  policy = '';
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  host?.close();
});

async function open(elements: string, options: BrowserContextOptions = {}, query = ''): Promise<Page> {
  body = `<script type="module" src="${site.address}embed.js${query}"></script>${elements}`;
  context = await browser.newContext({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60_000);
  requests.length = 0;
  context.on('request', (request) => requests.push(request.url()));
  const page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(here);
  return page;
}

const stored = (page: Page) => page.evaluate(() => [location.href, document.cookie, Object.keys(localStorage), Object.keys(sessionStorage), history.length]);

it('a toy figure and a model figure live, with the core’s numbers', async () => {
  const text = 'Maya lives in Rome, the capital of';
  const page = await open(`<softmax-dial scores="2,1,0" stretch="1.5"></softmax-dial><logit-lens text="${text}" done="2" target=" Italy"><span id="instead">A lens</span></logit-lens>`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  const before = await stored(page);

  const dial = page.locator('softmax-dial');
  await settled(dial);
  const { shares } = await nativeEngine(native).lesson('softmax', { scores: [2, 1, 0], stretch: 1.5 });
  expect(await dial.locator('.dial-row .dial-percent').allInnerTexts()).toEqual(shares.map((share) => `${(share * 100).toFixed(share < 0.0095 ? 1 : 0)}\u202F%`));

  const lens = page.locator('logit-lens');
  await lens.scrollIntoViewIfNeeded();
  await settled(lens);
  const { lens: depths } = await inside('--model', little, '--text', text, '--target', ' Italy');
  const chance = depths[2].target.probability * 100;
  const shown = chance < 0.05 ? '<\u202F0.1' : chance.toFixed(chance < 0.95 ? 1 : 0);
  expect(await lens.locator('.figure-title').innerText()).toContain(`${shown}\u202F%`);
  expect(await page.locator('#instead').isVisible()).toBe(false);

  // A change answers, and stays inside.
  await dial.getByRole('spinbutton', { name: /size of/ }).fill('3');
  await settled(dial);
  const sharper = await nativeEngine(native).lesson('softmax', { scores: [2, 1, 0], stretch: 3 });
  expect((await dial.locator('.dial-row .dial-percent').first().innerText()).replace(/\D/g, '')).toBe((sharper.shares[0]! * 100).toFixed(0));
  expect(await stored(page)).toEqual(before);

  const strays = requests.filter((address) => ![site.address, here, `blob:${here}`, 'data:'].some((start) => address.startsWith(start)));
  expect(strays).toEqual([]);
  const fetched = requests.map((address) => address.replace(site.address, ''));
  expect(new Set(fetched.filter((place) => place.endsWith('.wasm')))).toEqual(new Set(['wasm/simd/lessons.wasm', 'wasm/simd/lookback.wasm']));
  expect(fetched.filter((place) => /^wasm\/threads/.test(place))).toEqual([]);
  expect(fetched.filter((place) => /assets\/(one-head|dot-dial|search-playground)-/.test(place))).toEqual([]);
});

it('neither takes the page’s styles nor gives it its own', async () => {
  const page = await open('<softmax-dial></softmax-dial>');
  const dial = page.locator('softmax-dial');
  await settled(dial);
  const seen = await page.evaluate(() => {
    const room = document.querySelector('softmax-dial')!.shadowRoot!.querySelector('.embed')!;
    const style = (node: Element) => getComputedStyle(node);
    const button = style(room.querySelector('.dial-do')!);
    const own = style(document.querySelector('#own')!);
    return {
      inside: [button.color !== 'rgb(255, 0, 0)', button.textTransform, button.letterSpacing, style(room.querySelector('svg')!).display !== 'none', style(room).backgroundColor],
      size: style(room.querySelector('.figure')!).fontSize,
      outside: [own.color, own.textTransform, own.fontSize],
      marked: [...document.documentElement.attributes].map(({ name }) => name),
    };
  });
  expect(seen.inside).toEqual([true, 'none', 'normal', true, 'rgb(251, 250, 246)']);
  expect(seen.size).toBe('16px');
  expect(seen.outside).toEqual(['rgb(255, 0, 0)', 'uppercase', '10px']);
  expect(seen.marked).toEqual(['lang']);
});

it('is dark where the element or the page says so, and needs no fonts', async () => {
  const page = await open('<softmax-dial data-theme="dark"></softmax-dial><dot-dial></dot-dial>', {}, '?fonts=none');
  const paper = (name: string) => page.locator(name).evaluate((node) => getComputedStyle(node.shadowRoot!.querySelector('.embed')!).backgroundColor);
  for (const name of ['softmax-dial', 'dot-dial']) await settled(page.locator(name));
  expect([await paper('softmax-dial'), await paper('dot-dial')]).toEqual(['rgb(22, 24, 28)', 'rgb(251, 250, 246)']);
  expect(requests.filter((address) => address.endsWith('.woff2'))).toEqual([]);
});

it('takes elements that come later, hides controls, and gives its HTML away', async () => {
  const page = await open('');
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p><softmax-dial stretch="2" hide="stretch"></softmax-dial></p>'));
  const dial = page.locator('softmax-dial');
  await dial.locator('.figure-concealed').waitFor();
  await settled(dial);
  expect(await dial.getByRole('slider', { name: /size of/ }).count()).toBe(0);
  await context!.grantPermissions(['clipboard-read', 'clipboard-write']);
  await dial.getByRole('button', { name: 'Copy HTML' }).click();
  await dial.getByText('The element is copied, as it is now.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('<softmax-dial stretch="2" hide="stretch"></softmax-dial>');
  await dial.getByRole('button', { name: 'Show everything' }).click();
  await expect.poll(() => dial.getByRole('slider', { name: /size of/ }).count()).toBe(1);
  expect(page.url()).toBe(here);
});

it('takes every figure of the book, and a training runs', async () => {
  const names = await figureNames(`${root}/web`);
  expect(names.length).toBeGreaterThan(20);
  const page = await open(names.map((name) => `<${name}></${name}>`).join('\n'), { viewport: { width: 360, height: 800 } });
  for (const name of names) {
    const figure = page.locator(name);
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
    expect(await figure.locator('.figure-title').innerText(), name).not.toBe('');
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const training = page.locator('learn-a-head');
  await training.scrollIntoViewIfNeeded();
  await training.getByRole('button', { name: 'Train', exact: true }).click();
  await training.getByText(/Step \d+ of|All .* steps are done/).first().waitFor();
});

describe('in a page that asks for Trusted Types', () => {
  const strict = "require-trusted-types-for 'script'";

  it.each([strict, `${strict}; trusted-types lit-html lookback`])('%s: figures, their model and a training live', async (asked) => {
    policy = asked;
    const page = await open('<softmax-dial></softmax-dial><logit-lens text="Maya lives in Rome" done="2" model="little"></logit-lens><learn-a-head></learn-a-head>');
    for (const name of ['softmax-dial', 'logit-lens', 'learn-a-head']) {
      const figure = page.locator(name);
      await figure.scrollIntoViewIfNeeded();
      await settled(figure);
    }
    await page.locator('learn-a-head').getByRole('button', { name: 'Train', exact: true }).click();
    await page.locator('learn-a-head').getByText(/Step \d+ of|All .* steps are done/).first().waitFor();
    expect(page.workers().length).toBe(2);
    // The page itself is held to its policy.
    expect(await page.evaluate(() => {
      try {
        document.body.insertAdjacentHTML('beforeend', '<i></i>');
        return 'done';
      } catch (problem) {
        return (problem as Error).name;
      }
    })).toBe('TypeError');
    complaints.splice(0); // of that last try
  });

  it('and names other policies, what stands in the element stays', async () => {
    policy = `${strict}; trusted-types other`;
    const page = await open('<softmax-dial><b>Three shares</b></softmax-dial>');
    await expect.poll(() => complaints.length).toBeGreaterThan(0);
    complaints.splice(0);
    expect(await page.locator('softmax-dial').innerText()).toBe('Three shares');
  });
});
