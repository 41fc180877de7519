// What the passes and handlers of one chapter share.

import type { Element, ElementContent } from 'hast';
import type { Nodes, Parents } from 'mdast';
import type { State } from 'mdast-util-to-hast';
import type { Engine } from '../engine/types.ts';
import type { FigureDefinition } from '../figures/definition.ts';
import type { EquationNeeds } from './equations.ts';
import type { HeadFound } from './heads.ts';
import type { NativeProgram } from './native.ts';
import type { Chapter } from './parse.ts';
import type { RecordedClaim } from './recorded.ts';
import type { Reference } from './references.ts';

/** A place that cross references may name. */
export interface Anchor {
  id: string;
  kind: 'section' | 'figure' | 'guess' | 'exercise';
  /** "Figure 2.1", "Exercise 2.3" or a section's heading. */
  label: string;
  /** Figures only: name of the custom element. */
  figure?: string;
}

export interface Term {
  word: string;
  means: string;
  id: string;
  chapter: Chapter;
}

export interface Book {
  chapters: Chapter[];
  /** By chapter slug, then by anchor id, in the order of the text. */
  anchors: Map<string, Map<string, Anchor>>;
  references: Map<string, Reference>;
  /** What is recorded about GPT-2, by its id. */
  recorded: Map<string, RecordedClaim>;
  figures: Map<string, FigureDefinition<any, any>>;
  engine: Engine;
  native: NativeProgram;
  /** Bytes of the little model's files, which a page fetches whose figures ask it. */
  littleBytes: number;
  equations: EquationNeeds;
  terms: Term[];
}

export interface Context {
  book: Book;
  chapter: Chapter;
  anchors: Map<string, Anchor>;
  /** Reference ids in the order of their first citation: a number is an index + 1. */
  cited: string[];
  /** How often each reference has been cited so far, for the way back. */
  citings: Map<string, number>;
  /** The heads that the front matter names, as they are in the little model. */
  heads: Map<string, HeadFound>;
  /** The first state of each figure, by id, as HTML. */
  pictures: Map<string, string>;
}

/** Turns a node of the chapter's tree into HTML. */
export type Handler = (state: State, node: any, parent: Parents | undefined) => ElementContent | ElementContent[] | undefined;

export function children(state: State, node: Nodes): ElementContent[] {
  return state.all(node as Parents) as ElementContent[];
}

export function isElement(node: { type: string } | undefined, tag?: string): node is Element {
  return node?.type === 'element' && (tag === undefined || (node as Element).tagName === tag);
}

/** "What a query is" → "what-a-query-is". */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
