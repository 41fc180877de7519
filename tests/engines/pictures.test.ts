// Pictures of every figure in Chromium, Firefox and WebKit side by side, for people to look at: build/engines/index.html.
// Only with FULL=1 (./build.sh test --full). Nothing is judged here but that every figure lives and can be drawn.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chapters, dist } from '../browser/figures.ts';
import { root, serve } from '../browser/site.ts';
import { askFigures } from './asked.ts';
import { browsers } from './tabs.ts';

const folder = join(root, 'build/engines');
/** As tall as the tallest figure, which some drivers cut to the window. */
const height = 2600;

const full = process.env['FULL'] === '1';
if (!full) console.log('skipped: pictures of every figure, without --full');

it.runIf(full)('every figure is drawn', async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const site = await serve(dist);
  const places = await chapters();
  const here = browsers.filter(({ missing }) => !missing);
  const figures: { place: string; id: string }[] = [];
  try {
    for (const { name, open } of here) {
      const tab = await open(height);
      try {
        for (const place of places) {
          await tab.goto(site.address + place);
          const ids = await askFigures<string[]>(tab, `
            document.querySelector('.masthead').style.display = 'none'; // it would stand before a figure
            return [...document.querySelectorAll('[data-figure]')].map(({ id }) => id);`);
          for (const id of ids) {
            await askFigures(tab, `await rest(document.getElementById(${JSON.stringify(id)})); await document.fonts.ready;`);
            if (name === here[0]!.name) figures.push({ place, id });
            await writeFile(join(folder, `${id}-${name}.png`), await tab.picture(`#${id}`));
          }
        }
      } finally {
        await tab.close();
      }
    }
  } finally {
    await site.close();
  }
  expect(figures.length).toBeGreaterThan(20);
  const cells = (id: string) => here.map(({ name }) => `<td><img loading="lazy" src="${id}-${name}.png" alt="${id} in ${name}"></td>`).join('');
  const rows = figures.map(({ place, id }) => `<tr><th colspan="${here.length}">${id}, ${place}</th></tr>\n<tr>${cells(id)}</tr>`);
  const head = here.map(({ name }) => `<th>${name}</th>`).join('');
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Every figure in every engine</title>
<style>body { font: 16px sans-serif; } table { width: 100%; table-layout: fixed; } img { width: 100%; } td { vertical-align: top; }</style>
<h1>Every figure in every engine</h1>\n<table><tr>${head}</tr>\n${rows.join('\n')}\n</table>\n`,
  );
  console.log(`Look at ${join(folder, 'index.html')}.`);
}, 1_800_000);
