// Any text as a chapter: the compiler makes a clean page of it or names what is wrong, each with file and line.

import fc from 'fast-check';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Element, Root } from '../../web/node_modules/@types/hast/index.js';
import { fromHtml } from '../../web/node_modules/hast-util-from-html/index.js';
import { html } from '../../web/node_modules/lit/index.js';
import { visit } from '../../web/node_modules/unist-util-visit/index.js';
import { compileBook } from '../../web/compiler/book.ts';
import { nativeEngine } from '../../web/compiler/engine.ts';
import type { NativeProgram } from '../../web/compiler/native.ts';
import type { Engine } from '../../web/engine/types.ts';
import { defineFigure, type FigureDefinition } from '../../web/figures/definition.ts';
import { choice, number, text } from '../../web/state/schema.ts';

const seconds = Number(process.env['SECONDS_EACH'] ?? 0);
const budget = { seed: Number(process.env['SEED'] ?? 1), ...(seconds > 0 && { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false }) };
const patience = seconds * 1000 + 180_000;

const assets = { style: 'assets/book.css', equations: 'assets/equations.css', early: 'assets/early.js', shell: 'assets/shell.js', fonts: [], mathFont: 'assets/maths.woff2', search: 'assets/search.json' };
const lesson = async (name: string, input: any) => {
  if (name !== 'add') throw new Error(`There is no lesson "${name}".`);
  return { sum: Number(input?.a) + 1, name: 'sum' };
};
const little = { name: 'Little model', origin: 'little', config: { n_layers: 3, n_heads: 5 } };
const engine = { ...nativeEngine('/nowhere'), lesson, model: () => little, inUse: async () => little } as unknown as Engine;
const native: NativeProgram = { lesson: lesson as unknown as NativeProgram['lesson'], practice: async () => ({}), command: async (_, asked) => ({ asked, tokens: [] }) };
const figure = defineFigure({
  name: 'adder-figure',
  schema: { a: number({ min: 0, max: 10, step: 1, initial: 2 }), kind: choice(['one', 'two'], 'one'), words: text({ most: 200, initial: '' }) },
  compute: async (_, state) => ({ sum: state.a + 1 }),
  title: (state, { sum }) => `${state.words} make ${sum}`,
  describe: (state, { sum }) => `The sum of ${state.words} is ${sum}.`,
  table: (state, { sum }) => ({ caption: state.words, columns: [state.words], rows: [[sum]] }),
  view: ({ id, state }) => html`<button id="${id}-more" title=${state.words}>${state.words}</button>`,
});
const figures = new Map([[figure.name, figure as FigureDefinition<any, any>]]);
const references = [{ id: 'su2021', authors: ['Jianlin Su'], title: 'RoFormer', year: 2021, where: 'arXiv', url: 'https://example.org/b' }];

let folder: string;
const own: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-fuzz-'));
  await writeFile(join(folder, 'references.json'), JSON.stringify(references));
  const chapters = fileURLToPath(new URL('../../chapters/', import.meta.url));
  for (const name of await readdir(chapters)) if (/^\d\d-/.test(name)) own.push(await readFile(join(chapters, name), 'utf8'));
});
afterAll(() => rm(folder, { recursive: true }));

// ------------------------------------------------------------------------------------------------------ a chapter's parts

const nasty = fc.constantFrom(
  '<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '</script>', '<!--', '-->', '<?x', ']]>', '" onload="alert(1)', "' x='", '&lt;b&gt;', '&#60;', '<a href="javascript:alert(1)">', '{{x}}', '${x}',
  '\\', '`', ':', '::', ':::', '$', '[', ']', '(', '{', '}', '|', '~', '*', '_', '\u0000', '\ufeff', '\u202e', '\u2028', '\ud800', '\t', '😀', '42', '3 %', '---', '\n', '\n\n', 'a b', 'x',
);
const words = fc.array(fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) }), { maxLength: 4 }).map((parts) => parts.join(''));
const calm = fc.constantFrom('Words', 'a token', 'the *query*', '**key**', '`code 1`', '$x_1^2$', 'one of many');
const name = fc.constantFrom('plain', 'detail', 'math', 'beyond-plain', 'guess', 'exercise', 'summary', 'figure', 'q', 'k', 'v', 'note', 'cite', 'term', 'fact', 'recorded', 'claim', 'given', 'fresh', 'constructor', '__proto__', 'toString', 'nobody');
const key = fc.constantFrom('id', 'name', 'caption', 'means', 'ref', 'claim', 'lesson', 'input', 'at', 'as', 'within', 'answer', 'tolerance', 'unit', 'fresh', 'of', 'model', 'head', 'command', 'practice', 'hide', 'a', 'kind', 'words', 'style', 'class', 'onclick', 'href', 'srcdoc', 'data-x', 'constructor', '__proto__');
const good = fc.constantFrom('adder-figure', 'add', '{"a":1}', '/sum', 'integer', 'percent', 'su2021', '2', '0.1', '0..9', 'one', 'little', 'fig', 'here', '/a=1..9', 'inside', '[1,2', '{}', 'null', '/', '1e999', 'fixed99', 'toString', 'constructor', '__proto__');
const attributes = fc
  .array(fc.tuple(key, fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: words })), { maxLength: 6 })
  .map((list) => `{${list.map(([which, what]) => `${which}="${what.replaceAll('"', "'")}"`).join(' ')}}`);

