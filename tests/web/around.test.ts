// What stands around the chapters: lesson times, the answer key, and how to cite a page.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileBook } from '../../web/compiler/book.ts';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { nameLatex, parseFormula } from '../../web/compiler/formula.ts';
import { minutesOf, type Length } from '../../web/compiler/length.ts';
import type { NativeProgram } from '../../web/compiler/native.ts';
import type { Engine } from '../../web/engine/types.ts';

const assets = { style: 'assets/book.css', equations: 'assets/equations.css', early: 'assets/early.js', shell: 'assets/shell.js', fonts: [], mathFont: 'assets/maths.woff2', search: 'assets/search.json' };

const engine = {
  ...nativeEngine('/nowhere'),
  lesson: async (_name: string, { a, b = 1 }: { a: number; b?: number }) => ({ sum: a + b, third: a / 3 }),
} as unknown as Engine;
const native = { lesson: (name: any, input: any) => engine.lesson(name, input) } as unknown as NativeProgram;

let folder: string;
let count = 0;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lookback-around-'))));
afterAll(() => rm(folder, { recursive: true }));

async function compile(...texts: string[]): Promise<Map<string, string>> {
  const place = join(folder, String(++count));
  await mkdir(place);
  await writeFile(join(place, 'references.json'), JSON.stringify([{ id: 'su2021', authors: ['Jianlin Su'], title: 'RoFormer', year: 2021, where: 'arXiv', url: 'https://example.org/b' }]));
  const front = (at: number) => `---\ntitle: "Part ${'ABC'[at]} & more"\nnumber: ${at + 1}\nsummary: "What it says."\n---\n\n`;
  await Promise.all(texts.map((text, at) => writeFile(join(place, `0${at + 1}-part.md`), front(at) + text)));
  return (await compileBook({ folder: place, engine, native, littleBytes: 0, figures: new Map(), assets })).pages;
}
const refusal = (text: string) => compile(text).then(() => 'compiled', (error: Error) => error.message);

const choice = '::::guess{#which}\nWhich?:cite[su2021]\n\n- [ ] this\n- [x] that\n\n---\n\nBecause of it.:cite[su2021]\n::::';
const fresh = (formula: string, more = 'tolerance="0.01" at="/sum" answer="3"') =>
  `:::exercise{#sum ${more} lesson="add" input='{"a":1,"b":2}' fresh="/a=10..90 /b=5..9" formula="${formula}"}\n:fresh[1]{of="/a"} and :fresh[2]{of="/b"}?\n\n---\n\nAdd.\n:::`;

describe('the answer key', () => {
  it('has each question with its choices, the right one marked, and the reason', async () => {
    const key = (await compile(`## Here\n\n${choice}\n\n::::math\n:::exercise{#deep answer="-2" tolerance="0.5" unit="points"}\nHow deep?\n\n---\n\nSo deep.\n:::\n::::`)).get('answers.html')!;
    expect(key).toContain('<a href="01-part.html#which">Guess first</a>');
    expect(key).toMatch(/<li>this<\/li>\s*<li class="is-right">that <b class="key-right">right<\/b><\/li>/);
    expect(key).toContain('Because of');
    expect(key).toContain('href="01-part.html#ref-su2021"');
    expect(key).toContain('<span class="key-depth">Math only</span>');
    expect(key.replace(/<[^>]*>/g, '')).toContain('Answer: −2\u00a0points, give or take 0.5');
    expect(key).toContain('So deep.');
    expect(key).not.toMatch(/href="#(?!text)|id="which"|<details class="question/);
  });

  it('is kept from search engines, linked from the contents and from no chapter', async () => {
    const pages = await compile(choice, 'More.');
    expect(pages.get('answers.html')).toContain('<meta name="robots" content="noindex">');
    expect(pages.get('index.html')).toContain('href="answers.html"');
    for (const name of ['01-part.html', '02-part.html', 'glossary.html']) expect(pages.get(name)).not.toContain('answers.html');
  });

  it('works out examples with other numbers, the same at every build', async () => {
    const key = (await compile(fresh('a + b'))).get('answers.html')!;
    const rows = [...key.matchAll(/<tr><td>(\d+)<\/td><td>(\d+)<\/td><td class="key-truth">(\d+)<\/td><\/tr>/g)].map((row) => row.slice(1).map(Number) as [number, number, number]);
    expect(rows).toHaveLength(3);
    for (const [a, b, sum] of rows) {
      expect([a >= 10 && a <= 90, b >= 5 && b <= 9]).toEqual([true, true]);
      expect(sum).toBe(a + b);
    }
    expect(new Set(rows.map(String)).size).toBeGreaterThan(1);
    expect((await compile(fresh('a + b'))).get('answers.html')).toBe(key);
  });

  it.each([
    ['a - b', 'its formula gives'],
    ['a + ', 'is not understood at its end'],
    ['a + c', 'The input has no number "c"'],
  ])('holds the formula %s against the core', async (formula, sentence) => expect(await refusal(fresh(formula))).toContain(sentence));

  it('prints no answer that the page would refuse', async () => {
    expect(await refusal(fresh('a / 3', 'tolerance="0" at="/third" answer="0.333333333333"'))).toContain('the page would not take');
    expect(await refusal(fresh('a / 3', 'tolerance="0.01" at="/third" answer="0.333"'))).toBe('compiled');
  });
});

