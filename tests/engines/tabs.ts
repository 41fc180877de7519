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
  /** Clicks on the first element that a selector finds; it must be there. */
  click(selector: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** Presses a key by its name: ArrowRight, Enter, … */
  press(key: Key): Promise<void>;
  /** Moves the pointer into the corner, off all that answers to it. */
  away(): Promise<void>;
  /** A PNG of an element, whole. */
  picture(selector: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** The keys that figures listen to, as WebDriver writes them. */
const keys = { ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Home: '\uE011', End: '\uE010', Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004' };
export type Key = keyof typeof keys;

export interface Browser {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  /** Why it cannot be started here; empty when it can. */
  missing: string;
  /** A tab of its own browser, 1000 pixels wide and of a height. */
  open(height?: number): Promise<Tab>;
}

const sizeOf = (height = 900) => ({ width: 1000, height });
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

async function openChromium(height?: number): Promise<Tab> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: sizeOf(height), reducedMotion: 'reduce', serviceWorkers: 'allow' });
  return {
    goto: async (address) => void (await page.goto(address)),
    ask: async (body) => JSON.parse((await page.evaluate(asExpression(body))) as string),
    click: (selector) => page.locator(selector).first().click(),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    away: () => page.mouse.move(0, 0),
    picture: (selector) => page.locator(selector).first().screenshot(),
    close: () => browser.close(),
  };
}

async function openFirefox(height?: number): Promise<Tab> {
  const browser = await launchFirefox({
    browser: 'firefox',
    executablePath: firefox,
    protocolTimeout: 600_000,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  });
  const page = await browser.newPage();
  await page.setViewport(sizeOf(height));
  return {
    goto: async (address) => void (await page.goto(address)),
    ask: async (body) => JSON.parse((await page.evaluate(asExpression(body))) as string),
    click: (selector) => page.click(selector),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    away: () => page.mouse.move(0, 0),
    picture: async (selector) => Buffer.from(await (await page.$(selector))!.screenshot()),
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

async function openWebKit(height?: number): Promise<Tab> {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), 'lookback-webkit-'));
  const driver: ChildProcess = spawn('xvfb-run', ['-a', '-s', '-screen 0 1200x2800x24', webkitDriver, '-p', String(port)], {
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
    await call('POST', `${session}/window/rect`, sizeOf(height));
    const element = async (selector: string) => {
      const found = await call<Record<string, string>>('POST', `${session}/element`, { using: 'css selector', value: selector });
      return `${session}/element/${Object.values(found)[0]}`;
    };
    const input = (source: object, actions: object[]) => call<void>('POST', `${session}/actions`, { actions: [{ ...source, actions }] });
    const strike = (signs: string[]) => input({ type: 'key', id: 'keyboard' }, signs.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]));
    return {
      goto: (address) => call('POST', `${session}/url`, { url: address }),
      async ask(body) {
        const script = `const done = arguments[arguments.length - 1]; ${asExpression(body)}.then((json) => done({ json }), (problem) => done({ problem: String(problem) }));`;
        const { json, problem } = await call<{ json?: string; problem?: string }>('POST', `${session}/execute/async`, { script, args: [] });
        if (problem !== undefined) throw new Error(problem);
        return JSON.parse(json!);
      },
      click: async (selector) => call('POST', `${await element(selector)}/click`, {}),
      type: (text) => strike([...text]),
      press: (key) => strike([keys[key]]),
      // Two steps: a pointer that the driver takes to be there already would not move.
      away: () => input({ type: 'pointer', id: 'mouse' }, [2, 0].map((at) => ({ type: 'pointerMove', x: at, y: at }))),
      async picture(selector) {
        // From the top of the window, and once it is painted: what is not would be black.
        const script = 'document.querySelector(arguments[0]).scrollIntoView(); setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(arguments[1])), 200);';
        await call('POST', `${session}/execute/async`, { script, args: [selector] });
        return Buffer.from(await call<string>('GET', `${await element(selector)}/screenshot`), 'base64');
      },
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
