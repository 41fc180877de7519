// What browser tests share: Chromium, a site served as `./build.sh serve` serves it, and the native program.

import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

export const root = resolve(import.meta.dirname, '../..');
/** The little model that the site ships. */
export const little = join(root, 'web/public/models/little');
/** A model's files, by the hub's names. */
export const modelFiles = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
export const native = process.env['LOOKBACK_NATIVE'] ?? join(root, 'build/native/lookback');
const run = promisify(execFile);

/** A browser that asks nobody for anything by itself. */
export const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
  });
  // Pages keep no copy of the site unless a test asks for it.
  const open = browser.newContext.bind(browser);
  browser.newContext = (options) => open({ serviceWorkers: 'block', ...options });
  return browser;
}

export interface Site {
  /** Ends with a slash. */
  address: string;
  close(): Promise<void>;
}

export async function serve(folder: string): Promise<Site> {
  const server = spawn('node', [join(root, 'web/serve.mjs'), '--port', '0', '--dir', folder]);
  const address = await new Promise<string>((found, failed) => {
    server.stdout.on('data', (text) => {
      const match = /http:\S+/.exec(String(text));
      if (match) found(match[0]);
    });
    server.stderr.on('data', (text) => failed(new Error(String(text))));
  });
  return {
    address,
    async close() {
      server.kill();
    },
  };
}

/** The book in web/dist, copied to `folder`, with a page engine.html that offers the engine's client as `window.lookback`. */
export async function serveWithEngine(): Promise<Site & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lookback-site-'));
  await cp(process.env['LOOKBACK_DIST'] ?? join(root, 'web/dist'), folder, { recursive: true });
  const [littleFolder] = (await readdir(join(folder, 'models'))).filter((name) => name.startsWith('little-'));
  const options = ['--bundle', '--format=esm', `--define:LITTLE="models/${littleFolder}/"`, `--outfile=${join(folder, 'engine.js')}`];
  await run('npx', ['--prefix', 'web', 'esbuild', 'tests/browser/engine-page.ts', ...options], { cwd: root });
  await writeFile(
    join(folder, 'engine.html'),
    '<!doctype html><title>engine</title><link rel="icon" href="icon.svg"><script type="module" src="engine.js"></script><input type="file" multiple>',
  );
  const site = await serve(folder);
  return {
    address: site.address,
    folder,
    async close() {
      await site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a file of tests about the engine works with: each test opens one page, which must end without a complaint. */
export interface Suite {
  browser: Browser;
  site: Site;
  /** For checkpoints; removed in the end. */
  folder: string;
  page: Page;
  complaints: string[];
  /** Opens the test's page at a place of the site. */
  /** `prepare` runs before anything is fetched. */
  open(place: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>): Promise<Page>;
}

export function suiteWithEngine(name: string): Suite {
  const open: Suite['open'] = async (place, options, prepare) => {
    suite.page = await suite.browser.newPage(options);
    suite.complaints = complaintsOf(suite.page);
    await prepare?.(suite.page);
    await suite.page.goto(suite.site.address + place);
    return suite.page;
  };
  const suite = { complaints: [], open } as unknown as Suite;
  beforeAll(async () => {
    [suite.browser, suite.site, suite.folder] = await Promise.all([launch(), serveWithEngine(), temporaryFolder(name)]);
  });
  afterAll(async () => {
    await suite.browser?.close();
    await suite.site?.close();
    if (suite.folder) await rm(suite.folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(suite.complaints).toEqual([]);
    await suite.page?.close();
  });
  return suite;
}

/** What a page complained of: script errors and refusals by the content security policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

/** `lookback inside --json`, parsed. */
export async function inside(...args: string[]): Promise<any> {
  const { stdout } = await run(native, ['inside', '--json', ...args], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/** A new folder below the system's temporary one. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `lookback-${name}-`));
  await mkdir(folder, { recursive: true });
  return folder;
}
