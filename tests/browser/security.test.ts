// What the pages may do, and that text from a link stays text. What readers type and open is in security-typed.test.ts, the
// whole book in use in security-use.test.ts.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { dist, settled } from './figures.ts';

const openPage = useBook();
const evil = `<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"'&`;
/** A page beside it that may parse what it likes. */
const withoutPolicy = (page: Page) => page.context().newPage();
const pages = (await readdir(dist)).filter((name) => name.endsWith('.html'));

describe.each(pages)('%s', (name) => {
  it('has a strict policy, no script of its own and no handler in its text', async () => {
    const page = await withoutPolicy(await openPage('glossary.html'));
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
      'require-trusted-types-for': "'script'",
      'trusted-types': 'lit-html lookback',
    });
    expect(seen.inline).toEqual([]);
    expect(seen.handlers).toEqual([]);
  });
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
    const parts = await (await withoutPolicy(page)).evaluate((text) => [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('*')].map((node) => node.localName), saved);
    expect(parts).toContain('text');
    expect(parts.filter((part) => ['img', 'script', 'parsererror'].includes(part))).toEqual([]);
  });
});

it.each(['https://example.org', 'http://localhost:9', 'http://127.0.0.1:9'])('a reader’s own address at %s may be asked', async (address) => {
  const page = await openPage('03-one-head.html');
  await page.route(`${address}/**`, (route) => route.fulfill({ body: 'here', headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } }));
  expect(await page.evaluate(async (url) => fetch(url).then((answer) => answer.text(), (error) => String(error)), `${address}/config.json`)).toBe('here');
});
