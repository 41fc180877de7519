// Links of the prose: to another place of the book, to the state of a figure, to the web. And headings, which are
// what most of them point to.

import type { Heading, Link } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { h } from 'hastscript';
import { formatHidden, hideKey, parseHidden } from '../figures/hiding.ts';
import { formatLink } from '../state/link.ts';
import { children, slugOf, type Anchor, type Context, type Handler } from './context.ts';
import { withHeads } from './heads.ts';

export function linkHandlers(context: Context): Record<string, Handler> {
  return {
    link(state, node: Link) {
      const scheme = /^(chapter|figure):(.*)$/s.exec(node.url);
      const text = children(state, node);
      if (scheme?.[1] === 'chapter') return crossReference(context, node, scheme[2]!, text);
      if (scheme?.[1] === 'figure') return figureLink(context, node, scheme[2]!, text);
      if (!/^https:\/\//.test(node.url)) {
        context.chapter.report(node, `The link "${node.url}" must begin with chapter:, figure: or https://.`);
      }
      return h('a', { href: node.url, rel: ['noreferrer'] }, text);
    },
    heading(state, node: Heading) {
      const id = slugOf(toString(node));
      return h(`h${node.depth}`, { id }, [
        ...children(state, node),
        h('a', { className: ['heading-link'], href: `#${id}`, ariaLabel: `Link to “${toString(node)}”` }, '#'),
      ]);
    },
  };
}

type Text = ReturnType<typeof children>;

function crossReference(context: Context, node: Link, target: string, text: Text) {
  const [slug = '', id] = target.split('#');
  const { book, chapter } = context;
  const goal = book.chapters.find((candidate) => candidate.slug === slug);
  if (!goal) {
    chapter.report(node, `There is no chapter "${slug}"; there are ${book.chapters.map((known) => known.slug).join(', ')}.`);
    return h('span', text);
  }
  const anchor = id === undefined ? undefined : book.anchors.get(slug)?.get(id);
  if (id !== undefined && !anchor) chapter.report(node, `Chapter "${slug}" has no place "${id}".`);
  const page = goal === chapter ? '' : `${slug}.html`;
  const href = id === undefined ? `${slug}.html` : `${page}#${id}`;
  return h('a', { href }, text.length > 0 ? text : (anchor?.label ?? `chapter ${goal.number}`));
}

/** "softmax-dial?stretch=9" sets the figure of that id, or the only one of that name; without "?…" it only leads there. */
function figureLink(context: Context, node: Link, target: string, text: Text) {
  const [name = '', query = ''] = target.split(/\?(.*)/s);
  const anchor = figureNamed(context.anchors, name);
  if (!anchor) {
    context.chapter.report(node, `There is no figure "${name}" in this chapter, or more than one: name it by its id.`);
    return h('span', text);
  }
  if (query === '') return h('a', { href: `#${anchor.id}` }, text.length > 0 ? text : anchor.label);
  const values = figureValues(context, anchor, new URLSearchParams(query), (message) => context.chapter.report(node, message));
  const fragment = formatLink({ anchor: anchor.id, page: new Map(), figures: new Map([[anchor.id, values]]) });
  return h('a', { className: ['sets'], href: `#${fragment}` }, text);
}

function figureNamed(anchors: Map<string, Anchor>, name: string): Anchor | undefined {
  const figures = [...anchors.values()].filter((anchor) => anchor.kind === 'figure');
  const named = figures.filter((anchor) => anchor.figure === name);
  return figures.find((anchor) => anchor.id === name) ?? (named.length === 1 ? named[0] : undefined);
}

function figureValues(context: Context, anchor: Anchor, wanted: Iterable<[string, string]>, report: (message: string) => void) {
  const definition = context.book.figures.get(anchor.figure ?? '');
  const schema = definition?.schema;
  const values = new Map<string, string>();
  for (const [key, value] of withHeads([...wanted], context.heads)) {
    // A figure that does not exist is reported where it stands.
    const wrong = key === hideKey ? faultOfHidden(value) : schema && faultOf(schema, key, value);
    if (wrong) report(`Figure "${anchor.figure}": ${wrong}`);
    values.set(key, value);
  }
  for (const key of [...values.keys()].flatMap((set) => definition?.together?.[set] ?? [])) {
    if (!values.has(key)) values.set(key, schema![key]!.format(schema![key]!.initial));
  }
  return values;
}

/** What is wrong with the names of controls that a link hides. Which there are shows only when the figure lives. */
function faultOfHidden(value: string): string | null {
  const kept = formatHidden(parseHidden(value));
  return value === kept ? null : `${hideKey}="${value}" becomes "${kept}"; write that, or names joined by commas.`;
}

/** What is wrong with a figure's attribute: an unknown key, or a value that its field would change. Null if nothing. */
export function faultOf(schema: Record<string, any>, key: string, value: string): string | null {
  const field = Object.hasOwn(schema, key) ? schema[key] : undefined;
  if (!field) return `it has no "${key}"; it has ${Object.keys(schema).join(', ')}.`;
  const kept = field.format(field.parse(value));
  return kept === value ? null : `${key}="${value}" becomes "${kept}"; write that, or a value it allows.`;
}