const inline = fc.oneof(
  { weight: 4, arbitrary: calm },
  { weight: 2, arbitrary: words },
  { weight: 4, arbitrary: fc.tuple(name, fc.oneof(calm, words, good), attributes).map(([which, what, more]) => `:${which}[${what}]${more}`) },
  { weight: 2, arbitrary: fc.tuple(fc.oneof(calm, words), fc.oneof(fc.constantFrom('chapter:01-part', 'chapter:01-part#here', 'figure:fig?a=3', 'figure:adder-figure', 'https://example.org', 'javascript:alert(1)', 'data:text/html,x', '//x', '#', 'figure:%zz?%zz'), words)).map(([what, goal]) => `[${what}](${goal})`) },
  { weight: 1, arbitrary: fc.constantFrom('![a](b.png)', '[^1]', '[x][y]', '<https://example.org>', 'https://example.org', '~~gone~~', '$\\nonsense{$', '$\\href{javascript:alert(1)}{x}$', '$\\text{<b>}$', '$\\class{x}{y}$', '$\\style{color:red}{x}$', '$\\color{red}x$', '$<$') },
);
const line = fc.array(inline, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));
const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: line },
  { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([depth, what]) => `${'#'.repeat(depth)} ${what}`) },
  { weight: 2, arbitrary: attributes.map((more) => `::figure${more}`) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('fig', 'sum'), words).map(([id, what]) => `::figure{#${id} name="adder-figure" words="${what.replaceAll('"', "'").replaceAll('\n', ' ')}" a="3"}`) },
  { weight: 3, arbitrary: fc.tuple(fc.integer({ min: 3, max: 5 }), name, attributes, fc.array(line, { maxLength: 3 })).map(([colons, which, more, lines]) => `${':'.repeat(colons)}${which}${more}\n${lines.join('\n\n')}\n${':'.repeat(colons)}`) },
  { weight: 2, arbitrary: fc.tuple(line, line, line).map(([asked, right, wrong]) => `::::guess{#g}\n${asked}\n\n- [x] ${right}\n- [ ] ${wrong}\n\n---\n\nBecause.\n::::`) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('{"a":1}', '{"a":2,"b":[1]}', 'null', '3', '{'), fc.constantFrom('/sum', '/name', '', '/nobody', 'sum'), fc.constantFrom('/a=1..9', '/a=9..1', '/b=1..2', 'x', ''), fc.constantFrom('a + 1', 'a / 0', 'a +', '(((((', 'b', ''), inline, good).map(
      ([input, at, fresh, formula, what, as]) => `:::exercise{#e answer="2" lesson="add" input='${input}' at="${at}" fresh="${fresh}" formula="${formula}"}\n${what} :fresh[1]{of="/a"}?\n\n---\n\n:fresh[2]{at="/sum" as="${as.replaceAll('"', '')}"}\n:::`,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => `| ${a} | ${b} |\n|---|---|\n| ${b} | ${a} |`) },
  { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => `- ${a}\n  - ${b}\n\n1. ${a}\n\n> ${b}`) },
  { weight: 1, arbitrary: words.map((what) => `\`\`\`js ${what}\n${what}\n\`\`\``) },
  { weight: 1, arbitrary: words.map((what) => `$$\n${what}\n$$`) },
  { weight: 1, arbitrary: fc.constantFrom('---', '***', '<div>', '[^1]: note', '[y]: https://example.org "t"', '$$\\begin{aligned}$$', ':::', '::::', '+++\nx\n+++') },
);
const front = fc.oneof(
  { weight: 8, arbitrary: fc.constant('---\ntitle: "Part"\nnumber: 1\nsummary: "What it says."\n---\n') },
  { weight: 1, arbitrary: words.map((what) => `---\ntitle: ${what}\nnumber: 1\nsummary: "${what}"\n---\n`) },
  { weight: 1, arbitrary: fc.constantFrom('', '---\n', '---\ntitle: [\n---\n', '---\n- a\n---\n', '---\n3\n---\n', '---\ntitle: x\nnumber: 1\nsummary: y\nheads: 3\n---\n', '---\ntitle: x\nnumber: 1\nsummary: y\nheads: {a: null, b: {text: 1}, "C d": {}}\n---\n', '---\ntitle: x\nnumber: 1\nsummary: y\nheads: {finder: {text: "a b", from: "b", to: "a"}}\n---\n', '---\n? [a]\n: b\n---\n', '---\n&a [*a]\n---\n') },
);
const made = fc.tuple(front, fc.array(block, { maxLength: 7 })).map(([head, blocks]) => `${head}\n${blocks.join('\n\n')}\n`);

