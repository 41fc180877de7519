// Chapter 1 and many-questions in Chromium: links of the prose set the figures; mouse, touch, keys and typing drive them;
// what they show is what the native program says; nothing overflows a narrow page; both themes pass axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { settled } from './chapter-2-page.ts';
import { useBook } from './book.ts';
import { figureOn } from './figures.ts';
import { native } from './site.ts';

const core = nativeEngine(native);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const open = useBook();

/** What axe finds wrong inside a figure. */
async function violations(page: Page, id: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (inside) => {
    const { axe } = window as unknown as { axe: { run(context: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
    const found = await axe.run(inside, { resultTypes: ['violations'], rules });
    return found.violations.map((violation) => `${violation.id}: ${violation.nodes[0]!.html.slice(0, 160)}`);
  }, `#${id}`);
}

const chapter = '01-a-word-alone.html';
const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replaceAll('\u00A0', ' ');
/** A share as the book writes it, above one percent. */
const percent = (share: number) => `${(share * 100).toFixed(0)}\u202F%`;

describe('context-lens', () => {
  it('is set by the links of the text, driven by mouse and keys, and remembers in the link', async () => {
    const page = await open(chapter);
    const figure = await figureOn(page, 'context-lens');
    expect(await titleOf(figure)).toContain('“bank” asks for “water or money here”; “river” has it, 6 places back');
    await page.locator('a.sets:visible').filter({ hasText: /^“treaty”$/i }).click();
    await settled(figure);
    const treaty = await core.lesson('story', { story: 'treaty' });
    expect(await titleOf(figure)).toContain(`“Larkmoor” has it, ${treaty.asking.index - treaty.best!} places back`);

    // Words by the keyboard: back to the first text, then another word asks.
    await figure.locator('.need-words .segment').first().click();
    await settled(figure);
    await figure.locator('.need-text .token-asking').focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await settled(figure);
    expect(await titleOf(figure)).toContain('“stretched” asks for “which animal or person”; “otter” has it');
    await expect.poll(() => page.url()).toContain('context-lens.asking=9');

    // Covered by the mouse, uncovered by a key.
    await figure.getByRole('button', { name: 'cover otter', exact: true }).click();
    await settled(figure);
    expect(await titleOf(figure)).not.toContain('“otter” has it');
    await figure.getByRole('button', { name: 'uncover otter' }).press('Enter');
    await settled(figure);
    expect(await titleOf(figure)).toContain('“otter” has it');

    await figure.getByRole('button', { name: /why.*match of otter/ }).click();
    const truth = await core.lesson('story', { story: 'river', asking: 9 });
    expect(await figure.locator('.need-workings tfoot td').innerText()).toBe(truth.candidates[3]!.score.toFixed(2));
  });
});

describe('same-row', () => {
  it('shows the same row in the table and another after a layer; typed texts and picked words are compared', async () => {
    const page = await open(chapter);
    const figure = await figureOn(page, 'same-row');
    const names = figure.locator('.same-name');
    expect(await names.first().innerText()).toContain('all 96 numbers equal, to the last bit');
    expect(await names.last().innerText()).toContain('after 1 layer: ');
    expect(await names.last().innerText()).not.toContain('to the last bit');
    await figure.getByRole('spinbutton', { name: 'How far' }).fill('1');
    await settled(figure);
    expect(await names.last().innerText()).toContain('with its place added: all 96 numbers equal');
    await figure.getByRole('slider', { name: 'How far' }).press('End');
    await settled(figure);
    expect(await names.last().innerText()).toContain('after 4 layers: none of the 96 numbers equal');

    // The two guesses differ: what stands before "it" has reached its row.
    const guesses = await figure.locator('.same-next b').allInnerTexts();
    expect(guesses[0]!.split(' ')[0]).not.toBe(guesses[1]!.split(' ')[0]);

    // The texts part only after "it": equal to the end.
    await page.locator('#later-words a.sets').evaluate((link) => (link as HTMLAnchorElement).click());
    await settled(figure);
    expect(await names.last().innerText()).toContain('after 4 layers: all 96 numbers equal, to the last bit');

    const second = figure.getByRole('textbox', { name: 'Second text' });
    await second.fill('A dog saw the bridge');
    await settled(figure);
    expect(await titleOf(figure)).toContain('“bridge” begins as the same 96 numbers');
    await figure.locator('#same-row-second-token-1').click();
    await settled(figure);
    expect(await titleOf(figure)).toContain('are two rows of the table');
    await figure.locator('.strips').last().click({ position: { x: 4, y: 10 } });
    await settled(figure);
    expect(await figure.getByRole('spinbutton', { name: 'Number' }).inputValue()).toBe('0');
    await second.fill('');
    await settled(figure);
    expect(await figure.getByRole('alert').innerText()).toContain('Type a text');
  });
});

describe('many-questions', () => {
  it('layer 2 changes its mind when layer 1 is switched off, by link, key and touch', async () => {
    const page = await open('02-searching.html#many-questions', { hasTouch: true });
    const figure = await figureOn(page, 'many-questions');
    const truth = await core.lesson('questions', {});
    const bare = await core.lesson('questions', { off: ['where', 'who', 'meaning'] });
    expect(await titleOf(figure)).toContain(`“money” looks at “purse”, ${percent(truth.second.shares[20]!)}; without that layer, it looks at “bank”, ${percent(bare.second.shares[14]!)}`);
    await figure.getByRole('button', { name: 'First layer off' }).tap();
    await settled(figure);
    expect(await titleOf(figure)).toContain('Without the first layer, “money” looks at “bank”');
    await expect.poll(() => page.url()).toContain('many-questions.off=where,who,meaning');
    await figure.getByRole('checkbox', { name: /head meaning/ }).press('Space');
    await settled(figure);
    const one = await core.lesson('questions', { off: ['where', 'who'] });
    expect(await figure.locator('#many-questions-later-token-20 .token-below').innerText()).toBe(percent(one.second.shares[20]!));

    await figure.locator('#many-questions-where-token-11').click();
    await settled(figure);
    expect(await figure.locator('.questions-name').first().innerText()).toContain('“slept” asks three heads');
    await figure.getByText('Change the sentence').click();
    await figure.getByRole('textbox', { name: 'Sentence' }).fill('Omar fished in the lake and carried the coins to the bank');
    await settled(figure);
    expect(await titleOf(figure)).toContain('“bank” looks at');
  });
});

describe('every figure', () => {
  it('fits a page of 320 pixels and passes axe in both themes', async () => {
    for (const [place, ids] of [[chapter, ['context-lens', 'same-row']], ['02-searching.html', ['many-questions']]] as const) {
      const page = await open(place, { viewport: { width: 320, height: 640 }, colorScheme: 'light' });
      for (const id of ids) {
        await figureOn(page, id);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          expect(await violations(page, id), `${id}, ${colorScheme}`).toEqual([]);
        }
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await page.context().close();
    }
  });

  it('stays in use after links with nonsense', async () => {
    const page = await open(`${chapter}#context-lens&context-lens.text=%3Cscript%3E&context-lens.asking=1e9&context-lens.covered=NaN,-3,99999&context-lens.open=x&same-row.first=1e99&same-row.second=-7&same-row.stage=NaN&same-row.col=1e9&same-row.two=%F0%9F%8C%8D%00`);
    expect(await titleOf(await figureOn(page, 'context-lens'))).toMatch(/asks for/);
    expect(await titleOf(await figureOn(page, 'same-row'))).not.toMatch(/NaN|undefined/);
    const other = await open('02-searching.html#many-questions&many-questions.off=%00,where,where,x&many-questions.asking=-9&many-questions.later=1e9&many-questions.text=%3Cimg%20src%3Dx%3E%20bank');
    expect(await titleOf(await figureOn(other, 'many-questions'))).not.toMatch(/NaN|undefined/);
  });
});
