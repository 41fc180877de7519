// A saved picture shows what the page shows: a line on one edge stays a line, words keep the lines on them, and nothing is
// covered or cut. Where controls were it closes up, and the page has not moved.

import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { opened, saved, settled } from './figures.ts';

const openPage = useBook();

const figures: [string, string][] = [
  ['05-heads-and-layers.html', 'never-ahead'],
  ['05-heads-and-layers.html', 'parameter-budget'],
  ['05-heads-and-layers.html', 'layer-map'],
  ['05-heads-and-layers.html', 'logit-lens'],
  ['06-the-price.html', 'cost-counter'],
  ['06-the-price.html', 'price-here'],
  ['07-the-lab.html', 'continue-text'],
  ['03-one-head.html', 'one-head'],
  ['08-learning-to-look-back.html', 'train-live'],
];
const pageOf = Object.fromEntries(figures.map(([page, id]) => [id, page]));

async function open(id: string): Promise<Locator> {
  const page = await openPage(pageOf[id]!, { acceptDownloads: true });
  const figure = page.locator(`#${id}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  // This one measures by itself at first.
  if (id === 'price-here') await figure.getByRole('button', { name: 'Measure again' }).waitFor();
  return figure;
}

interface Shape {
  name: string;
  stroke: string;
  line: number;
  dashed: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What the saved picture of a figure holds, but for what is within its drawings. */
async function shapesOf(figure: Locator): Promise<Shape[]> {
  const { content } = await saved(figure, 'Save as SVG');
  const page = await opened(figure, content);
  const shapes = await page.evaluate(() =>
    [...document.querySelectorAll<SVGGraphicsElement>('svg *')]
      .filter((node) => !['title', 'g'].includes(node.localName) && !node.parentElement!.closest('svg svg'))
      .slice(1)
      .map((node) => {
        const drawing = node instanceof SVGSVGElement && [node.x, node.y, node.width, node.height].map(({ baseVal }) => baseVal.value);
        const [x, y, width, height] = drawing || (({ x, y, width, height }) => [x, y, width, height])(node.getBBox());
        const stroke = node.getAttribute('stroke') ?? 'none';
        return { name: node.localName, stroke, line: Number(node.getAttribute('stroke-width')), dashed: (node.getAttribute('stroke-dasharray') ?? 'none') !== 'none', x: x!, y: y!, width: width!, height: height! };
      }),
  );
  await page.close();
  return shapes;
}

const colourOf = (node: Locator, name: string) => node.first().evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), name);

it.each(figures)('in %s: %s', async (_, id) => {
  const figure = await open(id);
  // What is pressed is scrolled to first, and by whom does not matter here.
  await figure.getByRole('button', { name: 'Save as SVG' }).first().scrollIntoViewIfNeeded();
  const places = () => figure.evaluate((node) => [scrollY, ...[...node.querySelectorAll('.figure-picture *')].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect().y)]);
  const before = await places();
  const shapes = await shapesOf(figure);
  expect(await places(), 'the page stays as it was').toEqual(before);

  // Frames are where the page has them, and other edges are lines.
  const framed = await figure.locator('.figure-picture *').evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      const style = getComputedStyle(node);
      const { width, height } = node.getBoundingClientRect();
      if (style.outlineStyle !== 'none') {
        const more = 2 * (parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset));
        return [[width + more, height + more]];
      }
      const seen = (side: string) => parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0 && style.getPropertyValue(`border-${side}-color`) !== 'rgba(0, 0, 0, 0)';
      return ['top', 'right', 'bottom', 'left'].every(seen) ? [[width, height]] : [];
    }),
  );
  const boxes = shapes.filter(({ name, stroke }) => ['rect', 'path'].includes(name) && !/^none$|, 0\)$/.test(stroke));
  const wrong = boxes.filter(({ width, height, line }) => !framed.some(([w, h]) => Math.abs(width + line - w!) < 2 && Math.abs(height + line - h!) < 2));
  expect(wrong).toEqual([]);

  // A margin, and no empty bands.
  const seen = shapes.filter(({ width, height }) => width + height > 0).sort((a, b) => a.y - b.y);
  expect(Math.min(...seen.map(({ x }) => x))).toBeGreaterThanOrEqual(12);
  let end = 0;
  for (const { y, height } of seen) {
    expect(y - end, `below ${end}`).toBeLessThan(56);
    end = Math.max(end, y + height);
  }
});

describe('the lines on words', () => {
  it('a space before a word is marked, and q, k, v have their dashes', async () => {
    const figure = await open('layer-map');
    const lines = (await shapesOf(figure)).filter(({ name }) => name === 'line');
    const spaces = await figure.locator('.token-space').count();
    expect(spaces).toBeGreaterThan(5);
    expect(lines.filter(({ width, height }) => width + height < 9).length).toBeGreaterThanOrEqual(3 * spaces);
    for (const [name, dashed] of [['.q', true], ['.k', true], ['.v', false]] as const) {
      const colour = await colourOf(figure.locator(`.map-path ${name}`), 'color');
      expect(lines.filter(({ stroke, width }) => stroke === colour && width > 3).map((line) => line.dashed), name).toEqual([dashed]);
    }
  });

  it.each([
    ['logit-lens', '.token-target > .token-text'],
    ['price-here', '.price-end > :first-child'],
    ['train-live', '.train-wrong .train-guessed'],
  ])('%s: %s', async (id, words) => {
    const figure = await open(id);
    const marked = figure.locator(words);
    const count = await marked.count();
    expect(count).toBeGreaterThan(0);
    const colour = await colourOf(marked, 'text-decoration-color');
    const lines = (await shapesOf(figure)).filter(({ name, stroke, dashed, height }) => name === 'line' && stroke === colour && !dashed && height === 0);
    expect(lines.length).toBe(count);
  });
});

it('a label is not covered by its own ground, and a dot at the edge of a plot is whole', async () => {
  const figure = await open('train-live');
  const { content } = await saved(figure, 'Save as SVG');
  const label = /<text[^>]*>[^<]*(?:<!--[^>]*-->)?[^<]*an even guess/.exec(content.toString())![0];
  expect(label).toMatch(/paint-order="stroke/);
  const dot = await (await opened(figure, content)).evaluate(() => {
    const circle = document.querySelector('circle')!;
    return [circle.getAttribute('cx'), circle.parentElement!.getAttribute('overflow')];
  });
  expect(dot).toEqual(['0%', 'visible']);
});
