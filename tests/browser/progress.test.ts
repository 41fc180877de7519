// What the device keeps of the reading and what is said about it: the contents' account, forgetting, storage that is
// refused or full of nonsense, two tabs; citing a page; the answer key on paper.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';

const open = useBook();
const chapter = '03-one-head';

const addressOf = (page: Page, name: string) => new URL(name, page.url()).href;

/** Another page of the same reader. */
async function beside(page: Page, name: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(addressOf(page, name));
  return other;
}

async function answer(page: Page, id: string, typed: string): Promise<void> {
  const field = page.locator(`#${id} .answer-line input`);
  await field.fill(typed);
  await field.press('Enter');
  await page.locator(`#${id} .verdict`).filter({ hasText: /./ }).waitFor();
}

const account = async (page: Page, name = chapter) => (await page.locator(`[data-account="${name}"]`).innerText()).replace(/\s+/g, ' ').trim();
const setDepth = (page: Page, name: string) => page.locator('.setting-depth label', { hasText: name }).click();

describe('progress', () => {
  it('is told by the contents: begun, read, and how many exercises are right', async () => {
    const page = await open('index.html');
    await expect.poll(() => account(page)).toMatch(/^about \d+ minutes unread \d+ exercises$/);
    const reading = await beside(page, `${chapter}.html`);
    await answer(reading, 'ex-divide', '8');
    await answer(reading, 'ex-write', '63');
    // The other tab hears of it.
    await expect.poll(() => account(page)).toMatch(/begun.*1 of \d+ exercises right/);
    await reading.locator('#summary').scrollIntoViewIfNeeded();
    await expect.poll(() => account(page)).toMatch(/\bread\b/);
    await reading.locator('#ex-divide').getByRole('button', { name: 'Answer again' }).click();
    await expect.poll(() => account(page)).toMatch(/0 of \d+ exercises right/);
    await page.reload();
    await expect.poll(() => account(page)).toMatch(/\bread\b.*0 of \d+ exercises right/);
    expect(await account(page, '02-searching')).toContain('unread');
  });

  it('follows the depth, in times and in exercises, also at the chapter’s head', async () => {
    const page = await open('index.html');
    const read = async () => /about (\d+) minutes.*?(\d+) exercises/.exec(await account(page))!.slice(1).map(Number) as [number, number];
    const found: [number, number][] = [];
    for (const depth of ['Plain', 'Detail', 'Math']) {
      await setDepth(page, depth);
      await page.locator(`html[data-depth=${depth.toLowerCase()}]`).waitFor();
      found.push(await read());
    }
    const [plain, detail, math] = found as [[number, number], [number, number], [number, number]];
    expect(plain[0]).toBeLessThan(detail[0]);
    expect(detail[0]).toBeLessThan(math[0]);
    expect(plain[1]).toBeLessThan(math[1]);
    const reading = await beside(page, `${chapter}.html`);
    const head = () => reading.locator('.opening-number').innerText();
    expect(await head()).toContain(`about ${math[0]} minutes`);
    await setDepth(reading, 'Plain');
    expect(await head()).toContain(`about ${plain[0]} minutes`);
  });

  it('is kept whole when two tabs answer', async () => {
    const one = await open(`${chapter}.html`);
    const two = await beside(one, `${chapter}.html`);
    await answer(one, 'ex-divide', '8');
    await answer(two, 'ex-write', '64');
    await one.reload();
    for (const id of ['ex-divide', 'ex-write']) await expect.poll(() => one.locator(`#${id} .verdict`).textContent()).toBe('Right.');
    const contents = await beside(one, 'index.html');
    await expect.poll(() => account(contents)).toContain('2 of ');
  });

  it('comes back with the numbers that were drawn', async () => {
    const page = await open(`${chapter}.html`);
    const exercise = page.locator('#ex-visible');
    const tokens = () => exercise.locator('.question-text [data-of]').innerText();
    await exercise.getByRole('button', { name: 'Other numbers' }).click();
    await expect.poll(() => exercise.locator('input').getAttribute('data-answer')).not.toBe('45');
    const n = Number(await tokens());
    await answer(page, 'ex-visible', String((n * (n + 1)) / 2));
    await page.reload();
    await expect.poll(() => exercise.locator('.verdict').textContent()).toBe('Right.');
    expect(Number(await tokens())).toBe(n);
    const contents = await beside(page, 'index.html');
    await expect.poll(() => account(contents)).toContain('1 of ');
  });
});