/** The book's own chapters, with lines and stretches lost, doubled, moved or filled with something else. */
const changed = fc
  .tuple(fc.nat(), fc.array(fc.tuple(fc.constantFrom('lose', 'double', 'cut', 'put', 'swap'), fc.nat(), fc.nat(60), words), { minLength: 1, maxLength: 6 }))
  .map(([which, changes]) => {
    let chapter = own[which % own.length]!;
    for (const [how, where, length, what] of changes) {
      const at = where % (chapter.length + 1);
      const stretch = chapter.slice(at, at + length);
      const put = { lose: '', double: stretch + stretch, cut: '\n', put: what + stretch, swap: [...stretch].reverse().join('') }[how]!;
      chapter = chapter.slice(0, at) + put + chapter.slice(at + length);
    }
    return chapter;
  });

// -------------------------------------------------------------------------------------------------------- what comes of it

/** What only the page's own frame may hold. */
const frame = { script: 2, meta: 7, link: 8, title: 1 };
const never = ['style', 'iframe', 'object', 'embed', 'img', 'form', 'base', 'template', 'svg', 'audio', 'video', 'source', 'noscript', 'xmp', 'plaintext'];

function faultsOf(markup: string): string[] {
  const faults: string[] = [];
  const tree = fromHtml(markup, { onerror: ({ ruleId }) => void (/-in-input-stream$/.test(ruleId!) || faults.push(`does not parse: ${ruleId}`)) }) as Root;
  const counts: Record<string, number> = {};
  visit(tree, 'element', (node: Element) => {
    counts[node.tagName] = (counts[node.tagName] ?? 0) + 1;
    if (never.includes(node.tagName)) faults.push(`holds <${node.tagName}>`);
    for (const [property, value] of Object.entries(node.properties)) {
      if (/^on|^style$|^srcdoc$/i.test(property)) faults.push(`has ${property} on <${node.tagName}>`);
      if (/^(href|src|action|xLinkHref)$/i.test(property) && /^\s*(javascript|data|vbscript):/i.test(String(value))) faults.push(`leads to ${String(value)}`);
    }
  });
  for (const [tag, most] of Object.entries(frame)) if ((counts[tag] ?? 0) > most) faults.push(`holds more than ${most} <${tag}>`);
  if (markup.includes('undefined') || markup.includes('[object Object]')) faults.push('shows what is not there');
  return faults;
}

let compiled = 0;
let refused = 0;

async function hold(chapter: string): Promise<void> {
  await writeFile(join(folder, '01-part.md'), chapter);
  const outcome = await compileBook({ folder, engine, native, littleBytes: 1, figures, assets }).catch((error: Error) => error);
  if (outcome instanceof Error) {
    refused++;
    for (const problem of outcome.message.split('\n')) expect(problem).toMatch(/^01-part\.md:\d+: ./);
    // A word that JavaScript itself says when something is not what was taken for granted.
    expect(outcome.message).not.toMatch(/is not a function|Cannot read|is not iterable|Cannot convert|Maximum call stack/);
    return;
  }
  compiled++;
  for (const markup of outcome.pages.values()) expect(faultsOf(markup)).toEqual([]);
  for (const entry of outcome.search) expect(Object.values(entry).every((value) => value !== undefined)).toBe(true);
}

it.each([
  ['made of the parts of chapters and of what does not belong there', made, 250],
  ['of any signs', fc.string({ unit: 'binary', maxLength: 300 }).map((signs) => `---\ntitle: "x"\nnumber: 1\nsummary: "y"\n---\n${signs}`), 80],
  ['of the book with changes', changed, 8],
] as const)('a chapter %s', async (_, chapters, numRuns) => {
  [compiled, refused] = [0, 0];
  await fc.assert(fc.asyncProperty(chapters, hold), { numRuns, ...budget });
  console.log({ compiled, refused });
  expect(refused).toBeGreaterThan(0);
}, patience);
