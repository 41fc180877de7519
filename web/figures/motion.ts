// What must hold while a figure draws itself anew: the focus stays where it was although rows change places, what changed
// its place is seen to move there, and a figure that has nothing to show keeps its height.

import { heightOf, keepHeight } from './keep-height.ts';

/** How long a move takes, in milliseconds: long enough to follow, too short to wait for. */
const duration = 180;

export interface Before {
  focus: { id: string; node: Element; selection: readonly [number, number] | undefined } | undefined;
  /** Where elements with a data-move name were. */
  places: Map<string, DOMRect>;
  /** Of the figure; only where the reader is in it, as no other needs it. */
  height: number | undefined;
}

export function remember(root: HTMLElement): Before {
  const node = focused(root);
  const focus = node && node !== root && root.contains(node) ? { id: node.id, node, selection: selectionOf(node) } : undefined;
  const places = new Map<string, DOMRect>();
  for (const moving of root.querySelectorAll('[data-move]')) {
    places.set(moving.getAttribute('data-move')!, moving.getBoundingClientRect());
  }
  return { focus, places, height: focus && heightOf(root) };
}

export function restore(root: HTMLElement, before: Before): void {
  keepHeight(root, before.height);
  if (before.focus) refocus(root, before.focus);
  if (before.places.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const moving of root.querySelectorAll('[data-move]')) {
    const from = before.places.get(moving.getAttribute('data-move')!);
    if (!from) continue;
    const to = moving.getBoundingClientRect();
    const [x, y] = [from.x - to.x, from.y - to.y];
    if (Math.abs(x) + Math.abs(y) < 1) continue;
    moving.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration, easing: 'ease-out' });
  }
}

/** What is gone leaves the focus to what the view has marked for it. */
function refocus(root: HTMLElement, { id, node, selection }: NonNullable<Before['focus']>): void {
  const target = node.isConnected ? node : ((id !== '' && root.querySelector(`#${CSS.escape(id)}`)) || root.querySelector('[data-takes-focus]'));
  if (!(target instanceof HTMLElement || target instanceof SVGElement)) return;
  if (target.matches(':disabled')) return neighbour(target)?.focus({ preventScroll: true });
  if (target === focused(root)) return;
  target.focus({ preventScroll: true });
  if (selection && isText(target)) target.setSelectionRange(...selection);
}

/** A button that led as far as it goes is disabled now and would lose the focus to the page: the button before it has it, or the next. */
function neighbour(disabled: Element): HTMLElement | undefined {
  const group = Array.from(disabled.parentElement!.children);
  const [before, after] = [group.slice(0, group.indexOf(disabled)).reverse(), group.slice(group.indexOf(disabled) + 1)];
  return [...before, ...after].find((one): one is HTMLElement => one instanceof HTMLButtonElement && !one.disabled);
}

/** The figure may stand in a shadow tree, of which the document knows only the outside. */
function focused(root: Element): Element | null {
  return (root.getRootNode() as Document | ShadowRoot).activeElement;
}

function selectionOf(node: Element): readonly [number, number] | undefined {
  return isText(node) ? [node.selectionStart ?? 0, node.selectionEnd ?? 0] : undefined;
}

/** Only these let scripts move their caret. */
function isText(node: Element): node is HTMLInputElement | HTMLTextAreaElement {
  return node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && ['text', 'search'].includes(node.type));
}
