// The chapter compiler: what it makes of good chapters, and what it says about bad ones.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../web/node_modules/lit/index.js';
import { compileBook } from '../../web/compiler/book.ts';
import { nativeEngine } from '../../web/compiler/engine.ts';
import type { NativeProgram } from '../../web/compiler/native.ts';
import type { Engine, ModelInfo } from '../../web/engine/types.ts';
import { defineFigure, type FigureDefinition } from '../../web/figures/definition.ts';
import { choice, number, text } from '../../web/state/schema.ts';

const references = [
  { id: 'vaswani2017', authors: ['Ashish Vaswani', 'Noam Shazeer'], title: 'Attention', year: 2017, where: 'NeurIPS', url: 'https://example.org/a' },
  { id: 'su2021', authors: ['Jianlin Su'], title: 'RoFormer', year: 2021, where: 'arXiv', url: 'https://example.org/b' },
];
const assets = { style: 'assets/book.css', equations: 'assets/equations.css', early: 'assets/early.js', shell: 'assets/shell.js', fonts: ['assets/serif.woff2'], mathFont: 'assets/maths.woff2', search: 'assets/search.json' };

/** Adds and halves, so that a claim about it can be checked by hand. */
const engine = {
  ...nativeEngine('/nowhere'),
  lesson: async (name: string, input: { numbers: number[] }) => {
    if (name !== 'add') throw new Error(`There is no lesson "${name}".`);
    const sum = input.numbers.reduce((total, value) => total + value, 0);
    return { sum, parts: input.numbers.map((value) => value / sum), name: 'sum' };
  },
} as unknown as Engine;

/** Says what it was asked, and finds “b” with head 1.2. */
const native: NativeProgram = {
  lesson: (name, input) => engine.lesson(name, input),
  practice: async () => ({}),
  async command(name, options) {
    if (name !== 'inside') throw new Error(`There is no command "${name}".`);
    const tokens = String(options['text']).split(/(?= )/).map((token) => ({ token: `“${token}”` }));
    return { tokens, asked: options, attention: { hardest_looking: tokens.map((_, to) => ({ to, layer: 1, head: 2, share: 0.5 })) } };
  },
};
const little = { name: 'Little model', origin: 'little', config: { n_layers: 3, n_heads: 5 }, file_bytes: 1_234_567 } as ModelInfo;
Object.assign(engine, {
  model: () => little,
  inUse: async () => little,
  run: async () => ({ tokens: [], pass: 1 }),
  head: async () => ({ n: 3, scaled: Float32Array.of(0, 0, 0, 0, 0, 0, 1.5, 2.5, 0.5), pattern: Float32Array.of(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.625, 0.125) }),
  cell: async () => ({ root: 4 }),
});

const adder = defineFigure({
  name: 'adder-figure',
  schema: { a: number({ min: 0, max: 10, step: 1, initial: 2 }) },
  compute: async (asked, state) => (await (asked as any).lesson('add', { numbers: [state.a, 1] })) as { sum: number },
  title: (state, result) => `${state.a} and one make ${result.sum}`,
  describe: (_state, result) => `The sum is ${result.sum}.`,
  table: (_state, result) => ({ caption: 'Sum', columns: ['sum'], rows: [[result.sum]] }),
  view: ({ id, result, set }) => html`<button id="${id}-more" @click=${() => set({ a: 3 })}>${result.sum}</button>`,
});
const styled = { ...adder, name: 'styled-figure', view: () => html`<p style="color: red">x</p>` };
const asking = defineFigure({
  ...adder,
  name: 'asking-figure',
  schema: { layer: number({ min: 0, max: 9, step: 1, initial: 0 }), head: number({ min: 0, max: 9, step: 1, initial: 0 }), text: text({ most: 99, initial: '' }), model: choice(['any', 'little'], 'any') },
  model: () => little,
  together: { model: ['text', 'layer'] },
  compute: async () => ({ sum: 0 }),
  title: (state: any) => `${state.text} in ${state.layer}.${state.head}`,
  view: () => html`<p>x</p>`,
} as any);
const broken = { ...adder, name: 'broken-figure', compute: () => Promise.reject(new Error('The core is asleep.')) };
const figures = new Map<string, FigureDefinition<any, any>>([adder, styled, asking, broken].map((figure) => [figure.name, figure as FigureDefinition<any, any>]));

let folder: string;
let count = 0;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lookback-chapters-'))));
afterAll(() => rm(folder, { recursive: true }));

