// Chapter 7 in Chromium: continue-text set by the links of the prose, driven by mouse, keyboard and touch, against
// `lookback generate`; to the end of the window; both themes, a narrow screen, hostile links.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { little, native } from './site.ts';

const given = 'The dog chased the cat. The cat';
const openPage = useBook();

async function openChapter(fragment = '', options: BrowserContextOptions = {}): Promise<{ page: Page; figure: Locator }> {
  const page = await openPage(`07-the-lab.html${fragment}`, options);
  return { page, figure: await settled(page.locator('#continue-text')) };
}

/** The figure shows all of what was asked for. */
async function settled(figure: Locator): Promise<Locator> {
  type Shown = { result: { kind: string; seen?: { going: boolean } } };
  type Figure = HTMLElement & { error?: string; shown?: Shown; stale?(): boolean; updateComplete: Promise<unknown> };
  await figure.scrollIntoViewIfNeeded();
  await figure.page().waitForFunction((node) => {
    const element = node as unknown as Figure;
    if (element.stale === undefined || element.hasAttribute('aria-busy')) return false;
    return element.error || (!element.stale() && !element.shown!.result.seen?.going);
  }, await figure.elementHandle());
  expect(await figure.evaluate(async (node) => ((await (node as Figure).updateComplete), (node as Figure).error))).toBe('');
  return figure;
}

const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replace(/^Figure \S+\s+/, '').replaceAll('\u00A0', ' ');
/** The text as its chips stand, with what was added. */
const writtenOf = (figure: Locator) => figure.locator('.next-tokens .token:not(.next-open) .token-text').evaluateAll((chips) => chips.map((chip) => chip.textContent).join(''));

async function generate(text: string, length: number, ...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(native, ['generate', '--model', little, '--text', text, '--length', String(length), '--json', ...options]);
  return JSON.parse(stdout).text;
}
const drawn = (length: number, seed = 1) => generate(given, length, '--temperature', '1', '--seed', String(seed));

it('links of the prose set the figures, and the text is the native program’s', async () => {
  const { page, figure } = await openChapter();
  const links = page.locator('a.sets:visible');
  expect(await links.count()).toBeGreaterThan(15);
  for (const link of await links.all()) {
    const [id = '', ...settings] = (await link.getAttribute('href'))!.slice(1).split('&');
    await link.click();
    await settled(page.locator(`#${id}`));
    const hash = decodeURIComponent(new URL(page.url()).hash);
    for (const setting of settings) expect(hash).toContain(decodeURIComponent(setting));
  }
  for (const [hash, truth] of [
    ['continue-text.drawn=40&continue-text.temperature=0', await generate(given, 40)],
    ['continue-text.drawn=20&continue-text.topk=40&continue-text.topp=0.9&continue-text.temperature=2.5&continue-text.seed=2', await generate(given, 20, '--temperature', '2.5', '--top-k', '40', '--top-p', '0.9', '--seed', '2')],
  ] as const) {
    await page.goto(new URL(`07-the-lab.html#&${hash}`, page.url()).href);
    await page.reload();
    await settled(figure);
    await expect.poll(() => writtenOf(figure), { message: hash }).toBe(truth);
  }
});

