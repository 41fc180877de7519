// For tests of the copy that a browser keeps: the built book in a folder that a test may change, behind an address that
// stays the same while its server stops and starts.

import { spawn, type ChildProcess } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { writeServiceWorker } from '../../web/copies.mjs';
import { dist } from './figures.ts';
import { root, temporaryFolder } from './site.ts';

export interface CopiedSite {
  folder: string;
  /** Ends with a slash. */
  address: string;
  stop(): Promise<void>;
  /** Serves `folder`, or another one, at the same address. */
  start(folder?: string): Promise<void>;
  close(): Promise<void>;
}

export async function copiedSite(name: string): Promise<CopiedSite> {
  const folder = await temporaryFolder(name);
  await cp(dist, folder, { recursive: true });
  let server: ChildProcess | undefined;
  const site: CopiedSite = {
    folder,
    address: '',
    async start(from = folder) {
      const port = new URL(site.address || 'http://localhost:0').port || '0';
      const started = spawn('node', [join(root, 'web/serve.mjs'), '--port', port, '--dir', from]);
      server = started;
      site.address = await new Promise<string>((found, failed) => {
        started.stdout.on('data', (text) => found(/http:\S+/.exec(String(text))![0]));
        started.stderr.on('data', (text) => failed(new Error(String(text))));
      });
    },
    async stop() {
      const stopped = server;
      server = undefined;
      if (!stopped || stopped.exitCode !== null) return;
      await new Promise<void>((done) => {
        stopped.once('exit', () => done());
        stopped.kill();
      });
    },
    async close() {
      await site.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await site.start();
  return site;
}

/** Waits until Settings says how it stands, and returns the sentence. */
export async function copyIs(page: Page, how: 'kept' | 'none' | 'saving'): Promise<string> {
  const line = page.locator(`.copy-kept[data-copy=${how}]`);
  await line.waitFor({ state: 'attached', timeout: 60_000 });
  return (await line.textContent())!;
}

/** Another edition of the site in `folder`: its pages, a script and the worker carry the word, under the names that a build would give. */
export async function publish(folder: string, word: string): Promise<void> {
  const scripts = await readdir(join(folder, 'assets'));
  const early = scripts.find((name) => /^early-\w+\.js$/.test(name))!;
  const named = `early-${word.toUpperCase().padEnd(8, '0').slice(0, 8)}.js`;
  await rename(join(folder, 'assets', early), join(folder, 'assets', named));
  const change = async (place: string, write: (text: string) => string) => {
    const path = join(folder, place);
    await writeFile(path, write(await readFile(path, 'utf8')));
  };
  await change(`assets/${named}`, (text) => `${text}\ndocument.documentElement.dataset.edition = '${word}';\n`);
  await change('assets/worker.js', (text) => `/* ${word} */ self.edition ??= '${word}';\n${text}`);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.html')) await change(name, (text) => text.replaceAll(`assets/${early}`, `assets/${named}`).replace(/<title>[^<]*/, `<title>${word}`));
  }
  await writeServiceWorker(folder, { bundle: true, logLevel: 'warning' }, false);
}

/** What a page has of an edition: its text, the script that it ran, the worker that it would start. */
export function editionOf(page: Page): Promise<[title: string, script: string | undefined, worker: string | undefined]> {
  return page.evaluate(async () => {
    const worker = await fetch('assets/worker.js').then((answer) => answer.text());
    return [document.title, document.documentElement.dataset['edition'], /^\/\* (\w+) \*\//.exec(worker)?.[1]];
  });
}
