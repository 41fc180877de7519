// Lighthouse's word on every chapter, as on a phone: accessibility, best practices and search engines without a fault.

import { createServer } from 'node:net';
import lighthouse from 'lighthouse';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chapters, dist } from './figures.ts';
import { quiet, serve, type Site } from './site.ts';

const asserted = ['accessibility', 'best-practices', 'seo'] as const;
/** Told, not asserted: it is the machine's as much as the book's. */
const told = ['performance'] as const;

let browser: Browser;
let site: Site;
let port: number;

beforeAll(async () => {
  port = await freePort();
  const args = ['--no-sandbox', '--disable-gpu', ...quiet, `--remote-debugging-port=${port}`];
  [browser, site] = await Promise.all([chromium.launch({ executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium', args }), serve(dist)]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => found(free));
    });
  });
}

it('finds no fault with any chapter', async () => {
  for (const chapter of await chapters()) {
    const begun = performance.now();
    const result = await lighthouse(site.address + chapter, { port, logLevel: 'silent', onlyCategories: [...asserted, ...told], maxWaitForLoad: 120_000 });
    const { categories, audits, runtimeError } = result!.lhr;
    expect(runtimeError?.message).toBeUndefined();
    const score = (name: string) => Math.round((categories[name]!.score ?? 0) * 100);
    console.log(`${chapter}: ${[...asserted, ...told].map((name) => `${name} ${score(name)}`).join(', ')} (${((performance.now() - begun) / 1000).toFixed(0)} s)`);
    for (const name of asserted) {
      const faults = categories[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]!.score ?? 1) < 1).map(({ id }) => `${id}: ${JSON.stringify(audits[id]!.details)?.slice(0, 600)}`);
      expect(faults, `${chapter}, ${name}`).toEqual([]);
      expect(score(name), `${chapter}, ${name}`).toBe(100);
    }
  }
}, 900_000);
