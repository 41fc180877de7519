// The zip of the book: unpacked and started on a machine, it needs nobody. Both launchers send what the browser wants, and
// say in one sentence what is wrong.

import { execFile, spawn } from 'node:child_process';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeZip } from '../../web/copies.mjs';
import { useBook } from './book.ts';
import { dist, settled } from './figures.ts';
import { complaintsOf, launch, temporaryFolder } from './site.ts';

const run = promisify(execFile);
const zip = join(dist, 'lookback.zip');
const openPage = useBook();
let browser: Browser;
let folder: string;
let book: string;

beforeAll(async () => {
  folder = await temporaryFolder('zip');
  book = join(folder, 'lookback');
  // A program that is not the one that packed it.
  await run('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', zip, folder]);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a launcher; what it said, when it is open or has ended. */
async function start(command: string, ...args: string[]) {
  const server = spawn(command, args, { cwd: folder });
  const ended = new Promise<number | null>((done) => server.once('exit', done));
  let said = '';
  const opened = new Promise<void>((done) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (text) => {
        said += text;
        if (/http:\S+/.test(said)) done();
      });
    }
  });
  const code = await Promise.race([opened.then(() => null), ended]);
  const stop = async () => {
    server.kill();
    await ended;
  };
  return { said: said.trim(), code, stop, address: /http:\S+/.exec(said)?.[0] ?? '' };
}

const ways: [string, ...string[]][] = [['sh', 'lookback/start.sh'], ['python3', 'lookback/serve.py'], ['node', 'lookback/serve.mjs']];

describe.each(ways)('%s %s', (command, ...args) => {
  it('serves the book with the right headers; a chapter comes alive with everything else out of reach', async () => {
    const server = await start(command, ...args, '--port', '0');
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    try {
      expect(server.said).toMatch(/^The book is open at http:\/\/localhost:\d+\/ \(end with Ctrl\+C\)\.$/);
      const others: string[] = [];
      await context.route((address) => !address.href.startsWith(server.address), (route) => {
        others.push(route.request().url());
        return route.abort();
      });
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${server.address}03-one-head.html`);
      await settled(page.locator('one-head').first());
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      expect(others).toEqual([]);
      expect(complaints).toEqual([]);
      const wasm = (await readdir(join(book, 'book/wasm/simd'))).filter((name) => name.startsWith('lookback'));
      const places = ['', 'glossary.html', 'embed.js', 'icon.svg', ...wasm.map((name) => `wasm/simd/${name}`), 'models/gpt2/vocab.json', 'nothing.html'];
      const told = await page.evaluate(async (all) => Promise.all(all.map(async (place) => {
        const { status, headers } = await fetch(place);
        const [type, policy, isolation] = ['content-type', 'content-security-policy', 'cross-origin-embedder-policy'].map((name) => headers.get(name));
        return [status, type!.split(';')[0], policy?.includes("default-src 'none'") && isolation === 'require-corp'];
      })), places);
      expect(told.slice(0, -1)).toEqual(places.slice(0, -1).map((place) => {
        const types: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', svg: 'image/svg+xml', wasm: 'application/wasm', json: 'application/json' };
        return [200, types[place.split('.')[1]!] ?? 'text/html', true];
      }));
      expect(told.at(-1)![0]).toBe(404);
    } finally {
      await context.close();
      await server.stop();
    }
  });

  it('says in one sentence what is wrong', async () => {
    const first = await start(command, ...args, '--port', '0');
    try {
      const port = new URL(first.address).port;
      const second = await start(command, ...args, '--port', port);
      expect([second.code, second.said]).toEqual([1, `Port ${port} is in use: choose another one with --port NUMBER.`]);
      const third = await start(command, ...args, '--port', 'many');
      expect([third.code, third.said]).toEqual([2, '--port must be a whole number from 0 to 65535, not "many".']);
      const fourth = await start(command, ...args, '--colour');
      expect(fourth.code).toBe(2);
      expect(fourth.said.split('\n')).toHaveLength(1);
      expect(fourth.said).toContain('Use --port NUMBER');
    } finally {
      await first.stop();
    }
  });
});

it('is the site, whole; the same site gives the same bytes on any clock', async () => {
  const copy = join(folder, 'site');
  await cp(dist, copy, { recursive: true, filter: (path) => !path.endsWith('.zip') });
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Pacific/Kiritimati';
  await writeZip(copy);
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  expect((await readFile(join(copy, 'lookback.zip'))).equals(await readFile(zip))).toBe(true);
  const files = async (from: string) => (await readdir(from, { recursive: true })).filter((place) => /\.\w+$/.test(place) && !/\.(map|zip)$/.test(place)).sort();
  expect(await files(join(book, 'book'))).toEqual(await files(dist));
});

it('is linked from the contents, and is not kept by browsers', async () => {
  const page = await openPage('index.html');
  const link = page.locator('main a[href="lookback.zip"]');
  expect(await link.count()).toBe(1);
  const [answer] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect((await readFile((await answer.path())!)).equals(await readFile(zip))).toBe(true);
  expect(await readFile(join(dist, 'service-worker.js'), 'utf8')).not.toContain('lookback.zip');
});