describe('formulas', () => {
  const of = (names: Record<string, number>) => (name: string) => names[name]!;

  it.each([
    ['1 + 2 * 3', 7], ['(1 + 2) * 3', 9], ['2^3 - 10 / 4', 5.5], ['8 - 3 - 2', 3], ['8 / 4 / 2', 1], ['sqrt(16) * exp(0)', 4], ['q_0 * k_0 + q_1 * k_1', 11], ['2 * pi', 2 * Math.PI],
  ])('%s', (source, value) => expect(parseFormula(source).value(of({ q_0: 1, q_1: 2, k_0: 3, k_1: 4 }))).toBeCloseTo(value, 12));

  it.each(['', '1 +', '(1', '1)', 'sqrt 4', '1 $ 2', '* 2', 'a b'])('refuses %j', (source) => expect(() => parseFormula(source)).toThrow(/is not understood/));

  it('are written as people write them, counted from one', () => {
    expect(parseFormula('tokens * (tokens + 1) / 2').latex).toBe('\\frac{\\text{tokens} \\cdot \\left(\\text{tokens} + 1\\right)}{2}');
    expect(nameLatex('q_0')).toBe('q_{1}');
  });
});

describe('lesson times', () => {
  const words = (many: number) => 'word '.repeat(many);
  const text = `## Here\n\n${words(900)}\n\n:::plain\n${words(150)}\n:::\n\n:::beyond-plain\n${words(1500)}\n:::\n\n::::math\n$$\nx\n$$\n\n${words(600)}\n\n:::exercise{#deep answer="1"}\nHow deep?\n\n---\n\nSo.\n:::\n::::\n\n${choice}`;

  it('count words, figures, equations and questions of a depth', () => {
    const length: Length = { words: 1500, prose: 1400, figures: 2, equations: 3, guesses: ['a'], exercises: ['b', 'c', 'd'] };
    expect(minutesOf(length)).toBe(25); // 10 + 6 + 3 + 8 = 27
    expect(minutesOf({ ...length, exercises: [...'abcde'] })).toBe(30);
  });

  it('stand in the contents and at the chapter’s head, for each depth', async () => {
    const pages = await compile(text);
    // 901 + 150 words and a guess of a dozen words: 7 + 2; with 1500 more, 16 + 2; with 600 more, an equation and an exercise, 23.
    const times = ['plain">about 10', 'detail">about 20', 'math">about 25'];
    for (const time of times) for (const name of ['01-part.html', 'index.html', 'answers.html']) expect(pages.get(name)).toContain(`at-${time} minutes`);
    expect(pages.get('index.html')).toMatch(/<span class="[^"]*at-math" data-exercises="deep">1 exercise<\/span>/);
    expect(pages.get('index.html')).not.toContain('at-detail" data-exercises');
    expect(pages.get('index.html')).toContain('Lesson times count a minute for every 150 words');
  });
});

describe('citing a page', () => {
  const edition = (page: string) => /version (\d+\.\d+\.\d+, text [0-9a-f]{8})/.exec(page)![1];

  it('names title, chapter, version and address, as text and as BibTeX', async () => {
    const page = (await compile('Text.')).get('01-part.html')!;
    const plain = page.slice(page.indexOf('class="citing"')).replace(/<[^>]*>/g, '').replaceAll('&#x26;', '&');
    expect(plain).toContain('“Part A & more”. Chapter 1 of Lookback, a textbook about attention that runs, version 0.1.0, text ');
    expect(plain).toContain('title = {{Part A \\& more}}');
    expect(plain).toContain('url = {01-part.html}\n}');
  });

  it('has a version that changes with the text of any chapter, and only then', async () => {
    const [one, same, other] = await Promise.all([compile('Text.', 'More.'), compile('Text.', 'More.'), compile('Text.', 'Less.')]);
    expect(edition(same.get('01-part.html')!)).toBe(edition(one.get('01-part.html')!));
    expect(edition(other.get('01-part.html')!)).not.toBe(edition(one.get('01-part.html')!));
    expect(edition(one.get('02-part.html')!)).toBe(edition(one.get('01-part.html')!));
  });
});
