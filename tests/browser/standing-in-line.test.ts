// What a reader's eye meets at three widths, in the pages as they were compiled: nothing sticks out of its figure, no letter
// of a picture is tiny, sliders under one another stand under one another, no line begins with what belongs to the one
// before.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { chapters } from './figures.ts';

const openPage = useBook();
const all = await chapters();

/** The page as the compiler made it: its scripts do not come. */
async function openCompiled(name: string): Promise<Page> {
  const page = await openPage('index.html');
  await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(new URL(name, page.url()).href);
  await page.evaluate(() => {
    document.documentElement.dataset['depth'] = 'math';
    return document.fonts.ready;
  });
  return page;
}

/** What breaks a rule, each in a line. */
const faults = () => {
  const found: string[] = [];
  const say = (rule: string, node: Element, more: string | number = '') =>
    found.push(`${rule}: ${node.closest('[data-figure]')?.id ?? ''} ${node.localName}.${node.getAttribute('class')} “${(node.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 50)}” ${more}`);
  const seen = (node: Element) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest('.visually-hidden');
  const scrolled = (node: Element) => {
    for (let above: Element | null = node; above && above !== document.body; above = above.parentElement) {
      if (above.localName !== 'svg' && getComputedStyle(above).overflowX !== 'visible') return true;
    }
    return false;
  };

  for (const figure of document.querySelectorAll('[data-figure] .figure')) {
    if (!figure.checkVisibility()) continue;
    const room = figure.getBoundingClientRect();
    for (const node of figure.querySelectorAll('.figure-picture *')) {
      if (!seen(node)) continue;
      const box = node.getBoundingClientRect();
      const out = Math.max(box.right - room.right, room.left - box.left);
      if (box.width > 0 && out > 6 && !scrolled(node)) say('sticks out', node, Math.round(out));
    }
    for (const letters of figure.querySelectorAll<SVGTextElement>('svg text')) {
      if (!letters.checkVisibility()) continue;
      const { a, b } = letters.getScreenCTM()!;
      const size = parseFloat(getComputedStyle(letters).fontSize) * Math.hypot(a, b);
      if (size < 10.5) say('tiny', letters, size.toFixed(1));
    }
    const sliders = [...figure.querySelectorAll('.slider')].filter(seen).map((slider) => ({ slider, own: slider.getBoundingClientRect(), track: slider.querySelector('.slider-range')!.getBoundingClientRect() }));
    sliders.slice(1).forEach(({ slider, own, track }, at) => {
      const above = sliders[at]!;
      const gap = track.top - above.track.bottom;
      const under = gap > 0 && gap < 90 && Math.abs(above.own.left - own.left) < 3;
      if (under && (Math.abs(above.track.left - track.left) > 2 || Math.abs(above.track.right - track.right) > 2)) say('not aligned', slider);
    });
  }

  // A range's last line, against what must not have left it.
  const endOf = (whole: Element, before: Element) => {
    const range = document.createRange();
    range.selectNodeContents(whole);
    range.setEndBefore(before);
    return Math.max(...[...range.getClientRects()].filter(({ width }) => width > 3).map(({ bottom }) => bottom));
  };
  for (const back of document.querySelectorAll('.references .back')) {
    if (back.checkVisibility() && back.getBoundingClientRect().top > endOf(back.parentElement!, back) - 2) say('alone on a line', back.closest('li')!);
  }
  for (const link of document.querySelectorAll('main :is(h2, h3) .heading-link')) {
    const heading = link.parentElement!;
    if (heading.checkVisibility() && heading.getBoundingClientRect().bottom > endOf(heading, link) + 12) say('an empty line', heading);
  }

  const range = document.createRange();
  const boxOf = (text: Text, from: number, to: number) => {
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect();
  };
  const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement!;
    if (text.data.trim() === '' || !seen(parent) || parent.closest('svg, math')) continue;
    const before = text.previousSibling;
    if (/^[.,:;!?)’”]/.test(text.data) && before instanceof Element) {
      const [sign, word] = [boxOf(text, 0, 1), before.getBoundingClientRect()];
      if (sign.width > 0 && word.width > 0 && sign.top >= word.bottom - 3) say('a line begins with a sign', parent, text.data.slice(0, 20));
    }
    for (const { index, 0: { length } } of text.data.matchAll(/\d[\u00a0\u202f ](?:%|MB|GB|kB|px|ms)(?!\w)/g)) {
      const [number, unit] = [boxOf(text, index, index + 1), boxOf(text, index + length - 1, index + length)];
      if (number.width > 0 && unit.top > number.top + 5) say('a unit on the next line', parent, text.data.slice(index, index + length));
    }
  }
  return found;
};

it.each(all)('%s', async (name) => {
  const page = await openCompiled(name);
  for (const width of [360, 800, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(faults), `${width} px`).toEqual([]);
  }
});
