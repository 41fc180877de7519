// The book in use, the same in Chromium, Firefox and WebKit: after every step (steps.ts) all three say the same, and none
// has anything to complain of.

import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeServiceWorker } from '../../web/copies.mjs';
import { chapters, dist } from '../browser/figures.ts';
import { serve, type Site, temporaryFolder } from '../browser/site.ts';
import { askFigures, type Shown } from './asked.ts';
import { type Step, steps } from './steps.ts';
import { browsers, type Tab } from './tabs.ts';

/** What every page of the book begins with here: WebKit's driver does not tell what a page complains of, so the page does. */
const listen = `{
  const complaints = (globalThis.complaints = []);
  const words = (given) => (given instanceof Error ? given.name + ': ' + given.message : String(given));
  addEventListener('error', (event) => complaints.push(words(event.error ?? event.message ?? event.target.outerHTML)), true);
  addEventListener('unhandledrejection', (event) => complaints.push(words(event.reason)));
  addEventListener('securitypolicyviolation', (event) => complaints.push(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample));
  const tell = console.error;
  console.error = (...given) => (complaints.push(given.map(words).join(' ')), tell(...given));
}
`;

/** A figure and the page around it. */
interface Seen extends Shown {
  page: { depth: string; theme: string; base: string; paper: string; paragraphs: number };
  complaints: string[];
}

const seen = (tab: Tab, figure: string) =>
  askFigures<Seen>(tab, `
    const figure = document.getElementById(${JSON.stringify(figure)});
    const page = { ...document.documentElement.dataset };
    document.activeElement?.blur();
    const paragraphs = [...document.querySelectorAll('main p:not([data-figure] *)')].filter((node) => node.checkVisibility()).length;
    return {
      ...(await shown(figure)),
      page: { depth: page.depth, theme: page.theme, base: page.base, paper: getComputedStyle(document.body).backgroundColor, paragraphs },
      complaints: globalThis.complaints,
    };`);

/** What a browser shows after each step; every step changes something. */
async function walk(tab: Tab, address: string, way: readonly Step[]): Promise<Seen[]> {
  const all: Seen[] = [];
  await tab.goto(address);
  try {
    for (const { figure, what, act } of way) {
      const before = await seen(tab, figure);
      await act(tab);
      await tab.away();
      const after = await seen(tab, figure);
      expect(JSON.stringify(after), `${figure} ${what}`).not.toBe(JSON.stringify(before));
      expect(after.complaints, `${figure} ${what}`).toEqual([]);
      all.push(after);
    }
  } finally {
    await tab.ask('localStorage.clear();'); // the settings
  }
  return all;
}

let folder: string;
let site: Site;
const tabs = new Map<string, Tab>();
const here = browsers.filter(({ missing }) => !missing);
for (const { name, missing } of browsers) if (missing) console.log(`skipped: ${name}, ${missing}`);

beforeAll(async () => {
  folder = await temporaryFolder('use');
  await cp(dist, folder, { recursive: true });
  const early = join(folder, 'assets', (await readdir(join(folder, 'assets'))).find((name) => /^early-\w+\.js$/.test(name))!);
  await writeFile(early, listen + (await readFile(early, 'utf8')));
  await writeServiceWorker(folder, { bundle: true, logLevel: 'warning' }, false);
  site = await serve(folder);
  for (const { name, open } of here) tabs.set(name, await open());
});
afterAll(async () => {
  await Promise.allSettled([...tabs.values()].map((tab) => tab.close()));
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the same steps show the same', async () => {
  it.each(await chapters())('%s', async (chapter) => {
    const way = steps[chapter.slice(0, 2)]!;
    expect(way.length).toBeGreaterThan(0);
    let first: Seen[] | null = null;
    for (const { name } of here) {
      const all = await walk(tabs.get(name)!, site.address + chapter, way);
      first ??= all;
      for (const [at, { figure, what }] of way.entries()) expect(all[at], `${name}: ${figure} ${what}`).toEqual(first[at]);
    }
  });
});
