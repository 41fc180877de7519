// What the tests of chapter 2 share: the chapter open in Chromium, figures brought to rest, what they show read off the
// screen, and the native program's answer to the same question, written as the book writes numbers.

import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import type { Engine } from '../../web/engine/types.ts';
import { settled } from './figures.ts';
import { complaintsOf, launch, native, root, serve, type Site } from './site.ts';

export { settled };

export const names = ['search-playground', 'dot-dial', 'softmax-dial', 'sink-demo', 'blend-map', 'many-questions', 'learn-a-head'] as const;
export type Name = (typeof names)[number];

/** Asks the native program, once for each different question. */
export const lesson: Engine['lesson'] = (name, input) => truth.lesson(name, input);
const truth = nativeEngine(native);

// ------------------------------------------------------------------------------------------------------------ the page

declare global {
  interface Window {
    barIn(element: Element | null): Bar;
  }
}

let browser: Browser;
let site: Site;
let strays: string[] = [];
const pages: { page: Page; complaints: string[] }[] = [];

/** Sets up the browser and the site for a test file. After every test no page has complained or left the site. */
export function useChapter(): void {
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serve(process.env['LOOKBACK_DIST'] ?? join(root, 'web/dist'))]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  afterEach(async () => {
    const complaints = pages.flatMap((opened) => opened.complaints);
    await Promise.all(pages.splice(0).map(({ page }) => page.context().close()));
    expect(complaints).toEqual([]);
    expect(strays.splice(0)).toEqual([]);
  });
}

/** The chapter in a new context. Bars measure themselves where they are drawn, so what is compared is what is seen. */
export async function openChapter(fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  // A machine may be busy with other things.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  pages.push({ page, complaints });
  page.on('dialog', (dialog) => {
    complaints.push(`A dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(site.address) && !address.startsWith(`blob:${site.address}`) && !address.startsWith('data:')) strays.push(address);
  });
  await page.addInitScript(() => {
    window.barIn = (element) => {
      const [room, bar] = [...(element?.querySelectorAll('svg.bar > rect') ?? [])].map((rect) => rect.getBoundingClientRect());
      return { start: (bar!.x - room!.x) / room!.width, length: bar!.width / room!.width };
    };
  });
  await page.goto(`${site.address}02-searching.html${fragment}`);
  return page;
}

export interface Bar {
  /** Parts of the room it is drawn in. */
  start: number;
  length: number;
}

/** A figure alive, on the screen and at rest. Its numbers are open as a table where `numbers` says so. */
export async function figureOn(page: Page, name: Name, numbers = true): Promise<Locator> {
  const figure = page.locator(`#${name}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  if (numbers) {
    await figure.getByText('Numbers', { exact: true }).click();
    await figure.locator('.figure-table').waitFor();
  }
  return figure;
}

export async function setDepth(page: Page, depth: 'Plain' | 'Detail' | 'Math'): Promise<void> {
  await page.locator('.setting-depth label', { hasText: depth }).click();
}

/** Types a number over what a field holds, key by key, and leaves the field. */
export async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text);
  await field.press('Tab');
}

/** A finger put down, moved and taken off; a point is where it is on the screen. */
export async function dragFinger(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', [[...from]]);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', [[from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]]);
  await touch('touchEnd', []);
}

/** Everything that a figure shows: its words, its fields, its drawing. Equal states look equal. */
export async function snapshot(figure: Locator) {
  await settled(figure);
  return figure.evaluate((node) => {
    const picture = node.querySelector<HTMLElement>('.figure-picture')!;
    const drawn = [...picture.querySelectorAll('rect, circle, line, path, polygon, svg text')];
    const places = ['x', 'y', 'width', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'd', 'points', 'dy'];
    return {
      title: node.querySelector<HTMLElement>('.figure-title')!.innerText,
      text: picture.innerText,
      fields: [...picture.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(({ value }) => value),
      drawing: drawn.map((part) => places.map((name) => part.getAttribute(name) ?? '').join(' ')),
    };
  });
}

export type Snapshot = Awaited<ReturnType<typeof snapshot>>;

export const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replaceAll('\u00A0', ' ');

/** The open table's cells, row by row. */
export function tableOf(figure: Locator): Promise<string[][]> {
  return figure.locator('.figure-table tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent!)));
}

// --------------------------------------------------------------------------------------- numbers as the book shows them

/** Two decimals, a real minus sign, and never "−0.00". */
export const two = (value: number): string => decimals(value, 2);

export function decimals(value: number, count: number): string {
  const digits = Math.abs(value).toFixed(count);
  return (value < 0 && Number(digits) !== 0 ? '−' : '') + digits;
}

/** With its sign always, except at zero. */
export const signed = (value: number): string => (value > 0 && Number(two(value)) !== 0 ? '+' : '') + two(value);

/** A share of 1 as a whole percentage, below one percent with one decimal. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.05) return '<\u202F0.1\u202F%';
  return `${value.toFixed(value !== 0 && value < 0.95 ? 1 : 0)}\u202F%`;
}

/** A displayed number as a number: a real minus, a percent sign, thousands parted, powers of ten. */
export function readShown(text: string): number {
  const [mantissa = '', power] = text.replace('−', '-').split('×');
  const digits = [...(power ?? '')].map((sign) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(sign) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign) : sign === '⁻' ? '-' : '')).join('');
  return Number(mantissa.replace(/[\s\u202F%°]/g, '')) * 10 ** Number(power === undefined ? 0 : digits);
}

/** Four significant digits, or three where a power of ten is written. */
export function expectPlain(text: string, value: number): void {
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - (text.includes('×') ? 2 : 3));
  expect(Math.abs(readShown(text) - value), `“${text}” for ${value}`).toBeLessThanOrEqual(unit * 0.5001);
}

/** A bar against the part of its room that it should fill. A pixel is the finest that a screen shows. */
export function expectBar(bar: Bar, length: number, start = 0): void {
  expect(Math.abs(bar.length - length), `bar ${bar.length} for ${length}`).toBeLessThan(0.005);
  if (length > 0) expect(Math.abs(bar.start - start), `bar from ${bar.start} for ${start}`).toBeLessThan(0.005);
}
