// After one visit a browser opens the book without a network, and its figures live: in Chromium, Firefox and WebKit. What
// else the copy promises is tested in Chromium (browser/offline*.test.ts).

import { afterAll, beforeAll, expect, it } from 'vitest';
import { copiedSite, type CopiedSite } from '../browser/offline-site.ts';
import { askFigures } from './asked.ts';
import { browsers, type Tab } from './tabs.ts';

let site: CopiedSite;
beforeAll(async () => {
  site = await copiedSite('offline-engines');
});
afterAll(() => site?.close());

const kept = (tab: Tab) =>
  askFigures<string>(tab, `
    const line = () => document.querySelector('.copy-kept');
    await within(1, () => line()?.dataset.copy === 'kept', () => 'no copy is kept: ' + line()?.textContent);
    return line().textContent;`);

interface Alive {
  title: string;
  isolated: boolean;
  figure: string;
  table: string;
}

/** The first figure of the page, put into another state, as nothing that was compiled into the page shows it. */
const alive = (tab: Tab, state: string) =>
  askFigures<Alive>(tab, `
    const figure = document.querySelector('[data-figure]');
    location.hash = ${JSON.stringify(state)};
    await rest(figure);
    const { title, table } = await shown(figure);
    return { title: document.title, isolated: crossOriginIsolated, figure: title, table };`);

const places = [
  ['02-searching.html', '&search-playground.query=the%20edge%20of%20a%20river'],
  ['03-one-head.html', '&one-head.text=The%20dog%20saw%20a%20cat&one-head.row=4'],
] as const;

for (const { name, missing, open } of browsers) {
  if (missing) console.log(`skipped: the offline copy in ${name}, ${missing}`);
  it.skipIf(missing)(`${name}`, async () => {
    const tab = await open();
    try {
      await tab.goto(site.address);
      expect(await kept(tab)).toMatch(/^This book works without a network/);
      const online: Alive[] = [];
      for (const [place, state] of places) {
        await tab.goto(site.address + place);
        online.push(await alive(tab, state));
      }
      await site.stop();
      for (const [at, [place, state]] of places.entries()) {
        await tab.goto(site.address + place);
        const offline = await alive(tab, state);
        expect(offline).toEqual(online[at]);
        expect(offline.isolated).toBe(true);
        expect(await kept(tab)).toMatch(/^This book works without a network/);
      }
    } finally {
      await tab.close();
      await site.stop();
      await site.start();
    }
  });
}