describe('forgetting', () => {
  it('asks first, and then forgets answers and progress but no settings', async () => {
    const page = await open(`${chapter}.html`);
    await setDepth(page, 'Plain');
    await answer(page, 'ex-divide', '8');
    const contents = await beside(page, 'index.html');
    await expect.poll(() => account(contents)).toContain('1 of ');
    const settings = page.locator('details.menu-end');
    await settings.locator('summary').click();
    await settings.getByRole('button', { name: 'Forget my answers' }).click();
    await settings.getByRole('button', { name: 'Keep' }).click();
    expect(await page.locator('#ex-divide .verdict').textContent()).toBe('Right.');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Forget my answers and progress');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await settings.getByRole('status').textContent()).toBe('Forgotten.');
    expect(await page.locator('#ex-divide').getByRole('button', { name: 'Check' }).isVisible()).toBe(true);
    expect(await page.locator('#ex-divide input').inputValue()).toBe('');
    await expect.poll(() => account(contents)).toMatch(/unread \d+ exercises$/);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /^lookback\.(answer|right|numbers|read)\./.test(key)))).toEqual([]);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset['depth'])).toBe('plain');
  });
});

describe('storage', () => {
  it('that is refused costs one sentence, and answers last as long as the page', async () => {
    const page = await open('index.html');
    await page.context().addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('refused', 'SecurityError'); } }));
    await page.reload();
    const sentence = page.getByText('This browser keeps nothing for the book');
    await sentence.waitFor();
    expect(await account(page)).not.toContain('unread');
    await page.locator('details.menu-end summary').click();
    await expect.poll(() => page.locator('[data-forgetting] button').count()).toBe(0);
    expect(await sentence.count()).toBe(1);
    await page.goto(addressOf(page, `${chapter}.html`));
    await answer(page, 'ex-divide', '8');
    expect(await page.locator('#ex-divide .verdict').textContent()).toBe('Right.');
    await page.locator('#ex-divide').getByRole('button', { name: 'Answer again' }).click();
    expect(await page.locator('#ex-divide input').inputValue()).toBe('');
    await page.locator('details.menu-end summary').click();
    await sentence.waitFor();
    expect(await sentence.count()).toBe(1);
  });

  const nonsense = ['', '{', 'null', '-1', '1e999', '0,1,2,3,4,5,6', 'constructor', '{"tokens":1e9}', '<img src=x onerror=alert(1)>'].map((junk) => [junk, junk]);
  it.each([...nonsense, ['100,000 letters', 'x'.repeat(100_000)]])('with %j in every place is ignored', async (_name, junk) => {
    const page = await open('index.html');
    await page.evaluate(([text, name]) => {
      const ids = ['ex-visible', 'ex-ratio', 'ex-divide', 'ex-score', 'why-root', 'first-row'];
      for (const kind of ['answer', 'right', 'numbers']) for (const id of ids) localStorage.setItem(`lookback.${kind}.${name}.${id}`, text!);
      for (const key of [`read.${name}`, `depth.${name}.six-stages`, `depth.${name}.the-mask`, 'depth', 'theme', 'base', 'answer', 'right', 'read']) localStorage.setItem(`lookback.${key}`, text!);
    }, [junk, chapter]);
    await page.reload();
    await expect.poll(() => account(page)).toMatch(/^about \d+ minutes unread (0 of )?\d+ exercises( right)?$/);
    await page.goto(addressOf(page, `${chapter}.html`));
    await page.locator('#ex-visible').getByRole('button', { name: 'Other numbers' }).waitFor();
    expect(await page.locator('#ex-visible .question-text [data-of]').innerText()).toBe('9');
    expect(await page.evaluate(() => document.documentElement.dataset['depth'])).toBe('detail');
    expect(await page.locator('[data-passage][data-depth]').count()).toBe(0);
    // The page still works.
    if (await page.locator('#ex-divide').getByRole('button', { name: 'Answer again' }).isVisible()) await page.locator('#ex-divide').getByRole('button', { name: 'Answer again' }).click();
    await answer(page, 'ex-divide', '8');
    expect(await page.locator('#ex-divide .verdict').textContent()).toBe('Right.');
  });
});

