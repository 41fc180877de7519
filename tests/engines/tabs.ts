// One way to drive a page in three engines: Chromium (playwright), Firefox (WebDriver BiDi by puppeteer) and WebKitGTK
// (plain WebDriver calls). What a test asks of a page is the body of an async function.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch as launchFirefox } from 'puppeteer-core';
import { launch as launchChromium } from '../browser/site.ts';

export interface Tab {
  goto(address: string): Promise<void>;
  /** Runs the body of an async function in the page; what it returns comes back as JSON. */
  ask<T>(body: string): Promise<T>;
  /** A PNG of what is on the screen. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Browser {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  /** Why it cannot be started here; empty when it can. */
  missing: string;
  open(): Promise<Tab>;
}

const size = { width: 1000, height: 900 };
const firefox = '/usr/bin/firefox-esr';
const webkitDriver = '/usr/bin/WebKitWebDriver';
const miniBrowser = ['4.1', '6.0', '4.0'].map((version) => `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}/MiniBrowser`).find(existsSync);

const without = (...paths: (string | undefined)[]) => (paths.every((path) => path && existsSync(path)) ? '' : 'it is not installed');

export const browsers: Browser[] = [
  { name: 'Chromium', missing: '', open: openChromium },
  { name: 'Firefox', missing: without(firefox), open: openFirefox },
  { name: 'WebKit', missing: without(webkitDriver, miniBrowser, '/usr/bin/xvfb-run'), open: openWebKit },
];

const asExpression = (body: string) => `(async () => { ${body} })().then((value) => JSON.stringify(value ?? null))`;

async function openChromium(): Promise<Tab> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
  return {
    goto: async (address) => void (await page.goto(address)),
    ask: async (body) => JSON.parse((await page.evaluate(asExpression(body))) as string),
    picture: () => page.screenshot(),
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<Tab> {
  const browser = await launchFirefox({
    browser: 'firefox',
    executablePath: firefox,
    protocolTimeout: 600_000,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  });
  const page = await browser.newPage();
  await page.setViewport(size);
  return {
    goto: async (address) => void (await page.goto(address)),
    ask: async (body) => JSON.parse((await page.evaluate(asExpression(body))) as string),
    picture: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}

async function openWebKit(): Promise<Tab> {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), 'lookback-webkit-'));
  const driver: ChildProcess = spawn('xvfb-run', ['-a', '-s', '-screen 0 1200x1000x24', webkitDriver, '-p', String(port)], {
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', HOME: home, XDG_RUNTIME_DIR: home, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
    detached: true, // with its own group, so that all of it can be ended
  });
  const end = async () => {
    try {
      process.kill(-driver.pid!, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`);
    return value;
  };
  try {
    await listening(port);
    const options = { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } };
    const { sessionId } = await call<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch: options } });
    const session = `/session/${sessionId}`;
    await call('POST', `${session}/timeouts`, { script: 600_000, pageLoad: 120_000 });
    await call('POST', `${session}/window/rect`, size);
    return {
      goto: (address) => call('POST', `${session}/url`, { url: address }),
      async ask(body) {
        const script = `const done = arguments[arguments.length - 1]; ${asExpression(body)}.then((json) => done({ json }), (problem) => done({ problem: String(problem) }));`;
        const { json, problem } = await call<{ json?: string; problem?: string }>('POST', `${session}/execute/async`, { script, args: [] });
        if (problem !== undefined) throw new Error(problem);
        return JSON.parse(json!);
      },
      picture: async () => Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'),
      async close() {
        await call('DELETE', session).catch(() => {});
        await end();
      },
    };
  } catch (problem) {
    await end();
    throw problem;
  }
}

/** Waits until somebody answers at a port. */
async function listening(port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return void (await fetch(`http://127.0.0.1:${port}/status`));
    } catch (problem) {
      if (attempt === 300) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
