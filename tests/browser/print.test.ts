// The book on paper: light in both themes, every figure as it stands and whole, no controls, hidden answers hidden, notes
// and references there.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAlive } from './accessibility.ts';
import { useBook } from './book.ts';
import { chapters, settled } from './figures.ts';

const openPage = useBook();
const all = await chapters();
/** A4 without its margins, in pixels. */
const paper = { width: 658, height: 987 };

/** What is printed of a page, as one can ask before the paper is there. */
async function onPaper(page: Page): Promise<void> {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
}

describe.each(all)('%s', (name) => {
  it.each(['light', 'dark'] as const)('prints light from the %s theme, with its pictures and without controls', { timeout: 300_000 }, async (colorScheme) => {
    const page = await openAlive(openPage, name, { colorScheme });
    const titles = await page.locator('.figure-title').allInnerTexts();
    await onPaper(page);
    expect(await page.locator('.figure-title').allInnerTexts()).toEqual(titles);
    const seen = await page.evaluate(() => {
      const shown = (node: Element) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0;
      const name = (node: Element) => `${node.closest('[data-figure]')?.id} ${node.localName}.${node.getAttribute('class')} ${(node.textContent ?? '').trim().slice(0, 40)}`;
      const light = (colour: string) => {
        const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return colour.startsWith('color(') ? (red + green + blue) / 3 > 0.6 : (red + green + blue) / 3 > 150;
      };
      return {
        controls: [...document.querySelectorAll('.figure-action, .figure-controls, .segmented, .step-button, .slider-step, .button, select, summary, input[type=range], .figure input[type=checkbox], .question input[type=text], .masthead, .turn, .way-back')].filter(shown).map(name),
        pictures: [...document.querySelectorAll<HTMLElement>('.figure-picture')].map((picture) => picture.getBoundingClientRect().height > 40),
        cut: [...document.querySelectorAll<HTMLElement>('.figure-picture, .figure-picture *, .wide, .equation')].filter((node) => shown(node) && !node.closest('.visually-hidden, .token-space, textarea, svg') && node.getBoundingClientRect().width > 1 && getComputedStyle(node).overflowX !== 'visible' && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)).map(name),
        wide: [...document.querySelectorAll('main *')].filter((node) => shown(node) && !node.closest('.visually-hidden, math, [aria-hidden=true]') && node.getBoundingClientRect().right > innerWidth + 2).map(name).slice(0, 5),
        dark: [...document.querySelectorAll('body, .figure-picture :is(.token, .segment, .field)')].map((node) => getComputedStyle(node).backgroundColor).filter((colour) => !/, 0\)$|\/ 0\)$/.test(colour) && !light(colour)),
        faint: [...document.querySelectorAll('main p, main h2, .figure-title')].filter((node) => shown(node) && light(getComputedStyle(node).color)).map(name),
        split: [...document.querySelectorAll('[data-figure], .question, .equation')].filter((node) => getComputedStyle(node).breakInside !== 'avoid').map(name),
        answers: [...document.querySelectorAll('.question-answer')].filter(shown).map(name),
        questions: [...document.querySelectorAll('.question')].filter((node) => node.parentElement!.checkVisibility() && !shown(node)).length,
        notes: [...document.querySelectorAll('.note')].filter(shown).length,
        below: [...document.querySelectorAll('.notes-below')].filter((node) => node.parentElement!.checkVisibility() && !shown(node)).length,
        references: [...document.querySelectorAll('.references li')].filter(shown).length,
        addresses: [...document.querySelectorAll('.references a[href^="http"]')].map((link) => getComputedStyle(link, '::after').content.includes('http')),
      };
    });
    expect(seen.references).toBeGreaterThan(0);
    expect(seen.addresses.every(Boolean)).toBe(true);
    expect(seen.pictures.every(Boolean)).toBe(true);
    const { references, addresses, pictures, ...faults } = seen;
    expect(faults).toEqual({ controls: [], cut: [], wide: [], dark: [], faint: [], split: [], answers: [], questions: 0, notes: 0, below: 0 });
  });
});

describe('the state that is there', () => {
  it('is printed: a link’s numbers, an answer that was given, and no other', { timeout: 300_000 }, async () => {
    const page = await openAlive(openPage, '02-searching.html#&softmax-dial.stretch=5', { colorScheme: 'dark' });
    const question = page.locator('.question[data-question=choice]').first();
    await question.locator('.choice').first().click();
    await question.getByRole('button', { name: 'Commit' }).click();
    const title = await page.locator('#softmax-dial .figure-title').innerText();
    const bars = () => page.locator('#softmax-dial .dial-percent').allInnerTexts();
    const numbers = await bars();
    await onPaper(page);
    expect(title).toContain('5');
    expect(await page.locator('#softmax-dial .figure-title').innerText()).toBe(title);
    expect(await bars()).toEqual(numbers);
    expect(await question.locator('.question-answer').isVisible()).toBe(true);
    expect(await page.locator('.question-answer').filter({ visible: true }).count()).toBe(1);
  });

  it('is printed whole and light where it is painted on a canvas', { timeout: 300_000 }, async () => {
    const text = 'The cat saw the dog and the dog saw the cat. '.repeat(6).trim();
    const page = await openPage(`03-one-head.html#one-head&one-head.text=${encodeURIComponent(text)}&one-head.stage=masked`, { colorScheme: 'dark' });
    const figure = page.locator('#one-head');
    await settled(figure);
    await figure.locator('heat-canvas').scrollIntoViewIfNeeded();
    const corner = () => figure.locator('.heat-picture').evaluate((canvas: HTMLCanvasElement) => {
      const pen = canvas.getContext('2d')!;
      const at = (x: number, y: number) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.subarray(0, 3)];
      const last = pen.getImageData(canvas.width - 30, canvas.height - 30, 29, 29).data;
      return { paper: at(1, 1), width: canvas.width, height: canvas.height, last: new Set(last).size };
    });
    const before = await corner();
    expect(Math.max(...before.paper)).toBeLessThan(80);
    await onPaper(page);
    const after = await corner();
    expect(after.paper).toEqual([255, 255, 255]);
    // The whole grid, to its last cells, although the frame shows only a part of it.
    const size = await figure.locator('.heat-room').evaluate((room: HTMLElement) => [parseFloat(room.style.width), parseFloat(room.style.height)]);
    expect(after.width / after.height).toBeCloseTo(size[0]! / size[1]!, 1);
    expect(after.last).toBeGreaterThan(3);
    expect((await figure.locator('.heat-picture').boundingBox())!.width).toBeLessThanOrEqual(paper.width);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(async () => Math.max(...(await corner()).paper)).toBeLessThan(80);
  });

  it('makes a document of several pages', { timeout: 300_000 }, async () => {
    const page = await openAlive(openPage, '02-searching.html', { colorScheme: 'dark' });
    const document = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1');
    expect(document.startsWith('%PDF')).toBe(true);
    expect(document.match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(8);
  });
});
