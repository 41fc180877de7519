// What the tests about sources and store share: a bare page with their worker, a faulty host, and a little checkpoint.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type CheckpointOptions, writeCheckpoint } from './checkpoint.ts';
import { type FaultyServer, faultyServer } from './faulty-server.ts';
import type { Ask } from './remote-page.ts';
import type { Order, Outcome } from './remote-worker.ts';
import { launch, root, temporaryFolder } from './site.ts';

declare const window: { ask: Ask };

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Two pieces' worth of token table, two layers, and the mask buffers that published files carry. */
const checkpoint: CheckpointOptions = { shape: { n_layer: 2, n_head: 2, n_embd: 64, n_positions: 64, vocab_size: 20000 }, seed: 11, maskBuffers: true };

export interface RemoteSuite {
  browser: Browser;
  server: FaultyServer;
  page: Page;
  weights: Buffer;
  address: string;
  load(order?: Partial<Order>): Promise<Outcome>;
  call<T>(name: string, ...args: unknown[]): Promise<T>;
  /** Another tab of the same reader. */
  tab(): Promise<Page>;
}

export const order = (suite: RemoteSuite, changes: Partial<Order> = {}): Order => ({
  origin: { kind: 'hub', repo: 'someone/model', revision: 'main' },
  shelf: 'opfs', hub: suite.server.address, ids: [3, 1, 4, 1, 5], pauses: [20, 40, 80], silence: 4000, ...changes,
});

export function remoteSuite(): RemoteSuite {
  const suite = {} as RemoteSuite;
  let closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const folder = await temporaryFolder('remote');
    closing.push(() => rm(folder, { recursive: true, force: true }));
    await writeCheckpoint(folder, checkpoint);
    const files = new Map<string, Buffer>();
    for (const name of ['config.json', 'model.safetensors']) files.set(name, await readFile(join(folder, name)));
    suite.weights = files.get('model.safetensors')!;
    suite.server = await faultyServer(files);
    for (const [from, to] of [['remote-page.ts', 'page.js'], ['remote-worker.ts', 'worker.js']]) {
      await promisify(execFile)('npx', ['--prefix', 'web', 'esbuild', `tests/browser/${from}`, '--bundle', '--format=esm', `--outfile=${join(folder, to!)}`], { cwd: root });
    }
    const site = createServer(async (request, response) => {
      const name = request.url!.split('/').at(-1)!;
      if (!name) return response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="page.js"></script>');
      const path = request.url!.includes('/wasm/') ? join(root, 'build/wasm/wasm', name) : join(folder, name);
      response.setHeader('Content-Type', name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript');
      return response.end(await readFile(path));
    });
    await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
    suite.address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    suite.browser = await launch();
    closing.push(() => suite.browser.close(), () => suite.server.close(), () => new Promise((done) => site.close(done)), async () => site.closeAllConnections());
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    closing = [];
  });
  beforeEach(async () => {
    suite.server.reset();
    const context = await suite.browser.newContext();
    suite.tab = async () => {
      const page = await context.newPage();
      await page.goto(suite.address);
      await page.waitForFunction('window.ask');
      return page;
    };
    suite.page = await suite.tab();
  });
  afterEach(() => suite.page?.context().close());

  suite.call = <T>(name: string, ...args: unknown[]) => suite.page.evaluate(([what, rest]) => window.ask(what as string, ...(rest as unknown[])), [name, args]) as Promise<T>;
  suite.load = (changes) => suite.call<Outcome>('load', order(suite, changes));
  return suite;
}
