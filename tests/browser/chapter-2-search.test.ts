// The search playground in Chromium, driven by mouse, keyboard and typing; what it shows against the native program.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Match, Page as Entry, Phrase, SearchInput, StoryInput, StoryOutput } from '../../web/engine/lessons.ts';
import { expectBar, figureOn, lesson, openChapter, settled, tableOf, titleOf, two, type, useChapter } from './chapter-2-page.ts';

useChapter();

const open = async (fragment = ''): Promise<[Page, Locator]> => {
  const page = await openChapter(fragment);
  return [page, await figureOn(page, 'search-playground')];
};
const pagesOfTheBook = async (): Promise<Entry[]> => (await lesson('worlds', {})).search.pages;
/** The book's pages with one of them changed. */
const withPage = async (at: number, change: Partial<Entry>) => (await pagesOfTheBook()).map((page, place) => (place === at ? { ...page, ...change } : page));

const query = (figure: Locator) => figure.getByRole('textbox', { name: /^Query/ });
const rowOf = (figure: Locator, key: string) => figure.locator('.match-row').filter({ has: figure.page().getByRole('textbox', { name: `Key of “${key}”` }) });

/** The list of matches as it stands on the screen. */
function rowsOf(figure: Locator) {
  return figure.locator('.match-row').evaluateAll((rows) =>
    rows.map((row) => ({
      holder: row.querySelector('.match-holder')?.textContent!.trim() ?? null,
      key: row.querySelector<HTMLTextAreaElement>('.match-key textarea')!.value,
      score: row.querySelector('.match-number')!.textContent!,
      value: row.querySelector<HTMLTextAreaElement>('.match-value textarea')!.value,
      best: row.classList.contains('match-best'),
      bar: window.barIn(row.querySelector('.match-score')),
    })),
  );
}

async function expectMatches(figure: Locator, truth: { holder: string | null; match: Match; value: string; best: boolean }[]): Promise<void> {
  const rows = await rowsOf(figure);
  expect(rows.map(({ bar: _, ...words }) => words)).toEqual(
    truth.map(({ holder, match, value, best }) => ({ holder, key: match.key.phrase, score: two(match.score), value, best })),
  );
  rows.forEach(({ bar }, at) => expectBar(bar, truth[at]!.match.score));
}

/** The search box shows what the native program finds for the same query and pages. */
async function expectSearch(figure: Locator, input: SearchInput): Promise<void> {
  await settled(figure);
  const truth = await lesson('search', input);
  expect(await query(figure).inputValue()).toBe(input.query);
  await expectMatches(figure, truth.results.map((row) => ({ holder: null, match: row, value: row.contents, best: row.index === truth.best })));
  expect(await tableOf(figure)).toEqual(truth.results.map((row) => [row.title, two(row.score), row.contents]));
  const best = truth.results.find((row) => row.index === truth.best);
  const title = best ? `“${input.query}” finds “${best.title}”, a match of ${two(best.score)}` : `“${input.query}” and nothing matches`;
  expect(await titleOf(figure)).toBe(`Figure 2.1 ${input.query === '' ? 'An empty query matches nothing' : title}`);
  const unknown = truth.query.words.filter((word) => word.status === 'unknown');
  expect(await figure.getByText('This small world does not know').count()).toBe(unknown.length > 0 ? 1 : 0);
  for (const { text } of unknown) expect(await figure.locator('.hint').innerText()).toContain(`“${text}”`);
}

/** The open row's multiplication, feature by feature. The numbers of both columns make the products and the sum. */
async function expectArithmetic(figure: Locator, features: readonly string[], asked: Phrase, match: Match): Promise<void> {
  const panel = figure.locator('.match-arithmetic');
  const rows = await panel.locator('tbody tr').evaluateAll((found) => found.map((row) => [...row.querySelectorAll('th, .mark-query, .mark-key, .feature-product')].map((cell) => cell.textContent!)));
  const shown = features.map((_, at) => at).filter((at) => asked.sum[at] !== 0 || match.key.sum[at] !== 0);
  expect(rows).toEqual(shown.map((at) => [features[at], two(asked.vector[at]!), two(match.key.vector[at]!), two(match.products[at]!)]));
  const sum = await panel.locator('tfoot .feature-product').textContent();
  expect(sum).toBe(two(match.score));
  const bars = await panel.locator('tbody .feature-bar').evaluateAll((cells) => cells.map((cell) => window.barIn(cell)));
  bars.forEach((bar, at) => expectBar(bar, match.products[shown[at]!]!));
}

/** q·k of two columns of features, each scaled to length 1, in float64. */
function scaledProduct(q: readonly number[], k: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const lengths = Math.sqrt(product(q, q) * product(k, k));
  return lengths === 0 ? 0 : product(q, k) / lengths;
}

const columnsOf = (figure: Locator) =>
  figure.locator('.feature-tuned tbody').evaluate((body) => {
    const column = (name: string) => [...body.querySelectorAll<HTMLInputElement>(`.mark-${name} input`)].map((field) => Number(field.value));
    return { q: column('query'), k: column('key') };
  });

