// Which addresses become scripts: those of the site that the script itself comes from.

import { afterEach, expect, it, vi } from 'vitest';

const own = new URL('../../web/engine/', import.meta.url).href;
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function fresh(place: string, policies: string[] = []) {
  const { href, origin } = new URL(place);
  vi.stubGlobal('location', { href, origin });
  // A browser's TrustedScriptURL is an object that a plain address is not.
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, { createScriptURL }: { createScriptURL(address: string): string }) {
      policies.push(name);
      return { createScriptURL: (address: string) => ({ trusted: createScriptURL(address) }) };
    },
  });
  return (await import('../../web/engine/own-script.ts')).ownScript as (address: string) => unknown;
}

it('takes its own, by one policy that is made once', async () => {
  const policies: string[] = [];
  const ownScript = await fresh(`${own}page.html`, policies);
  expect(policies).toEqual([]);
  expect(ownScript(`${own}worker.js`)).toEqual({ trusted: `${own}worker.js` });
  expect(ownScript('training.js')).toEqual({ trusted: `${own}training.js` });
  expect(policies).toEqual(['lookback']);
});

it.each(['https://example.org/x.js', '//example.org/x.js', 'http://localhost/x.js', 'data:text/javascript,1', 'blob:null/1', 'blob:https://example.org/1', 'javascript:alert(1)', 'about:blank'])('refuses %s', async (address) => {
  const ownScript = await fresh(`${own}page.html`);
  expect(() => ownScript(address)).toThrow(TypeError);
});

it('in a page of others is a blob that imports the script, and still refuses the page’s', async () => {
  const ownScript = await fresh('https://example.org/page.html');
  const { trusted } = ownScript(`${own}worker.js`) as { trusted: string };
  expect(trusted).toMatch(/^blob:/);
  const { resolveObjectURL } = await import('node:buffer');
  expect(await resolveObjectURL(trusted)!.text()).toBe(`import "${own}worker.js";`);
  expect(() => ownScript('worker.js')).toThrow(TypeError);
  expect(() => ownScript('https://example.org/worker.js')).toThrow(TypeError);
});

it('without Trusted Types is a plain address', async () => {
  const { href, origin } = new URL(`${own}page.html`);
  vi.stubGlobal('location', { href, origin });
  const { ownScript } = await import('../../web/engine/own-script.ts');
  expect(ownScript(`${own}worker.js`)).toBe(`${own}worker.js`);
  expect(() => ownScript('https://example.org/x.js')).toThrow(TypeError);
});
