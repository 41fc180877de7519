// Two copies of a figure beside each other, each with its own text, head and whatever else a figure may hold: two sentences
// under one head, or two heads on one sentence. The second is an element of the same kind inside the first's, begun as an
// equal copy. The link holds both, and that there are two:
//
//   #one-head&one-head.beside=1&one-head.head=3&one-head-beside.head=1
//
// Fetched when a reader or a link asks for it.

import { html, type TemplateResult } from 'lit';
import { link } from '../state/link.ts';
import { page } from '../state/page.ts';
import { formatState, parseState, type Schema } from '../state/schema.ts';
import { besideKey } from './definition.ts';
import { besideSentence } from './beside-words.ts';
import { hideKey } from './hiding.ts';

/** What this needs of a figure's element. */
interface Figure<S> extends HTMLElement {
  base: S;
  wanted: S;
  shown: { state: S; result: unknown } | undefined;
  outdated: boolean;
  beside: (() => TemplateResult) | undefined;
  requestUpdate(): void;
  updateComplete: Promise<unknown>;
}

/** The name of a figure's second copy in the page and in links. */
export function copyId(first: string): string {
  return `${first}-beside`;
}

/** Says in the link that a second copy begins with these values, or that there is none. */
export function setBeside(first: string, begin: ReadonlyMap<string, string> | null): void {
  const values = new Map(link().figure(first));
  if (begin) values.set(besideKey, '1');
  else values.delete(besideKey);
  link().setFigure(copyId(first), begin ?? new Map());
  link().setFigure(first, values);
}

/** Sets the second copy beside the first, or takes it away, as the link says. */
export function pair<S>(first: Figure<S>, schema: Schema<S>): void {
  const asked = link().figure(first.id).get(besideKey) === '1';
  const left = !asked && first.querySelector('[data-copy-of]')?.contains(document.activeElement);
  first.beside = asked ? (first.beside ?? viewOf(first, schema)) : undefined;
  first.toggleAttribute('data-beside', asked);
  first.requestUpdate(); // the sentence about both
  // The focus does not go with what is taken away.
  if (left) void first.updateComplete.then(() => first.querySelector<HTMLElement>(`[data-control=${besideKey}]`)?.focus({ preventScroll: true }));
}

function viewOf<S>(first: Figure<S>, schema: Schema<S>): () => TemplateResult {
  const wanted = () => parseState(schema, link().figure(copyId(first.id)), first.base);
  const second = document.createElement(first.localName) as Figure<S>;
  second.id = copyId(first.id);
  second.dataset['copyOf'] = first.id;
  for (const { name, value } of first.attributes) if (Object.hasOwn(schema, name) || name === 'number' || name === hideKey) second.setAttribute(name, value);
  // An equal copy is seen at once, and works its own result out.
  if (first.shown && formatState(schema, wanted(), first.shown.state).size === 0) {
    second.shown = first.shown;
    second.outdated = true;
  }
  // Two landmarks of one name would say nothing, so those of the second are groups.
  const group = () => second.querySelectorAll('section, [role=region]').forEach((part) => part.setAttribute('role', 'group'));
  new MutationObserver(group).observe(second, { childList: true, subtree: true });
  return () => html`<p class="beside-says">${besideSentence(schema, first.wanted, wanted(), page().get().base)}</p>${second}`;
}
