// The same bits and the same displayed numbers in Chromium, Firefox and WebKit: a trace, trainings, and every figure of
// every chapter as it stands when it has come alive.

import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { little, native, root, serveWithEngine, type Site } from '../browser/site.ts';
import { type Browser, browsers, type Tab } from './tabs.ts';

const text = "The animal didn't cross the street because it was too tired";
/** These show what they measured on the machine, which no two runs share. */
const measured = ['price-here'];

/** What an engine made of the same questions. */
interface Bits {
  isolated: boolean;
  fingerprints: string[];
  curves: Record<string, string>;
}

interface Shown {
  id: string;
  title: string;
  description: string;
  picture: string;
  table: string;
}

let site: Site & { folder: string };
const tabs = new Map<string, Tab>();
const here = browsers.filter(({ missing }) => !missing);
for (const { name, missing } of browsers) if (missing) console.log(`skipped: ${name}, ${missing}`);

beforeAll(async () => {
  site = await serveWithEngine();
  await rm(join(site.folder, 'service-worker.js')); // the copy a browser keeps has tests of its own
  for (const { name, open } of here) tabs.set(name, await open());
});
afterAll(async () => {
  await Promise.allSettled([...tabs.values()].map((tab) => tab.close()));
  await site?.close();
});

const bits = (tab: Tab) =>
  tab.ask<Bits>(`
    const fingerprints = [];
    for (const threads of [1, 2]) {
      const engine = window.lookback.engineWith(threads);
      fingerprints.push(await engine.fingerprint(await engine.run({ text: ${JSON.stringify(text)} })));
      engine.close();
    }
    const curves = {};
    for (const name of ['head', 'repeats']) {
      const engine = window.lookback.engineWith(1);
      const training = await new Promise((resolve, reject) => {
        let one = null;
        const look = () => one && one.losses.length >= 60 && (one.pause(), resolve(one));
        engine.train(name, { seed: 9 }, { onProgress: look }).then((begun) => ((one = begun), one.run()), reject);
      });
      // Numbers that differ by a bit differ in their shortest decimals.
      curves[name] = training.losses.slice(0, 60).join(' ');
      training.dispose();
    }
    return { isolated: crossOriginIsolated, fingerprints, curves };`);

/** Every figure of the page, brought to life in turn. */
const shown = (tab: Tab) =>
  tab.ask<Shown[]>(`
    const skipped = ${JSON.stringify(measured)};
    const words = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
    const all = [];
    for (const figure of document.querySelectorAll('[data-figure]')) {
      if (skipped.includes(figure.localName)) continue;
      figure.scrollIntoView();
      for (let turn = 0; !(figure.stale && !figure.hasAttribute('aria-busy') && (figure.error || !figure.stale())); turn++) {
        if (turn > 2400) throw new Error(figure.id + ' does not come to rest: ' + JSON.stringify({ defined: figure.stale !== undefined, busy: figure.hasAttribute('aria-busy'), near: figure.near, outdated: figure.outdated, error: figure.error }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      if (figure.error) throw new Error(figure.id + ': ' + figure.error);
      await figure.updateComplete;
      figure.querySelector('.figure-data summary')?.click();
      for (let turn = 0; figure.querySelector('.figure-data') && !figure.querySelector('.figure-table'); turn++) {
        if (turn > 2400) throw new Error(figure.id + ' does not open its numbers');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await figure.updateComplete;
      all.push({
        id: figure.id,
        title: words(figure.querySelector('.figure-title')),
        description: words(document.getElementById(figure.id + '-description')),
        picture: words(figure.querySelector('.figure-picture')),
        table: words(figure.querySelector('.figure-table')),
      });
    }
    return all;`);

async function each<T>(ask: (tab: Tab) => Promise<T>, browser: Browser): Promise<T> {
  return ask(tabs.get(browser.name)!);
}

describe('bits', () => {
  it('of a trace and of trainings are the native program’s, in every engine', async () => {
    const { stdout } = await promisify(execFile)(native, ['inside', '--json', '--model', little, '--text', text], { maxBuffer: 1 << 26 });
    const { fingerprint } = JSON.parse(stdout) as { fingerprint: string };
    let curves: Bits['curves'] | null = null;
    for (const browser of here) {
      await tabs.get(browser.name)!.goto(`${site.address}engine.html`);
      const seen = await each(bits, browser);
      expect(seen.isolated, browser.name).toBe(true);
      expect(seen.fingerprints, browser.name).toEqual([fingerprint, fingerprint]);
      curves ??= seen.curves;
      expect(seen.curves, browser.name).toEqual(curves);
      expect(Object.values(seen.curves).every((curve) => curve.split(' ').length === 60)).toBe(true);
    }
  });
});

describe('displayed numbers', async () => {
  const chapters = (await readdir(join(root, 'chapters'))).filter((name) => /^\d\d-.*\.md$/.test(name)).map((name) => name.replace(/md$/, 'html'));

  it.each(chapters)('%s', async (chapter) => {
    let first: Shown[] | null = null;
    for (const browser of here) {
      await tabs.get(browser.name)!.goto(site.address + chapter);
      const seen = await each(shown, browser);
      first ??= seen;
      expect(seen.length, browser.name).toBeGreaterThan(0);
      for (const [at, figure] of seen.entries()) expect(figure, `${browser.name}: ${figure.id}`).toEqual(first[at]);
    }
  });
});
