// A figure's picture as SVG and as PNG: the same size, the page's colours, in both themes. The trace behind a figure: the
// bytes of the native program.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { opened, saved, settled } from './figures.ts';
import { readPng } from './png.ts';
import { little, native } from './site.ts';

const openPage = useBook();

const rgb = (colour: string) => [...colour.matchAll(/[\d.]+/g)].slice(0, 3).map(([part]) => Number(part));

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('a picture is saved as SVG and as PNG of twice its size', async () => {
    const page = await openPage('02-searching.html#softmax-dial', { colorScheme, acceptDownloads: true });
    const figure = page.locator('#softmax-dial');
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);

    const svg = await saved(figure, 'Save as SVG');
    expect(svg.file).toBe('softmax-dial.svg');
    const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg.content.toString())!.map(Number);

    const { file, content } = await saved(figure, 'Save as PNG');
    expect(file).toBe('softmax-dial.png');
    const png = readPng(content);
    expect([png.width, png.height]).toEqual([width! * 2, height! * 2]);

    // The paper in a corner, and the first bar of a share in its middle.
    const seen = await figure.evaluate((node) => ({ paper: getComputedStyle(document.body).backgroundColor, plum: getComputedStyle(node.querySelector('.dial-share .bar-share')!).fill }));
    const { x, y } = await (await opened(figure, svg.content)).evaluate((plum) => {
      const bar = [...document.querySelectorAll('svg svg rect')].find((rect) => getComputedStyle(rect).fill === plum && rect.getBoundingClientRect().width > 8)!;
      const place = bar.getBoundingClientRect();
      return { x: Math.round((place.x + place.width / 2) * 2), y: Math.round((place.y + place.height / 2) * 2) };
    }, seen.plum);
    expect(png.at(1, 1)).toEqual(rgb(seen.paper));
    expect(png.at(png.width - 2, png.height - 2)).toEqual(rgb(seen.paper));
    const near = png.at(x, y).map((value, part) => Math.abs(value - rgb(seen.plum)[part]!));
    expect(Math.max(...near), `${png.at(x, y)} for ${seen.plum}`).toBeLessThanOrEqual(2);
    expect(rgb(seen.paper).every((value) => (colorScheme === 'light' ? value > 200 : value < 60))).toBe(true);
  });
});

describe('the trace behind one-head', () => {
  const trace = 'Download the trace as safetensors';

  it('has the bytes that the program saves, for the text that is shown', async () => {
    const page = await openPage('03-one-head.html#one-head', { acceptDownloads: true });
    const figure = page.locator('#one-head');
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
    await figure.locator('.figure-data > summary').click();
    const folder = await mkdtemp(join(tmpdir(), 'lookback-trace-'));
    try {
      for (const text of [await figure.locator('textarea').inputValue(), 'The “dog” \\ chased\nthe 漢 cat.']) {
        await figure.locator('textarea').fill(text);
        await settled(figure);
        const { file, content } = await saved(figure, trace);
        expect(file).toBe('one-head.safetensors');
        const path = join(folder, 'trace.safetensors');
        await promisify(execFile)(native, ['inside', '--model', little, '--text', text, '--save-trace', path]);
        expect(content.equals(await readFile(path)), text).toBe(true);
        expect((await figure.locator('.figure-notice').innerText()).replace(/\s/g, ' ')).toBe(`Saved as one-head.safetensors, ${(content.length / 1e6).toFixed(2)} MB.`);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is offered by no figure without a pass', async () => {
    const page = await openPage('02-searching.html#softmax-dial');
    const figure = page.locator('#softmax-dial');
    await settled(figure);
    await figure.locator('.figure-data > summary').click();
    expect(await figure.getByRole('button', { name: 'Download as CSV' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: trace }).count()).toBe(0);
  });
});