it('goes by mouse and keyboard: step, play, stop, back, another token, another text, typed settings', async () => {
  const { page, figure } = await openChapter();
  const button = (name: string) => figure.getByRole('button', { name, exact: true });
  for (const count of [1, 2, 3]) {
    await button('Step').click();
    await expect.poll(() => writtenOf(figure)).toBe(await drawn(count));
  }
  await button('Back').press('Enter');
  await expect.poll(() => writtenOf(figure)).toBe(await drawn(2));

  await button('Play').click();
  await expect.poll(async () => (await writtenOf(figure)).length).toBeGreaterThan((await drawn(6)).length - 1);
  await button('Stop').click();
  await settled(figure);
  const stopped = await writtenOf(figure);
  await page.waitForTimeout(700);
  expect(await writtenOf(figure)).toBe(stopped);
  expect(await drawn(60)).toContain(stopped);

  // A new token opens its alternatives; another one is taken by keyboard, and the text goes on from there.
  const place = (await figure.locator('.next-tokens .token:disabled').count()) + 2;
  await figure.locator(`#continue-text-token-${place}`).click();
  expect(await titleOf(figure)).toMatch(/ was drawn; its chance was /);
  await figure.locator('.next-choice[tabindex="0"]').focus();
  await page.keyboard.press('Home');
  const pressed = await figure.locator('#continue-text-choice-0').getAttribute('aria-pressed');
  if (pressed === 'true') await page.keyboard.press('ArrowDown');
  const word = await page.locator(':focus .token-text').textContent();
  await page.keyboard.press('Enter');
  await settled(figure);
  await expect.poll(() => writtenOf(figure)).toBe((await drawn(2)) + word);
  expect(await figure.locator('.next-hand').count()).toBe(1);
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toContain('continue-text.taken=2.');

  await figure.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
  await settled(figure);
  await expect.poll(() => writtenOf(figure)).toBe(await generate(given, 3));
  await figure.getByRole('spinbutton', { name: 'Seed' }).fill('12');
  await button('As the model says').click();
  await settled(figure);
  await expect.poll(() => writtenOf(figure)).toBe(await drawn(3, 12));
  await figure.getByRole('textbox', { name: 'Text' }).fill('One morning');
  await settled(figure);
  expect(await writtenOf(figure)).toBe('One morning');
  expect(await titleOf(figure)).toMatch(/^After “morning”, the likeliest is “/);
});

it('ends at the window’s end in words, and goes back from there', async () => {
  const { figure } = await openChapter('#continue-text&continue-text.drawn=9999&continue-text.text=One%20morning');
  expect(await titleOf(figure)).toBe('The window of 128 tokens is full, after 127 new tokens');
  expect(await figure.locator('.next-end').innerText()).toContain('The window of 128 tokens is full.');
  expect(await writtenOf(figure)).toBe(await generate('One morning', 127, '--temperature', '1', '--seed', '1'));
  expect(await figure.getByRole('button', { name: 'Step', exact: true }).isDisabled()).toBe(true);
  await figure.getByRole('button', { name: 'Back', exact: true }).click();
  await settled(figure);
  await expect.poll(() => titleOf(figure)).toMatch(/^126 new tokens on, after /);
  await figure.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect.poll(() => writtenOf(figure)).toBe('One morning');
});

it('on a narrow screen a finger reaches everything; hostile links show nothing wrong', async () => {
  const { page, figure } = await openChapter('', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true });
  await figure.getByRole('button', { name: 'Step', exact: true }).tap();
  await settled(figure);
  await figure.locator('#continue-text-choice-1').tap();
  await settled(figure);
  await expect.poll(() => figure.locator('.next-tokens .next-token').count()).toBe(2);
  const lost = await figure.evaluate((node) =>
    [...node.querySelectorAll<HTMLElement>('button, input, .token, .next-percent')]
      .filter((part) => part.checkVisibility() && !part.closest('.figure-table, .visually-hidden'))
      .filter((part) => part.getBoundingClientRect().left < -1 || part.getBoundingClientRect().right > innerWidth + 1)
      .map((part) => part.outerHTML.slice(0, 120)),
  );
  expect(lost).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  const evil = encodeURIComponent('<img src=x onerror=alert(1)>');
  for (const values of [
    `text=${evil}&drawn=3&taken=${evil},0.1,1.99999999&at=77&temperature=NaN&topp=0&topk=-4`,
    'drawn=-1&temperature=1e9&topk=1e9&topp=1e-9&seed=-3&model=other&at=-9',
    `text=&drawn=5&model=gpt2`,
  ]) {
    const hostile = await openChapter(`#&${values.split('&').map((part) => `continue-text.${part}`).join('&')}`);
    expect(await hostile.figure.innerText(), values).not.toMatch(/NaN|undefined|Infinity|∞|\[object/);
    expect(await hostile.figure.locator('img, script').count()).toBe(0);
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  it(`in the ${colorScheme} theme axe finds nothing`, async () => {
    const { page, figure } = await openChapter('#continue-text&continue-text.drawn=9&continue-text.at=3', { colorScheme });
    await figure.getByText('Numbers', { exact: true }).click();
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(async () => {
      interface Found { violations: { id: string; nodes: { target: string[]; html: string }[] }[] }
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Found> } };
      const found = await axe.run({ include: [['#continue-text']] }, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } } });
      return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`));
    });
    expect(violations).toEqual([]);
  });
}
