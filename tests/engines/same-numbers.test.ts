// The same bits and the same displayed numbers in Chromium, Firefox and WebKit: a trace, trainings, and every figure of
// every chapter as it stands when it has come alive.

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { little, native, root, serveWithEngine, type Site } from '../browser/site.ts';
import { askFigures, type Shown } from './asked.ts';
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

let site: Site & { folder: string };
const tabs = new Map<string, Tab>();
const here = browsers.filter(({ missing }) => !missing);
for (const { name, missing } of browsers) if (missing) console.log(`skipped: ${name}, ${missing}`);

beforeAll(async () => {
  site = await serveWithEngine();
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
const allShown = (tab: Tab) =>
  askFigures<Shown[]>(tab, `
    const all = [];
    for (const figure of document.querySelectorAll('[data-figure]')) {
      if (!${JSON.stringify(measured)}.includes(figure.localName)) all.push(await shown(figure));
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
      const seen = await each(allShown, browser);
      first ??= seen;
      expect(seen.length, browser.name).toBeGreaterThan(0);
      for (const [at, figure] of seen.entries()) expect(figure, `${browser.name}: ${figure.id}`).toEqual(first[at]);
    }
  });
});
