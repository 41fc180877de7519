// chapters/README.md shows a chapter and a figure, complete. Here both are taken out of it, built by the compiler with the
// native program, and looked at.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileBook, type CompiledBook } from '../../web/compiler/book.ts';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import type { FigureDefinition } from '../../web/figures/definition.ts';

const root = join(import.meta.dirname, '../..');
const program = process.env['LOOKBACK_NATIVE'] ?? join(root, 'build/native/lookback');
const assets = { style: 's.css', equations: 'e.css', early: 'e.js', shell: 's.js', fonts: [], mathFont: 'm.woff2', search: 's.json' };

let folder: string;
/** By its path: what the README shows. */
const shown = new Map<string, string>();
let figure: FigureDefinition<any, any>;

beforeAll(async () => {
  const readme = await readFile(join(root, 'chapters/README.md'), 'utf8');
  for (const [, path, content] of readme.matchAll(/^<!-- example: (\S+) -->\n```\w+\n([^]*?)^```$/gm)) shown.set(path!, content!);
  // Beside the figures of the book, lest the build find it there; its imports mean web/figures and web.
  folder = await mkdtemp(join(tmpdir(), 'lookback-example-'));
  const source = shown.get('web/figures/lead-dial.ts')!;
  const placed = source
    .replaceAll("'lit'", `'${root}/web/node_modules/lit/index.js'`)
    .replace(/'(\.\.?\/[^']+)'/g, (_, path: string) => `'${join(root, 'web/figures', path)}'`);
  await writeFile(join(folder, 'lead-dial.ts'), placed);
  ({ figure } = await import(join(folder, 'lead-dial.ts')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function compile(change = (chapter: string) => chapter): Promise<CompiledBook> {
  const chapters = await mkdtemp(join(folder, 'chapters-'));
  const file = [...shown.keys()].find((path) => path.startsWith('chapters/'))!;
  await mkdir(chapters, { recursive: true });
  await writeFile(join(chapters, basename(file)), change(shown.get(file)!));
  await writeFile(join(chapters, 'references.json'), '[]');
  return compileBook({ folder: chapters, engine: nativeEngine(program), native: nativeProgram(program, ''), littleBytes: 0, figures: new Map([[figure.name, figure]]), assets });
}

describe('the example of chapters/README.md', () => {
  it('has a figure and a chapter', () => {
    expect([...shown.keys()]).toEqual(['web/figures/lead-dial.ts', 'chapters/01-what-a-lead-is-worth.md']);
    expect(figure.name).toBe('lead-dial');
  });

  it('becomes a page with the figure’s first state, worked out by the core', async () => {
    const { pages } = await compile();
    const page = pages.get('01-what-a-lead-is-worth.html')!;
    const { shares } = await nativeEngine(program).lesson('softmax', { scores: [1, 0] });
    const first = `${Math.round(shares[0]! * 100)}\u00A0%`;
    expect(page).toContain('<lead-dial id="lead-dial"');
    expect(page.replaceAll(/\s/g, '\u00A0')).toContain(`is worth ${first} of the attention`.replaceAll(' ', '\u00A0'));
    expect(page).toContain('href="#lead-dial&#x26;lead-dial.lead=3"');
  });

  it('is refused when a number in it is wrong', async () => {
    const wrong = compile((chapter) => chapter.replace(':claim[73 %]', ':claim[74 %]'));
    await expect(wrong).rejects.toThrow(/01-what-a-lead-is-worth\.md:\d+: .*73/);
    await expect(compile((chapter) => chapter.replace(':given[5]', '5'))).rejects.toThrow(/01-what-a-lead-is-worth\.md:\d+/);
  });
});
