// Heads that a chapter speaks of by what they do. Training decides which head does it, so the front matter says what to
// look for and the build finds it in the little model:
//
//   heads:
//     receiver: { text: "When Mary and John went to the store, John gave a drink to", from: "to", to: "Mary" }
//
// is the head that, in this text, looks hardest from the last "to" to the first "Mary". Attributes and links of figures
// then say head="receiver". Claims may ask for what HeadFound holds.

import type { Run } from '../engine/types.ts';
import { withRun } from '../engine/with-run.ts';
import type { Book } from './context.ts';
import type { Chapter } from './parse.ts';
import { sentenceOf } from './problems.ts';

/** What the front matter says of one head. */
export interface HeadWanted {
  text: string;
  /** The word that looks: its last token in the text. */
  from: string;
  /** The word looked at: its first token. */
  to: string;
}

export interface HeadFound {
  layer: number;
  head: number;
  /** "2.3" */
  name: string;
  text: string;
  /** What its scores are divided by. */
  root: number;
  /** Of the looking word on the word looked at. */
  share: number;
  /** The looking word's row, [from + 1]: scores divided by √d_head, and shares. */
  scores: number[];
  shares: number[];
}

interface Inside {
  tokens: { token: string }[];
  attention: { hardest_looking: { to: number; layer: number; head: number }[] };
}

export async function findHeads(chapter: Chapter, book: Book): Promise<Map<string, HeadFound>> {
  const found = new Map<string, HeadFound>();
  for (const [name, wanted] of Object.entries(chapter.heads)) {
    try {
      found.set(name, await findHead(wanted, book));
    } catch (error) {
      chapter.report(1, `heads: ${name}: ${sentenceOf(error)}`);
    }
  }
  return found;
}

async function findHead({ text, from, to }: HeadWanted, { native, engine }: Book): Promise<HeadFound> {
  const { tokens } = (await native.command('inside', { text })) as Inside;
  const words = tokens.map(({ token }) => token.replace(/^“(.*)”$/s, '$1').trim());
  const asking = words.lastIndexOf(from);
  const asked = words.indexOf(to);
  if (asking < 0 || asked < 0) throw new Error(`“${text}” has no token “${asking < 0 ? from : to}”; it has ${words.join(', ')}.`);
  if (asked > asking) throw new Error(`“${to}” stands after “${from}”, which cannot see it.`);
  const { attention } = (await native.command('inside', { text, from: asking })) as Inside;
  const { layer, head } = attention.hardest_looking[asked]!;
  const look = async (run: Run) => [await engine.head(run, layer, head), await engine.cell(run, layer, head, asking, asked)] as const;
  const [{ n, scaled, pattern }, { root }] = await withRun(engine, { text }, new AbortController().signal, look);
  const row = (grid: Float32Array) => Array.from(grid.subarray(asking * n, asking * n + asking + 1));
  return { layer, head, name: `${layer}.${head}`, text, root, share: pattern[asking * n + asked]!, scores: row(scaled), shares: row(pattern) };
}

/**
 * The state of a figure with head="receiver" written out: the text, layer and head, and that the little model is meant.
 * For a figure that shows several, heads="receiver,resting" becomes their names.
 */
export function withHeads(values: readonly (readonly [string, string])[], heads: ReadonlyMap<string, HeadFound>): [string, string][] {
  return values.flatMap(([key, value]): [string, string][] => {
    const several = value.split(',');
    if (key === 'heads' && several.some((name) => heads.has(name))) {
      return [['heads', several.map((name) => heads.get(name)?.name ?? name).join(',')], ['model', 'little']];
    }
    const found = key === 'head' ? heads.get(value) : undefined;
    return found ? [['text', found.text], ['layer', String(found.layer)], ['head', String(found.head)], ['model', 'little']] : [[key, value]];
  });
}
