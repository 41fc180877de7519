// Figures for those who see them otherwise, or not: a sentence and a table that follow the state, nothing that moves where
// none is wanted, and all states told apart in the colours that a system forces.

import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAlive } from './accessibility.ts';
import { useBook } from './book.ts';
import { chapters, settled } from './figures.ts';

const openPage = useBook();
const all = await chapters();

/** What a screen reader is told about a figure: its sentences, and its numbers. */
async function told(figure: Locator): Promise<{ sentences: string; rows: string[] }> {
  await settled(figure);
  return figure.evaluate((node) => ({
    sentences: node.querySelector(`#${node.id}-description`)!.textContent!.trim(),
    rows: [...node.querySelectorAll<HTMLElement>('.figure-table tbody tr')].map((row) => row.textContent!),
  }));
}

/** Puts a figure into another state: by a link of the prose, by a control of its own, by another text. */
async function* changes(page: Page, figure: Locator): AsyncGenerator<string> {
  const id = (await figure.getAttribute('id'))!;
  for (const link of await page.locator(`a.sets[href^="#${id}&"]`).all()) {
    await link.evaluate((node) => (node as HTMLAnchorElement).click());
    yield `the link “${await link.textContent()}”`;
  }
  const buttons = figure.locator('.figure-picture button:not(:disabled):is([aria-pressed="false"], .step-button, .slider-step, .button)').filter({ visible: true });
  for (let at = 0; at < Math.min(4, await buttons.count()); at++) {
    await buttons.nth(at).click();
    yield `the button “${await buttons.nth(at).textContent()}”`;
  }
  const field = figure.locator('.figure-picture textarea').filter({ visible: true }).first();
  if ((await field.count()) === 0) return;
  await field.fill('The dog saw the cat');
  yield 'another text';
}

describe.each(all)('%s', (name) => {
  it('each figure has a sentence and a table, which change with its state', { timeout: 600_000 }, async () => {
    const page = await openAlive(openPage, name);
    for (const figure of await page.locator('[data-figure]').all()) {
      const id = (await figure.getAttribute('id'))!;
      await figure.scrollIntoViewIfNeeded();
      expect(await figure.locator('figure').getAttribute('aria-describedby')).toBe(`${id}-description`);
      await figure.locator('.figure-data > summary').click();
      await figure.locator('.figure-table').waitFor();
      const before = await told(figure);
      expect(before.sentences.length, id).toBeGreaterThan(40);
      expect(before.sentences, id).not.toMatch(/undefined|NaN|\[object/);
      expect(before.rows.length, id).toBeGreaterThan(0);
      const changed = { sentences: false, rows: false };
      const tried: string[] = [];
      for await (const change of changes(page, figure)) {
        tried.push(change);
        const after = await told(figure);
        changed.sentences ||= after.sentences !== before.sentences;
        changed.rows ||= after.rows.join('\n') !== before.rows.join('\n');
        if (changed.sentences && changed.rows) break;
      }
      // A training has no other numbers until it goes on, which other tests see.
      if (['train-live', 'learn-a-head', 'price-here', 'cost-counter'].includes(id)) changed.rows = true;
      expect({ ...changed, after: changed.sentences && changed.rows ? [] : tried }, id).toEqual({ sentences: true, rows: true, after: [] });
    }
  });

  it('moves nothing where that is not wanted', { timeout: 300_000 }, async () => {
    const page = await openAlive(openPage, name, { reducedMotion: 'reduce' });
    const moving = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('*')].flatMap((node) => [undefined, '::before', '::after'].map((pseudo) => ({ node, style: getComputedStyle(node, pseudo) })));
      const long = (durations: string) => durations.split(',').some((duration) => parseFloat(duration) > 0);
      return [...new Set(parts.filter(({ style }) => (style.animationName !== 'none' && style.getPropertyValue('animation-timeline') === 'auto') || long(style.transitionDuration)).map(({ node }) => `${node.localName}.${node.getAttribute('class')}`))];
    });
    expect(moving).toEqual([]);
    for (const figure of await page.locator('[data-figure]').all()) {
      for await (const change of changes(page, figure)) {
        await settled(figure);
        expect(await page.evaluate(() => document.getAnimations().filter(({ timeline }) => timeline === document.timeline).length), change).toBe(0);
        break;
      }
    }
  });

  it('keeps its signs in forced colours', { timeout: 600_000 }, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openAlive(openPage, name, { forcedColors: 'active', colorScheme });
      // Whoever forces colours has a palette of two: every state differs from its opposite by more than a hue.
      const alike = await page.evaluate(() => {
        const found: string[] = [];
        const look = (node: Element, ...properties: string[]) => properties.map((property) => getComputedStyle(node).getPropertyValue(property)).join(' ');
        for (const group of document.querySelectorAll('main :is([role=group], [role=toolbar], .segmented, .stages)')) {
          const buttons = [...group.querySelectorAll('button[aria-pressed]')].filter((node) => node.checkVisibility());
          const [on, off] = ['true', 'false'].map((pressed) => buttons.find((node) => node.getAttribute('aria-pressed') === pressed));
          const signs = ['background-color', 'background-image', 'border-top-style', 'border-top-color', 'outline-style', 'text-decoration-line'];
          if (on && off && look(on, ...signs) === look(off, ...signs)) found.push(`chosen or not: ${on.className}`);
        }
        for (const [picture, ground] of [['.bar > rect:last-child:not(.bar-room)', '.bar-room'], ['.hatch-line', '.hatch-ground'], ['.grid-number:not(.ink-strong)', '.grid-paper']]) {
          const [mark, under] = [document.querySelector(`main ${picture}`), document.querySelector(`main ${ground}`)];
          if (mark && under && look(mark, 'fill') === look(under, 'fill')) found.push(`${picture} on ${ground}`);
        }
        for (const [one, other] of [['.token-asking', '.token-lit'], ['.arrow-shaft.mark-query', '.arrow-shaft.mark-key'], ['.q', '.k'], ['.k', '.v']]) {
          const [a, b] = [document.querySelector(`main ${one}`), document.querySelector(`main ${other}`)];
          if (a && b && look(a, 'border-bottom-style', 'stroke-dasharray') === look(b, 'border-bottom-style', 'stroke-dasharray')) found.push(`${one} and ${other}`);
        }
        return found;
      });
      expect(alike, colorScheme).toEqual([]);
      await page.evaluate(axe.source);
      const faint = await page.evaluate(async () => {
        const { axe: tool } = window as unknown as { axe: typeof import('axe-core') };
        const { violations } = await tool.run(document, { runOnly: ['color-contrast'] });
        return violations.flatMap(({ nodes }) => nodes.map(({ target, html }) => `${target.join(' ')} ${html.slice(0, 120)}`));
      });
      expect(faint, colorScheme).toEqual([]);
      // The keyboard's ring is there.
      const first = page.locator('main .figure-picture :is(button:not(:disabled):not([tabindex="-1"]), [tabindex="0"])').filter({ visible: true }).first();
      await page.keyboard.press('Tab');
      await first.focus();
      const ring = await first.evaluate((node) => [node, ...node.querySelectorAll('.grid-ring, .arrow-grip')].map((part) => getComputedStyle(part)).some((style) => parseFloat(style.outlineWidth) >= 2 && style.outlineStyle !== 'none' || parseFloat(style.strokeWidth) >= 3));
      expect(ring, colorScheme).toBe(true);
      await page.context().close();
    }
  });
});