describe('without a script', () => {
  it('the contents are complete and a page can be cited', async () => {
    const page = await open('index.html', { javaScriptEnabled: false });
    expect(await account(page)).toMatch(/^about \d+ minutes \d+ exercises$/);
    expect(await page.getByRole('row').count()).toBe(9);
    await page.goto(addressOf(page, `${chapter}.html`));
    await page.locator('.citing > summary').click();
    const text = await page.locator('.citing').innerText();
    expect(text).toContain('“One head, in full”. Chapter 3 of Lookback');
    expect(text).toContain('url = {03-one-head.html}');
    expect(text).not.toMatch(/Read on|urldate|Copy/);
  });
});

describe('citing a page', () => {
  it('gives address and date, with the state when asked, and says what it copied', async () => {
    const page = await open(`${chapter}.html#&one-head.stage=raw`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const cite = page.locator('.citing');
    await cite.locator('summary').focus();
    await page.keyboard.press('Enter');
    const bare = addressOf(page, `${chapter}.html`);
    await expect.poll(() => cite.locator('p.citing-text').innerText()).toContain(`${bare}. Read on ${new Date().getDate()} `);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    const said = cite.getByRole('status');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => said.textContent()).toBe('Text copied.');
    expect(await clipboard()).toBe(await cite.locator('p.citing-text').textContent());
    await cite.getByRole('button', { name: 'Copy BibTeX' }).click();
    await expect.poll(() => said.textContent()).toBe('BibTeX copied.');
    expect(await clipboard()).toMatch(new RegExp(`^@misc\\{lookback-one-head,[^]*url = \\{${bare.replaceAll('.', '\\.')}\\},\\n  urldate = \\{\\d{4}-\\d\\d-\\d\\d\\}\\n\\}$`));
    const state = cite.getByRole('button', { name: 'With the present state' });
    await state.click();
    expect(await state.getAttribute('aria-pressed')).toBe('true');
    await cite.getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(clipboard).toContain(`${bare}#one-head.stage=raw. Read on`);
    await setDepth(page, 'Math');
    await cite.getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(clipboard).toContain('depth=math');
    await state.click();
    expect(await cite.locator('pre').innerText()).toContain(`url = {${bare}}`);
  });

  it('says so where the browser does not copy, and selects the text', async () => {
    const page = await open(`${chapter}.html`);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('.citing > summary').click();
    await page.locator('.citing').getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(() => page.locator('.citing').getByRole('status').textContent()).toContain('The text is selected');
    expect(await page.evaluate(() => getSelection()!.toString())).toContain('One head, in full');
  });
});

describe('the answer key', () => {
  it('prints without the masthead, and its links lead to the questions', async () => {
    const page = await open('answers.html');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.masthead').isVisible()).toBe(false);
    expect(await page.locator('.key-answer').first().isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.locator('[id="03-one-head-ex-divide"] a').first().click();
    await page.locator('#ex-divide').waitFor();
    expect(page.url()).toContain('03-one-head.html#ex-divide');
  });
});
