// layer-map, logit-lens and parameter-budget in Chromium: set by the links of the prose, driven by mouse, touch and
// keyboard, against the native program; both themes, a narrow screen, hostile links.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { inside, little } from './site.ts';

const names = ['layer-map', 'parameter-budget', 'logit-lens'] as const;
const openPage = useBook();

const openChapter = (fragment = '', options: BrowserContextOptions = {}) => openPage(`05-heads-and-layers.html${fragment}`, options);

async function figureOn(page: Page, name: (typeof names)[number]): Promise<Locator> {
  const figure = page.locator(`#${name}`);
  await figure.scrollIntoViewIfNeeded();
  return settled(figure);
}

async function settled(figure: Locator): Promise<Locator> {
  type Figure = HTMLElement & { error?: string; stale?(): boolean; updateComplete: Promise<unknown> };
  await figure.page().waitForFunction((node) => {
    const element = node as unknown as Figure;
    return element.stale !== undefined && !element.hasAttribute('aria-busy') && (element.error || !element.stale());
  }, await figure.elementHandle());
  expect(await figure.evaluate(async (node) => ((await (node as Figure).updateComplete), (node as Figure).error))).toBe('');
  return figure;
}

const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replace(/^Figure \S+\s+/, '').replaceAll('\u00A0', ' ');
const share = (value: number) => (value * 100 > 0 && value * 100 < 0.05 ? '<\u202F0.1\u202F%' : `${(value * 100).toFixed(value !== 0 && value < 0.0095 ? 1 : 0)}\u202F%`);

it('links of the prose set their figure, and the lens counts layers in the same way for either base', async () => {
  const page = await openChapter();
  const links = page.locator(names.map((name) => `a.sets:visible[href^="#${name}&"]`).join(','));
  const count = await links.count();
  expect(count).toBeGreaterThan(9);
  for (let at = 0; at < count; at++) {
    const [id = '', ...settings] = (await links.nth(at).getAttribute('href'))!.slice(1).split('&');
    await links.nth(at).click();
    await settled(page.locator(`#${id}`));
    const hash = decodeURIComponent(new URL(page.url()).hash);
    for (const setting of settings) expect(hash).toContain(decodeURIComponent(setting));
  }

  const { lens } = await inside('--model', little, '--text', 'Maya lives in Paris, the capital of', '--target', ' France');
  for (const base of [0, 1]) {
    const counted = await openChapter(`#logit-lens&base=${base}&logit-lens.done=3&layer-map.layer=2`);
    const figure = await figureOn(counted, 'logit-lens');
    expect(await titleOf(figure)).toBe(`After 3 layers, “France” leads with ${share(lens[3].target.probability)}`);
    expect(await figure.getByRole('spinbutton', { name: 'Layers done' }).inputValue()).toBe('3');
    expect(await figure.locator('.lens-count').allInnerTexts()).toEqual(['0', '1', '2', '3', '4']);
    expect(await titleOf(await figureOn(counted, 'layer-map'))).toMatch(new RegExp(`^In layer ${2 + base} `));
  }
});

