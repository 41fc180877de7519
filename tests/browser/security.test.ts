// What the pages may do, and that text from a reader or a link stays text.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { chapters, dist, settled } from './figures.ts';

const openPage = useBook();
const evil = `<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"'&`;
const pages = (await readdir(dist)).filter((name) => name.endsWith('.html'));

describe.each(pages)('%s', (name) => {
  it('has a strict policy, no script of its own and no handler in its text', async () => {
    const page = await openPage('glossary.html');
    const markup = await readFile(join(dist, name), 'utf8');
    const seen = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html');
      return {
        policy: parsed.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? '',
        inline: [...parsed.querySelectorAll('script:not([src]), style, [style]')].map((node) => node.outerHTML),
        handlers: [...parsed.querySelectorAll('*')].flatMap((node) => [...node.attributes].filter((one) => /^on/i.test(one.name) || /^\s*javascript:/i.test(one.value)).map((one) => one.name)),
      };
    }, markup);
    const rules = Object.fromEntries(seen.policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]));
    expect(rules).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
      'style-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    });
    expect(seen.inline).toEqual([]);
    expect(seen.handlers).toEqual([]);
  });
});

it.each(await chapters())('%s breaks no rule of its policy and asks no other origin', async (name) => {
  const page = await openPage('glossary.html');
  const origin = new URL(page.url()).origin;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.addInitScript(() => {
    const broken: string[] = ((window as any).broken = []);
    document.addEventListener('securitypolicyviolation', (event) => broken.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(`${origin}/${name}`);
  const figures = await page.locator('main [data-figure], main figure').count();
  expect(figures).toBeGreaterThan(0);
  await page.evaluate(async () => {
    for (const node of document.querySelectorAll('main *')) {
      if (!node.localName.includes('-')) continue;
      node.scrollIntoView();
      await new Promise((done) => setTimeout(done, 30));
    }
  });
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => (window as any).broken)).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:') && new URL(url).origin !== origin)).toEqual([]);
});

const harm = (page: Page) => page.evaluate(() => [(window as any).pwned, document.querySelectorAll('img[src="x"]').length]);

describe.each([
  ['03-one-head.html', 'one-head'],
  ['05-heads-and-layers.html', 'head-views'],
  ['05-heads-and-layers.html', 'logit-lens'],
  ['07-the-lab.html', 'continue-text'],
])('%s: %s', (name, tag) => {
  it('shows a text from the link as text, and saves it as text', async () => {
    // The lens shows what was recorded until it is given a model.
    const page = await openPage(`${name}#${tag}&${tag}.text=${encodeURIComponent(evil)}${tag === 'logit-lens' ? '&logit-lens.model=little' : ''}`, { acceptDownloads: true });
    const figure = page.locator(tag).first();
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
    expect((await figure.textContent())!.replace(/\s/g, '')).toContain('<');
    expect(await figure.getByRole('textbox', { name: 'Text', exact: true }).first().inputValue()).toBe(evil);
    expect(await harm(page)).toEqual([undefined, 0]);
    const button = figure.getByRole('button', { name: 'Save as SVG' }).first();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const saved = await readFile((await download.path())!, 'utf8');
    const parts = await page.evaluate((text) => [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('*')].map((node) => node.localName), saved);
    expect(parts).toContain('text');
    expect(parts.filter((part) => ['img', 'script', 'parsererror'].includes(part))).toEqual([]);
  });
});

it.each(['https://example.org', 'http://localhost:9', 'http://127.0.0.1:9'])('a reader’s own address at %s may be asked', async (address) => {
  const page = await openPage('03-one-head.html');
  await page.route(`${address}/**`, (route) => route.fulfill({ body: 'here', headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } }));
  expect(await page.evaluate(async (url) => fetch(url).then((answer) => answer.text(), (error) => String(error)), `${address}/config.json`)).toBe('here');
});