const front = (title = 'A chapter', chapter = 1) => `---\ntitle: "${title}"\nnumber: ${chapter}\nsummary: "What it says."\n---\n\n`;

async function compile(...texts: string[]) {
  const place = join(folder, String(++count));
  await import('node:fs/promises').then(({ mkdir }) => mkdir(place));
  await writeFile(join(place, 'references.json'), JSON.stringify(references));
  await Promise.all(texts.map((text, at) => writeFile(join(place, `0${at + 1}-part.md`), text.startsWith('---') ? text : front('A chapter', at + 1) + text)));
  return compileBook({ folder: place, engine, native, littleBytes: 1_400_000, figures, assets });
}

const page = async (text: string) => (await compile(text)).pages.get('01-part.html')!;
/** The sentences of a refusal. Front matter takes six lines, so the text begins on line 7. */
const refusal = (...texts: string[]) => compile(...texts).then(() => 'compiled', (error: Error) => error.message);

describe('a page', () => {
  it('has a policy, landmarks, one h1, a description and no script or style of its own', async () => {
    const markup = await page('## Part\n\nText with $x_1^2$ and `code 12`.\n\n$$\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}$$');
    expect(markup).toContain('http-equiv="Content-Security-Policy"');
    expect(markup.match(/<h1/g)).toHaveLength(1);
    expect(markup).toMatch(/<html lang="en" data-depth="detail"/);
    for (const piece of ['<main id="text"', '<header class="masthead"', '<footer', 'href="#text"', '<meta name="description" content="What it says."']) expect(markup).toContain(piece);
    expect(markup).not.toMatch(/<style|<[^>]*\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=/);
    expect(markup).not.toMatch(/(href|src)="\//);
  });

  it('turns the styles of equations into classes of the book’s sheet', async () => {
    const book = await compile('$$\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}$$');
    const used = [...book.pages.get('01-part.html')!.matchAll(/\btm-[0-9a-f]{6}\b/g)].map(([name]) => name);
    expect(used.length).toBeGreaterThan(0);
    for (const name of used) expect(book.equationSheet).toContain(`.${name} {`);
    expect(book.characters).toContain('a');
  });

  it('holds every depth, marked for the style sheet', async () => {
    const markup = await page(':::plain\nEasy.\n:::\n\n:::beyond-plain\nHarder.\n:::\n\n::::math\n$$x$$\n::::');
    for (const depth of ['plain', 'beyond-plain', 'math']) expect(markup).toContain(`<div class="for for-${depth}">`);
    expect(markup).toContain('data-passage="depths"');
  });

  it('shows a note in the line and below its paragraph, with ids only once', async () => {
    const markup = await page('A claim.:note[See :cite[su2021].] More.');
    expect(markup.match(/See/g)).toHaveLength(2);
    expect(markup.match(/id="cite-su2021-1"/g)).toHaveLength(1);
  });

  it('sets a reference apart from the number it follows', async () => {
    const markup = await page('A row has :fact[64]{ref=su2021} numbers.:cite[su2021]');
    expect([...markup.matchAll(/class="(cite[^"]*)"/g)].map(([, classes]) => classes)).toEqual(['cite cite-number', 'cite']);
  });

  it('numbers citations by first use and lists them once', async () => {
    const markup = await page('One.:cite[su2021] Two.:cite[vaswani2017] Again.:cite[su2021]');
    expect([...markup.matchAll(/class="cite"[^>]*>(\[\d\])</g)].map(([, mark]) => mark)).toEqual(['[1]', '[2]', '[1]']);
    expect([...markup.matchAll(/<li id="ref-(\w+)"/g)].map(([, id]) => id)).toEqual(['su2021', 'vaswani2017']);
  });
});

describe('figures', () => {
  it('show their first state, worked out by the engine, in the frame', async () => {
    const markup = await page('::figure{#sum name="adder-figure" caption="Adds." a="4"}');
    expect(markup).toContain('<adder-figure id="sum" data-figure="adder-figure" number="1.1" caption="Adds." a="4">');
    expect(markup).toContain('<span class="figure-number">Figure 1.1</span> 4 and one make 5');
    expect(markup).toContain('id="sum-more"');
    expect(markup).not.toContain('<!--');
  });

  it('are set by links of the prose, by id or by name', async () => {
    const markup = await page('::figure{#sum name="adder-figure"}\n\n[Three](figure:adder-figure?a=3), [four](figure:sum?a=4), [](figure:sum)');
    expect(markup).toContain('<a class="sets" href="#sum&#x26;sum.a=3">Three</a>');
    expect(markup).toContain('<a class="sets" href="#sum&#x26;sum.a=4">four</a>');
    expect(markup).toContain('<a href="#sum">Figure 1.1</a>');
  });

  it('are taken back, by a link, in what belongs to what the link sets', async () => {
    const markup = await page('::figure{#f name="asking-figure"}\n\n[Little](figure:f?model=little&layer=2), [only layer](figure:f?layer=3)');
    expect(markup).toContain('href="#f&#x26;f.model=little&#x26;f.layer=2&#x26;f.text="');
    expect(markup).toContain('href="#f&#x26;f.layer=3"');
  });

  it('lose controls by links of the prose', async () => {
    const markup = await page('::figure{#sum name="adder-figure"}\n\n[Three, by hand](figure:sum?a=3&hide=a,numbers), [all again](figure:sum?hide=)');
    expect(markup).toContain('<a class="sets" href="#sum&#x26;sum.a=3&#x26;sum.hide=a,numbers">Three, by hand</a>');
    expect(markup).toContain('<a class="sets" href="#sum&#x26;sum.hide=">all again</a>');
  });

  it.each([
    ['::figure{#x name="no-figure"}', '01-part.md:7: There is no figure "no-figure"; there are adder-figure, styled-figure, asking-figure, broken-figure.'],
    ['::figure{#x name="adder-figure" b="1"}', '01-part.md:7: Figure "adder-figure": it has no "b"; it has a.'],
    ['::figure{#x name="adder-figure" a="11"}', '01-part.md:7: Figure "adder-figure": a="11" becomes "10"; write that, or a value it allows.'],
    ['::figure{#x name="adder-figure"}\n\n[y](figure:x?a=z)', '01-part.md:9: Figure "adder-figure": a="z" becomes "2"; write that, or a value it allows.'],
    ['::figure{#x name="adder-figure"}\n\n[y](figure:x?hide=A,,b!)', '01-part.md:9: Figure "adder-figure": hide="A,,b!" becomes "a"; write that, or names joined by commas.'],
    ['[y](figure:sum)', '01-part.md:7: There is no figure "sum" in this chapter, or more than one: name it by its id.'],
    ['::figure{#x name="broken-figure"}', '01-part.md:7: Figure "broken-figure" (x): The core is asleep.'],
    ['::figure{#x name="styled-figure"}', '01-part.md:7: Figure "styled-figure" (x): its view writes a style attribute, which the page’s policy forbids.'],
    ['::figure{#x name="adder-figure"}\n\n::figure{#x name="adder-figure"}', '01-part.md:9: The id "x" is already taken in this chapter.'],
  ])('%s', async (text, sentence) => expect(await refusal(text)).toBe(sentence));
});

describe('numbers', () => {
  it.each(['There are 12 heads.', 'Half, ½.', 'A list:\n\n- with 3', '*7*', ':note[In 9 cases.]', ':term[x]{means="has 2 parts"}', '::figure{#f name="adder-figure" caption="All 5."}', '| a |\n|---|\n| 4 |'])(
    'without a source are refused: %s',
    async (text) => expect(await refusal(text)).toMatch(/^01-part\.md:\d+: The number in "…[^]*…" has no source/),
  );

  it.each(['GPT-2 and UTF-8.', 'In 2017 it began.', 'As figure 2.1 and chapter 3 show.', '$n = 12$', '`768`', ':given[(2, 1)]', ':fact[768]{ref=su2021}', ':recorded[36 %]{ref=su2021}', '[chapter 1](chapter:01-part)'])(
    'with a source, or of another kind, pass: %s',
    async (text) => expect(await refusal(text)).toBe('compiled'),
  );

  const claim = (shown: string, at: string, as: string, numbers: string | undefined = '[1,2]') => `:claim[${shown}]{lesson="add" input='{"numbers":${numbers}}' at="${at}" as="${as}"}`;

  it.each<string[]>([
    ['3', '/sum', 'integer'], ['3.00', '/sum', 'fixed2'], ['33 %', '/parts/0', 'percent'], ['33.3 %', '/parts/0', 'percent1'], ['67\u202f%', '/parts/1', 'percent'],
    ['1 024', '/sum', 'integer', '[1000,24]'], ['−5', '/sum', 'integer', '[-6,1]'], ['0.2 %', '/parts/0', 'percent', '[1,499]'], ['sum', '/name', 'text'],
  ])('claimed as %s hold', async (shown, at, as, numbers) => expect(await refusal(claim(shown!, at!, as!, numbers))).toBe('compiled'));

  it.each([
    ['4', '/sum', 'integer', 'The chapter says 4, the core computes 3'],
    ['3.01', '/sum', 'fixed2', 'The chapter says 3.01, the core computes 3.00'],
    ['34 %', '/parts/0', 'percent', 'The chapter says 34 %, the core computes 33\u202f%'],
    ['3', '/total', 'integer', 'lesson add on {"numbers":[1,2]} at /total: there is nothing there.'],
    ['3', '/sum', 'roman', 'A claim is displayed as one of percent,'],
    ['3', '/name', 'integer', 'is "sum", not a number.'],
  ])('claimed as %s at %s as %s fail with chapter and line', async (shown, at, as, sentence) => {
    const message = await refusal(`Text.\n\n${claim(shown, at, as)}`);
    expect(message).toMatch(/^01-part\.md:9: /);
    expect(message).toContain(sentence);
  });

  it('without a text are filled in by the core, within their bounds', async () => {
    const markup = await page(`:claim{lesson="add" input='{"numbers":[1,2]}' at="/parts/1" as="percent" within="0.5..1"} and :claim{model="little" at="/file_bytes" as="megabytes"}`);
    expect(markup).toContain('<span class="num claim">67\u202f%</span> and <span class="num claim">1.2\u202fMB</span>');
    expect(await refusal(claim('', '/sum', 'integer').replace('as=', 'within="4..9" as='))).toContain('The sentence holds from 4 to 9, the core computes 3');
    expect(await refusal(claim('3', '/sum', 'integer').replace('as=', 'within="4" as='))).toContain('within="4" must be two numbers, such as 0.3..1.');
  });

  it('may come from any command of the native program and from the little model', async () => {
    const asked = (at: string, shown: string) => `:claim[${shown}]{command="inside" input='{"text":"a b","from":1}' at="${at}" as="integer"}`;
    expect(await refusal(asked('/asked/from', '1'))).toBe('compiled');
    expect(await refusal(asked('/asked/from', '2'))).toContain('The chapter says 2, the core computes 1 (inside on {"text":"a b","from":1} at /asked/from).');
    expect(await refusal(':claim[4]{model="little" at="/config/n_layers" as="integer"}')).toContain('The chapter says 4, the core computes 3');
    expect(await refusal(':claim[1]{command="outside" input="{}" at="/x" as="integer"}')).toContain('There is no command "outside".');
    expect(await refusal(':claim[1]{at="/x" as="integer"}')).toContain('a claim needs one of lesson, command, practice, model and head.');
  });

  it('give the engine’s sentence when a lesson fails', async () => {
    expect(await refusal(':claim[3]{lesson="subtract" input="{}" at="/x" as="integer"}')).toContain('There is no lesson "subtract".');
  });
});

describe('heads that the front matter names', () => {
  const named = (heads: string) => front().replace('\n---\n\n', `\nheads:\n  finder: ${heads}\n---\n\n`);
  const finder = named('{text: "a b c", from: "c", to: "b"}');

  it('stand for layer, head and text of figures and links', async () => {
    const markup = await page(`${finder}::figure{#f name="asking-figure" head="finder"}\n\n[Again](figure:f?head=finder)`);
    expect(markup).toContain('text="a b c" layer="1" head="2" model="little"');
    expect(markup).toContain('</span> a b c in 1.2');
    expect(markup).toContain('href="#f&#x26;f.text=a%20b%20c&#x26;f.layer=1&#x26;f.head=2&#x26;f.model=little"');
  });

  it('are claims: name, row of scores and shares, divisor', async () => {
    const markup = await page(`${finder}:claim{head="finder"} gives :claim{head="finder" at="/share" as="percent"} for :claim{head="finder" at="/scores/0" as="fixed1"} over :claim{head="finder" at="/root" as="number"}`);
    expect(markup.replace(/<[^>]*>/g, '')).toContain('1.2 gives 63\u202f% for 1.5 over 4');
    const asked = await refusal(`${finder}:claim[9.9]{command="inside" input='{"text":"x","head":"finder"}' at="/asked/head" as="text"}`);
    expect(asked).toContain('The chapter says 9.9, the core computes 1.2');
  });

  it.each([
    ['{text: "a b c", from: "d", to: "b"}', 'heads: finder: “a b c” has no token “d”; it has a, b, c.'],
    ['{text: "a b c", from: "a", to: "b"}', 'heads: finder: “b” stands after “a”, which cannot see it.'],
    ['{text: "a b c", from: "c"}', 'heads: finder needs text, from and to.'],
  ])('%s', async (heads, sentence) => expect(await refusal(named(heads))).toContain(sentence));

  it('are told when a claim names another', async () => {
    expect(await refusal(`${finder}:claim{head="keeper"}`)).toContain('head keeper: the front matter names no such head; it names finder.');
  });
});

describe('a figure that asks a model', () => {
  it('says which, with a way to what that is, and the page says what it fetches', async () => {
    const { pages } = await compile('::figure{#f name="asking-figure"}\n\n:term[little model]{means="the one that comes with the book"}', 'Nothing.');
    const markup = pages.get('01-part.html')!;
    expect(markup).toContain('<p class="figure-model"><a class="model-name" href="glossary.html#little-model">Little model</a> · 3 layers × 5 heads, trained on made-up stories</p>');
    expect(markup).toContain('data-model="little"');
    expect(markup).toContain('1.4\u202fMB, are fetched from this site');
    expect(pages.get('glossary.html')).toContain('<dt id="little-model"');
    expect(pages.get('02-part.html')).not.toContain('fetched from this site');
  });
});

describe('equations', () => {
  const statements = async (source: string) => (await page(`::::math\n$$\n${source}\n$$\n::::`)).match(/<math/g)!.length;

  it('stand in statements, which may stand under one another, and stay whole where those are parts of something', async () => {
    expect(await statements('a = b, \\qquad c = d , \\qquad e')).toBe(3);
    expect(await statements('\\sqrt{a \\qquad b} \\qquad c')).toBe(2);
    expect(await statements('\\begin{aligned} a &= b \\qquad c \\\\ d &= e \\end{aligned}')).toBe(1);
    expect(await statements('\\left( a \\qquad b \\right) \\{ \\qquad c')).toBe(2);
  });

  it('that break their maker are refused in our own words', async () => {
    const broken = 'N = \\{\\pi_1, \\dots^}1=i{_mus\\ : j {\\giB\\nim\\ = m dauqq\\ ,}\\m_ip\\ ,{j} p_{\\pi_i} \\ge p^{*} \\Big\\},';
    expect(await refusal(`::::math\n$$\n${broken}\n$$\n::::`)).toContain('this is no LaTeX that can be set.');
  });
});

describe('questions', () => {
  const choice = '::::guess{#g}\nWhich?\n\n- [ ] this\n- [x] that\n\n---\n\nBecause.\n::::';

  it('keep the answer folded away and mark the right choice', async () => {
    const markup = await page(choice);
    expect(markup).toMatch(/<details class="question-answer"><summary>Answer<\/summary><p class="right-answer">that<\/p>/);
    expect(markup.match(/data-right="yes"/g)).toHaveLength(1);
    expect(markup).toContain('type="radio"');
  });

  it('do not tell by what can be ticked how many choices are right', async () => {
    const ticked = (asked: string, first = ' ') => `::::guess{#g}\n${asked}\n\n- [${first}] this\n- [x] that\n\n---\n\nBecause.\n::::`;
    for (const first of [' ', 'x']) expect((await page(ticked('Tick all that are.', first))).match(/type="checkbox"/g)).toHaveLength(2);
    expect(await refusal(ticked('Which?', 'x'))).toContain('"g" has more than one right choice, so it must say “Tick all …”.');
  });

  it('check an exercise’s answer with the core', async () => {
    const exercise = (answer: string) => `:::exercise{#e answer="${answer}" tolerance="0.1" lesson="add" input='{"numbers":[1,2]}' at="/sum"}\nHow much?\n\n---\n\nThree.\n:::`;
    expect(await refusal(exercise('3'))).toBe('compiled');
    expect(await refusal(exercise('3.5'))).toContain('01-part.md:7: The chapter says 3.5, the core computes 3');
  });

  it('check an exercise’s fresh numbers with its lesson', async () => {
    const exercise = (of: string, sum: string, fresh = '/numbers/0=1..9') =>
      `:::exercise{#e answer="3" lesson="add" input='{"numbers":[1,2]}' at="/sum" fresh="${fresh}"}\n:fresh[${of}]{of="/numbers/0"} and two?\n\n---\n\n:fresh[${sum}]{at="/sum" as="integer"}.\n:::`;
    expect(await refusal(exercise('1', '3'))).toBe('compiled');
    expect(await refusal(exercise('2', '3'))).toContain('":fresh[2]" is 1 in the exercise’s numbers');
    expect(await refusal(exercise('1', '4'))).toContain('":fresh[4]" is 3 in the exercise’s numbers');
    expect(await refusal(exercise('1', '3', '/numbers/7=1..9'))).toContain('the input has no number at /numbers/7');
    expect(await refusal(exercise('1', '3', 'all'))).toContain('must be a place and a range');
  });

  it.each([
    ['::::guess{#g}\nWhich?\n\n- [ ] $r$\n- [x] that\n\n---\n\nBecause.\n::::', 'a choice needs words beside its equation'],
    ['::::guess{#g}\nWhich?\n\n- [ ] this\n- [ ] that\n\n---\n\nBecause.\n::::', 'needs at least two choices, one of them marked "- [x]".'],
    ['::::guess{#g}\nWhich?\n\n- [ ] this\n- [x] that\n::::', 'needs its explanation, after an empty line, a line "---"'],
    [':::exercise{#g answer="three"}\nHow much?\n\n---\n\nThree.\n:::', '"g": answer="three" is no number.'],
    [':::exercise{#g}\nHow much?\n\n---\n\nThree.\n:::', 'needs choices ("- [x] right", "- [ ] wrong") or answer="…", a number.'],
    [':::guess\nWhich?\n:::', '":::guess" needs id="…".'],
  ])('%s', async (text, sentence) => expect(await refusal(text)).toContain(sentence));
});

describe('mistakes of an author', () => {
  it.each([
    ['Text.\n\n:bold[x]', '01-part.md:9: ":bold[…]" is no directive; a colon before a word is written "\\:".'],
    ['::note[x]', '01-part.md:7: "::note" must be written ":note[…]".'],
    [':::plain{colour="red"}\nx\n:::', '01-part.md:7: ":::plain" takes no attribute "colour".'],
    ['<b>x</b>', 'HTML does not belong in a chapter; use a directive.'],
    ['# Title', '01-part.md:7: The title comes from the front matter; begin with "##".'],
    ['[x](chapter:09-none)', '01-part.md:7: There is no chapter "09-none"; there are 01-part.'],
    ['[x](chapter:01-part#none)', '01-part.md:7: Chapter "01-part" has no place "none".'],
    ['[x](http://example.org)', '01-part.md:7: The link "http://example.org" must begin with chapter:, figure: or https://.'],
    [':cite[nobody1999]', '01-part.md:7: There is no reference "nobody1999" in references.json.'],
    ['$\\nonsense{$', '01-part.md:7: Equation "\\nonsense{": '],
    ['## Same\n\n## Same', '01-part.md:9: The id "same" is already taken in this chapter.'],
    ['---\ntitle: x\n---\n', 'The front matter needs "number", a whole number.'],
  ])('%s', async (text, sentence) => expect(await refusal(text)).toContain(sentence));

  it('are all told at once, in the order of the files', async () => {
    expect((await refusal('9\n\n:cite[x1]', 'See 8.')).split('\n').map((line) => line.slice(0, 13))).toEqual(['01-part.md:7:', '01-part.md:9:', '02-part.md:7:']);
  });

  it('include a term explained twice, but not one explained alike at two depths', async () => {
    const term = (means: string) => `:term[key]{means="${means}"}`;
    expect(await refusal(`:::plain\n${term('a')}\n:::\n\n:::beyond-plain\n${term('a')}\n:::`)).toBe('compiled');
    expect(await refusal(`${term('a')} ${term('b')}`)).toContain('is already explained in 01-part.md, as "a"');
    expect(await refusal(term('a'), term('a'))).toContain('02-part.md:7: The term "key" is already explained in 01-part.md');
  });
});

describe('the whole book', () => {
  it('has contents, a glossary, previous and next, and links between chapters', async () => {
    const { pages } = await compile(`${front('First')}## Here\n\n:term[key]{means="what is found"}`, `${front('Second', 2)}[back](chapter:01-part#here)`);
    expect([...pages.keys()]).toEqual(['01-part.html', '02-part.html', 'index.html', 'glossary.html', 'answers.html']);
    expect(pages.get('02-part.html')).toContain('<a href="01-part.html#here">back</a>');
    expect(pages.get('02-part.html')).toMatch(/rel="prev" href="01-part\.html"/);
    expect(pages.get('01-part.html')).toMatch(/rel="next" href="02-part\.html"/);
    expect(pages.get('index.html')).toContain('What it says.');
    expect(pages.get('glossary.html')).toContain('<a href="01-part.html#term-key">key</a>');
  });
});