it('logit-lens goes by mouse, keyboard and typing, takes words and texts, and asks first', async () => {
  const page = await openChapter();
  const figure = await figureOn(page, 'logit-lens');
  expect(await titleOf(figure)).toMatch(/^After all 4 layers, “France” leads/);
  const rung = (done: number) => figure.locator(`#logit-lens-depth-${done}`);
  await rung(1).click();
  expect(await titleOf(figure)).toMatch(/^After 1 layer, /);
  await page.keyboard.press('ArrowUp');
  expect(await titleOf(figure)).toMatch(/^Before any layer, /);
  expect(await rung(0).evaluate((node) => node === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  expect(await titleOf(figure)).toMatch(/^After all 4 layers/);
  const typed = figure.getByRole('spinbutton', { name: 'Layers done' });
  await typed.fill('2');
  expect(await titleOf(figure)).toMatch(/^After 2 layers, /);

  await figure.getByRole('textbox', { name: 'Target word' }).fill('Italy');
  await page.keyboard.press('Enter');
  await settled(figure);
  const { lens } = await inside('--model', little, '--text', 'Maya lives in Paris, the capital of', '--target', ' Italy');
  expect(await titleOf(figure)).toContain(`“Italy” has ${share(lens[2].target.probability)}`);
  await figure.getByRole('textbox', { name: 'Text' }).fill('Maya lives in Rome, the capital of');
  await settled(figure);
  await typed.fill('4');
  expect(await titleOf(figure)).toMatch(/“Italy” leads/);

  await figure.getByRole('button', { name: 'Guess first' }).click();
  expect(await titleOf(figure)).toMatch(/^After how many layers is “Italy”/);
  expect(await figure.locator('.figure-picture').innerText()).not.toMatch(/%/);
  await figure.getByRole('button', { name: 'never' }).click();
  expect(await figure.locator('.lens-verdict').innerText()).toMatch(/^You said never; it is after \d layers?\.$/);
});

it('layer-map and parameter-budget go by mouse, keyboard and typing', async () => {
  const page = await openChapter();
  const map = await figureOn(page, 'layer-map');
  await map.locator('#layer-map-layer-3').click();
  await settled(map);
  expect(await titleOf(map)).toMatch(/^In layer 3 /);
  await page.keyboard.press('ArrowUp');
  await settled(map);
  expect(await titleOf(map)).toMatch(/^In layer 2 /);
  await map.getByRole('button', { name: /^street/ }).click();
  await settled(map);
  expect(await titleOf(map)).toContain('“street”');
  await map.getByRole('spinbutton', { name: 'Neuron' }).fill('17');
  await page.keyboard.press('Tab');
  expect(await map.locator('.map-readout').innerText()).toMatch(/^Neuron 17: /);
  const { lengths } = await inside('--model', little, '--text', "The animal didn't cross the street because it was too tired", '--from', '6');
  expect((await map.locator('.map-step .map-length').allInnerTexts()).filter((text) => /\d/.test(text))).toEqual(
    ['before', 'attention', 'between', 'feed_forward', 'after'].map((name) => lengths[2][name].toFixed(2)),
  );

  const budget = await figureOn(page, 'parameter-budget');
  await budget.getByRole('button', { name: /^GPT-2 xl/ }).first().click();
  await settled(budget);
  expect(await titleOf(budget)).toBe('GPT-2 xl has 1\u202F557\u202F611\u202F200 weights, 63.1\u202F% of them in the feed-forward steps');
  await budget.getByRole('spinbutton', { name: 'Layers' }).fill('1');
  await settled(budget);
  expect(await titleOf(budget)).toMatch(/^A model of these sizes has /);
  await budget.locator('#parameter-budget-part-norms').press('Enter');
  expect(await budget.locator('.budget-opened').innerText()).toContain('Layer norms: 9\u202F600 weights');
});

it('on a narrow screen a finger reaches everything and nothing is wider than the screen', async () => {
  const page = await openChapter('', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true });
  for (const name of names) {
    const figure = await figureOn(page, name);
    const lost = await figure.evaluate((node) =>
      [...node.querySelectorAll<HTMLElement>('button, input, .token, .num, .bar, .map-length, .lens-percent')]
        .filter((part) => part.checkVisibility() && !part.closest('.figure-table, .visually-hidden, .budget-opened'))
        .filter((part) => part.getBoundingClientRect().left < -1 || part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => part.outerHTML.slice(0, 120)),
    );
    expect(lost, name).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.locator('#logit-lens-depth-1').tap();
  await expect.poll(() => titleOf(page.locator('#logit-lens'))).toMatch(/^After 1 layer, /);
  await page.locator('#layer-map-layer-0').tap();
  await expect.poll(() => titleOf(page.locator('#layer-map'))).toMatch(/^In layer 0 /);
});

it('a link about GPT-2 shows what was recorded until the model is there; hostile links show nothing wrong', async () => {
  const page = await openChapter('#logit-lens&logit-lens.model=gpt2&logit-lens.target=France');
  const figure = await figureOn(page, 'logit-lens');
  expect(await titleOf(figure)).toBe('After all 12 layers, “France” leads with 29\u202F%');
  expect(await figure.locator('.figure-picture').innerText()).toContain('This is about GPT-2 small; shown is what was recorded from it.');
  expect(await figure.locator('.lens-count').count()).toBe(13);

  const evil = encodeURIComponent('<img src=x onerror=alert(1)>');
  for (const values of [
    `layer-map.layer=1e9&layer-map.position=-7&layer-map.neuron=NaN&logit-lens.done=-3&logit-lens.target=${evil}&parameter-budget.model=own&parameter-budget.width=1e99`,
    `layer-map.text=&logit-lens.text=${evil}&logit-lens.position=99999&logit-lens.quiz=1&logit-lens.guess=999&parameter-budget.piece=__proto__&parameter-budget.layers=%zz`,
    'layer-map.model=other&logit-lens.model=gpt2&logit-lens.done=12&logit-lens.text=0&parameter-budget.tokens=0&parameter-budget.model=own&parameter-budget.places=-1',
  ]) {
    const hostile = await openChapter(`#&${values}`);
    for (const name of names) {
      const shown = await figureOn(hostile, name);
      expect(await shown.innerText(), values).not.toMatch(/NaN|undefined|Infinity|∞|\[object/);
      expect(await shown.locator('img, script').count()).toBe(0);
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  it(`in the ${colorScheme} theme axe finds nothing`, async () => {
    const page = await openChapter('', { colorScheme });
    for (const name of names) await (await figureOn(page, name)).getByText('Numbers', { exact: true }).click();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(async (roots) => {
      interface Found { violations: { id: string; nodes: { target: string[]; html: string }[] }[] }
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Found> } };
      const found = await axe.run({ include: roots.map((name) => [`#${name}`]) }, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } } });
      return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`));
    }, [...names]);
    expect(violations).toEqual([]);
  });
}

it('parameter-budget keeps its rows apart at every width', async () => {
  const page = await openChapter();
  const budget = await figureOn(page, 'parameter-budget');
  for (const width of [320, 700, 860, 1000, 1099, 1100, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const spilt = await budget.locator(':is(.budget-part, .budget-model, .budget-sizes .slider)').evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth + 1).map((row) => row.textContent!.trim().replace(/\s+/g, ' ')));
    expect(spilt, `${width} pixels`).toEqual([]);
  }
});