describe('the search box', () => {
  it('finds what the core finds: at first, for a query to try, for typed ones, for none', async () => {
    const [, figure] = await open();
    const pages = await pagesOfTheBook();
    await expectSearch(figure, { query: 'a place with a sky', pages });
    await figure.getByRole('button', { name: 'an exhausted pet' }).click();
    await expectSearch(figure, { query: 'an exhausted pet', pages });
    for (const words of ['who rules the river', 'zorblax and a tired king', 'nothing whatsoever', '   ']) {
      await query(figure).fill('');
      await query(figure).pressSequentially(words);
      if (words.trim() !== '') await expectSearch(figure, { query: words, pages });
      else await settled(figure);
    }
    await query(figure).fill('');
    await expectSearch(figure, { query: '', pages });
  });

  it('takes another key and another value for a page', async () => {
    const [, figure] = await open();
    const key = figure.getByRole('textbox', { name: 'Key of “Savings and loans”' });
    await key.click();
    await key.press('End');
    await key.pressSequentially(' under the sky');
    await expectSearch(figure, { query: 'a place with a sky', pages: await withPage(2, { title: 'Savings and loans under the sky' }) });
    const value = figure.getByRole('textbox', { name: 'Value of “A planet”' });
    await value.fill('Nobody lives here, and nobody ever did.');
    const pages = (await withPage(2, { title: 'Savings and loans under the sky' })).map((page, at) => (at === 0 ? { ...page, contents: 'Nobody lives here, and nobody ever did.' } : page));
    await expectSearch(figure, { query: 'a place with a sky', pages });
  });

  it('shows the multiplication behind a score, opened by mouse and by keyboard', async () => {
    const [, figure] = await open();
    const truth = await lesson('search', { query: 'a place with a sky', pages: await pagesOfTheBook() });
    await rowOf(figure, 'A planet').locator('.match-score').click();
    await settled(figure);
    await expectArithmetic(figure, truth.features, truth.query, truth.results.find((row) => row.title === 'A planet')!);
    const other = rowOf(figure, 'A river in flood').locator('.match-score');
    await other.focus();
    await other.press('Enter');
    await settled(figure);
    expect(await figure.locator('.match-arithmetic').count()).toBe(1);
    await expectArithmetic(figure, truth.features, truth.query, truth.results.find((row) => row.title === 'A river in flood')!);
    expect(await other.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('changes a score to the new q·k when one feature of a key or of the query is changed', async () => {
    const [, figure] = await open();
    const { features } = await lesson('worlds', {});
    const row = () => rowOf(figure, 'A river in flood');
    const shown = () => row().locator('.match-number').textContent();
    await row().locator('.match-score').click();
    await figure.getByRole('button', { name: 'Change the features' }).click();
    await settled(figure);
    const before = await shown();
    const old = await columnsOf(figure);
    expect(old.k).toHaveLength(features.length);
    expect(before).toBe(two(scaledProduct(old.q, old.k)));

    await type(figure.getByRole('spinbutton', { name: 'Key, sky' }), '2.5');
    await settled(figure);
    const columns = await columnsOf(figure);
    expect(columns.k).toEqual(old.k.with(features.findIndex(({ name }) => name === 'sky'), 2.5));
    expect(await shown()).toBe(two(scaledProduct(columns.q, columns.k)));
    expect(await shown()).not.toBe(before);
    await expectSearch(figure, { query: 'a place with a sky', pages: await withPage(1, { key_weights: columns.k }) });

    // By the arrow keys: a step of a half.
    await figure.getByRole('spinbutton', { name: 'Query, water' }).press('ArrowUp');
    await figure.getByRole('spinbutton', { name: 'Query, water' }).press('Tab');
    await settled(figure);
    const asked = await columnsOf(figure);
    expect(asked.q).toEqual(old.q.with(features.findIndex(({ name }) => name === 'water'), 0.5));
    expect(await shown()).toBe(two(scaledProduct(asked.q, asked.k)));
    await expectSearch(figure, { query: 'a place with a sky', query_weights: asked.q, pages: await withPage(1, { key_weights: asked.k }) });

    // Beyond the bounds, the nearest that may be; a letter is no number and changes nothing.
    await type(figure.getByRole('spinbutton', { name: 'Key, sky' }), '99');
    await settled(figure);
    expect((await columnsOf(figure)).k[features.findIndex(({ name }) => name === 'sky')]).toBe(10);
  });
});

// ------------------------------------------------------------------------------------------------------------- a story

/** The candidates as the figure lists them: best first, equal ones in the order of the text. */
const ranking = (told: StoryOutput) => [...told.candidates].sort((a, b) => b.score - a.score || a.index - b.index);

async function expectStory(figure: Locator, input: StoryInput, all = false): Promise<StoryOutput> {
  await settled(figure);
  const told = await lesson('story', input);
  const ranked = ranking(told);
  const listed = all ? ranked : ranked.slice(0, 5).filter((row) => row.score > 0);
  await expectMatches(figure, listed.map((row) => ({ holder: row.text.trim(), match: row, value: row.value, best: row.index === told.best })));
  expect(await tableOf(figure)).toEqual(ranked.map((row) => [row.text, row.key.phrase, two(row.score), row.value]));
  expect(await query(figure).inputValue()).toBe(told.asking.query.phrase);

  const chips = await figure.locator('.tokens button').evaluateAll((buttons) =>
    buttons.map((button) => ({
      text: button.querySelector('.token-text')!.textContent!,
      asks: button.getAttribute('aria-pressed') === 'true',
      below: button.querySelector('.token-below')?.textContent!.trim() ?? null,
    })),
  );
  const scores = new Map(told.candidates.map((row) => [row.index, row.score > 0 ? two(row.score) : '0']));
  expect(chips).toEqual(told.tokens.map(({ text }, at) => ({ text, asks: at === told.asking.index, below: scores.get(at) ?? null })));

  const best = told.candidates.find((row) => row.index === told.best);
  const title = await titleOf(figure);
  expect(title).toContain(`“${told.asking.text.trim()}” asks for`);
  expect(title).toContain(best ? `finds “${best.text.trim()}”, a match of ${two(best.score)}` : told.asking.query.phrase === '' ? 'nothing' : 'nothing matches');
  return told;
}

describe('inside a sentence', () => {
  it('asks as the core does: the stories, other tokens picked by mouse and keyboard', async () => {
    const [, figure] = await open();
    const box = figure.getByRole('button', { name: 'A search box' });
    await box.focus();
    await box.press('ArrowRight');
    await figure.page().keyboard.press('Enter');
    await settled(figure);
    const { stories } = await lesson('stories', {});
    await expectStory(figure, { story: await figure.getByLabel('story').inputValue() });
    for (const { id, need } of [stories[0]!, stories.at(-1)!]) {
      await figure.getByLabel('story').selectOption(id);
      const told = await expectStory(figure, { story: id });
      expect(await figure.locator('.hint').first().innerText()).toBe(need);
      // A token before it, by mouse; the one before that, by keyboard.
      const at = told.asking.index;
      await figure.locator('.tokens button').nth(at - 2).click();
      await expectStory(figure, { story: id, asking: at - 2 });
      await figure.page().keyboard.press('ArrowLeft');
      await figure.page().keyboard.press('Space');
      await expectStory(figure, { story: id, asking: at - 3 });
      await figure.page().keyboard.press('Home');
      await figure.page().keyboard.press('Enter');
      await settled(figure);
      expect(await figure.getByText('There is nothing to look at.').isVisible()).toBe(true);
    }
  });

  it('takes another query, key and feature for a token, and shows all tokens', async () => {
    const [, figure] = await open('#search-playground&search-playground.mode=story&search-playground.story=river');
    const { asking } = await expectStory(figure, { story: 'river' });
    await figure.getByRole('button', { name: /^Show all/ }).click();
    await expectStory(figure, { story: 'river' }, true);
    await query(figure).fill('an animal with wet fur');
    await expectStory(figure, { story: 'river', edits: [{ token: asking.index, query: 'an animal with wet fur' }] }, true);
    await figure.getByRole('textbox', { name: 'Key of river', exact: true }).fill('an animal that sleeps');
    const edits = [{ token: asking.index, query: 'an animal with wet fur' }, { token: 7, key: 'an animal that sleeps' }];
    const told = await expectStory(figure, { story: 'river', edits }, true);

    await figure.locator('.match-row').filter({ has: figure.page().getByRole('textbox', { name: 'Key of river', exact: true }) }).locator('.match-score').click();
    await settled(figure);
    const river = told.candidates.find((row) => row.index === 7)!;
    await expectArithmetic(figure, told.features, told.asking.query, river);
    await figure.getByRole('button', { name: 'Change the features' }).click();
    await type(figure.getByRole('spinbutton', { name: 'Key, food' }), '3');
    await settled(figure);
    const { q, k } = await columnsOf(figure);
    const row = figure.locator('.match-row', { has: figure.page().locator('.match-arithmetic') });
    expect(await row.locator('.match-number').textContent()).toBe(two(scaledProduct(q, k)));
    await expectStory(figure, { story: 'river', edits: [edits[0]!, { ...edits[1]!, key_weights: k }] }, true);
  });

  it('takes a sentence of the reader’s, with what cannot be seen made visible', async () => {
    const [, figure] = await open('#search-playground&search-playground.mode=story&search-playground.story=river');
    await figure.getByText('Change the sentence').click();
    const sentence = 'The tired otter\u00A0sleeps\u200B by the river, as kings do.';
    await figure.getByRole('textbox', { name: 'Sentence' }).fill(sentence);
    await settled(figure);
    const told = await lesson('story', { story: 'river', text: sentence });
    expect(told.text).toBe(sentence);
    const chips = await figure.locator('.tokens button .token-text').allTextContents();
    expect(chips.join('')).toBe(sentence.replace('\u00A0', '⟨U+00A0⟩').replace('\u200B', '⟨U+200B⟩'));
    const ranked = ranking(told).slice(0, 5).filter((row) => row.score > 0);
    expect((await rowsOf(figure)).map(({ key, score }) => [key, score])).toEqual(ranked.map((row) => [row.key.phrase, two(row.score)]));
  });
});
