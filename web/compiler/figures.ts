// Figures: the compiler works out each one's first state with the native program and draws it with the figure's own
// code, so a page shows its figures before, and without, any script.

import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import type { ElementContent } from 'hast';
import type { LeafDirective } from 'mdast-util-directive';
import { h } from 'hastscript';
import { visit } from 'unist-util-visit';
import type { Engine } from '../engine/types.ts';
import { reservedKeys, type FigureDefinition } from '../figures/definition.ts';
import { frame } from '../figures/frame.ts';
import { pageSchema } from '../state/page.ts';
import { initialState, parseState } from '../state/schema.ts';
import { isElement, type Context, type Handler } from './context.ts';
import { isDirective } from './directives.ts';
import { checkPhrase } from './digits.ts';
import { withHeads } from './heads.ts';
import { faultOf } from './links.ts';
import { sentenceOf } from './problems.ts';

/** Draws every figure of a chapter into context.pictures. */
export async function drawFigures(context: Context): Promise<void> {
  const drawings: Promise<void>[] = [];
  visit(context.chapter.tree, (node) => {
    if (isDirective(node) && node.type === 'leafDirective' && node.name === 'figure') drawings.push(draw(context, node));
  });
  await Promise.all(drawings);
}

async function draw(context: Context, node: LeafDirective): Promise<void> {
  const { book, chapter, anchors, pictures } = context;
  const { id = '', name = '', caption } = attributesOf(node);
  const definition = book.figures.get(name);
  if (!definition) return chapter.report(node, `There is no figure "${name}"; there are ${[...book.figures.keys()].join(', ') || 'none'}.`);
  checkPhrase(caption ?? '', node, chapter.report);
  const values = stateAttributes(context, node);
  for (const [key, value] of values) {
    const wrong = faultOf(definition.schema, key, value);
    if (wrong) chapter.report(node, `Figure "${name}": ${wrong}`);
  }
  try {
    const state = parseState(definition.schema, new Map(values));
    const options = { id, number: numberOf(anchors.get(id)?.label), caption: caption ?? '' };
    pictures.set(id, await picture(definition, state, options, book.engine));
  } catch (error) {
    chapter.report(node, `Figure "${name}" (${id}): ${sentenceOf(error)}`);
  }
}

async function picture<S, R>(
  definition: FigureDefinition<S, R>,
  state: S,
  { id, number, caption }: { id: string; number: string; caption: string },
  engine: Engine,
): Promise<string> {
  const result = await definition.compute(engine, state, new AbortController().signal, () => {});
  const context = { id, state, result, set: () => {}, page: initialState(pageSchema) };
  const drawn = plainHtml(await collectResult(render(frame({ definition, context, number, caption }))));
  if (/<[^>]*\sstyle\s*=/.test(drawn)) throw new Error('its view writes a style attribute, which the page’s policy forbids.');
  return drawn;
}

/** Without the marks that Lit leaves for hydration: the element draws itself anew. */
export function plainHtml(markup: string): string {
  return markup.replace(/<!--\/?lit-[^]*?-->|<!--\?[^]*?-->|<!---->|<\?>/g, '');
}

export function figureHandler(context: Context): Handler {
  return (_state, node: LeafDirective): ElementContent | undefined => {
    const { id = '', name = '', caption = '', hide } = attributesOf(node);
    const number = numberOf(context.anchors.get(id)?.label);
    const state = Object.fromEntries(stateAttributes(context, node));
    const asks = context.book.figures.get(name)?.model ? { dataModel: 'little' } : {};
    const inside = { type: 'raw', value: context.pictures.get(id) ?? '' } as unknown as ElementContent;
    const element = h('div', [inside]);
    if (!isElement(element)) return undefined;
    return { ...element, tagName: name, properties: { id, dataFigure: name, ...asks, number, caption, hide, ...state } };
  };
}

function stateAttributes({ heads }: Context, node: LeafDirective): [string, string][] {
  return withHeads(Object.entries(attributesOf(node)).filter(([key]) => !reservedKeys.includes(key)), heads);
}

function attributesOf(node: LeafDirective): Record<string, string> {
  return Object.fromEntries(Object.entries(node.attributes ?? {}).map(([key, value]) => [key, value ?? '']));
}

function numberOf(label: string | undefined): string {
  return (label ?? '').replace('Figure ', '');
}
