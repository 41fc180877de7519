// The whole book: all chapters of a folder to pages.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/types.ts';
import type { FigureDefinition } from '../figures/definition.ts';
import { collectAnchors } from './anchors.ts';
import { answersPage } from './answers.ts';
import { compileChapter, type CompiledChapter } from './chapter.ts';
import { editionOf } from './cite.ts';
import { contentsPage } from './contents.ts';
import type { Book } from './context.ts';
import { equationSheet } from './equations.ts';
import { lengthsOf } from './length.ts';
import type { Assets } from './page.ts';
import { chapterPage, glossaryPage } from './pages.ts';
import type { NativeProgram } from './native.ts';
import { parseChapter } from './parse.ts';
import { formatProblems, type Problem } from './problems.ts';
import { readRecorded } from './recorded.ts';
import { readReferences } from './references.ts';
import { glossaryEntries, searchEntries } from './search.ts';
import type { SearchEntry } from '../reader/search-entry.ts';

export { policy } from './policy.ts';

export interface BookOptions {
  /** Folder with NN-name.md, references.json and recorded.json. */
  folder: string;
  engine: Engine;
  native: NativeProgram;
  /** Bytes of the little model's files. */
  littleBytes: number;
  figures: Map<string, FigureDefinition<any, any>>;
  assets: Assets;
}

export interface CompiledBook {
  /** File name → HTML. */
  pages: Map<string, string>;
  /** Style sheet with the classes that the equations need. */
  equationSheet: string;
  /** The characters that stand in equations: what the maths font must hold. */
  characters: string;
  /** What the search over the text reads. */
  search: SearchEntry[];
}

/** Rejects with an Error whose message lists every problem, one a line, "file:line: sentence". */
export async function compileBook({ folder, engine, native, littleBytes, figures, assets }: BookOptions): Promise<CompiledBook> {
  const problems: Problem[] = [];
  const files = (await readdir(folder)).filter((name) => /^\d\d-[a-z0-9-]+\.md$/.test(name)).sort();
  const chapters = await Promise.all(files.map((file) => parseChapter(join(folder, file), problems)));
  const book: Book = {
    chapters,
    anchors: new Map(chapters.map((chapter) => [chapter.slug, collectAnchors(chapter)])),
    references: await readReferences(join(folder, 'references.json'), problems),
    recorded: await readRecorded(join(folder, 'recorded.json')),
    figures,
    engine,
    native,
    littleBytes,
    equations: { styles: new Map(), characters: new Set() },
    terms: [],
  };
  const compiled: CompiledChapter[] = [];
  // One after the other: a term belongs to the first chapter that explains it.
  for (const chapter of chapters) compiled.push(await compileChapter(chapter, book));
  if (problems.length > 0) throw new Error(formatProblems(problems));

  const lengths = new Map(compiled.map(({ chapter, sections }) => [chapter.slug, lengthsOf(sections)]));
  const edition = editionOf(compiled.map(({ sections }) => sections));
  const pages = new Map<string, string>();
  for (const one of compiled) pages.set(`${one.chapter.slug}.html`, chapterPage(one, lengths.get(one.chapter.slug)!, edition, book, assets));
  pages.set('index.html', contentsPage(book, lengths, assets));
  pages.set('glossary.html', glossaryPage(book, assets));
  pages.set('answers.html', await answersPage(compiled, book, assets));
  if (problems.length > 0) throw new Error(formatProblems(problems));
  const search: SearchEntry[] = compiled.flatMap(({ chapter, sections }) => searchEntries(chapter, sections));
  return { pages, equationSheet: equationSheet(book.equations), characters: [...book.equations.characters].join(''), search: [...search, ...glossaryEntries(book)] };
}
