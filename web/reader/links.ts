// Links within the page. The part after "#" also carries the state of the figures, so a jump must not wipe it: jumps
// go through state/link.ts, which keeps what is there.

import { link } from '../state/link.ts';
import type { Depth } from '../state/page.ts';
import { keepPlace } from './place.ts';
import { setPassage } from './settings.ts';
import { offerWayBack } from './way-back.ts';

export function startLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const anchor = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (!anchor) return;
    event.preventDefault();
    if (anchor.classList.contains('sets')) return setFigure(anchor);
    if (anchor.classList.contains('cite')) lastCiting.set(anchor.hash.replace('#ref-', ''), anchor);
    if (anchor.classList.contains('back')) return goBack(anchor);
    anchor.closest('details.menu')?.removeAttribute('open');
    link().follow(anchor.hash);
    arrive(idOf(anchor.hash));
  });
  // The browser itself finds no element called "anchor&figure.key=value".
  const anchor = link().anchor();
  if (anchor !== '' && location.hash.includes('&')) arrive(anchor);
  else if (anchor !== '') uncover(document.getElementById(anchor));
}

function idOf(hash: string): string {
  return decodeURIComponent(hash.slice(1).split('&')[0] ?? '');
}

function arrive(id: string): void {
  const goal = document.getElementById(id);
  if (!goal) return;
  uncover(goal);
  goal.scrollIntoView();
  focusOn(goal);
}

/** The keyboard goes on from where the reader has jumped to. */
function focusOn(goal: HTMLElement): void {
  if (!goal.matches('a, button, input, [tabindex]')) {
    goal.tabIndex = -1;
    goal.addEventListener('blur', () => goal.removeAttribute('tabindex'), { once: true });
  }
  goal.focus({ preventScroll: true });
}

// ------------------------------------------------------------------------------------------ places hidden by the depth

const shownAt: Record<string, Depth> = { 'for-plain': 'plain', 'for-detail': 'detail', 'for-math': 'math', 'for-beyond-plain': 'detail' };

/** A link may lead to a place that the present depth hides: then its passage opens at a depth that shows it. */
function uncover(goal: HTMLElement | null): void {
  if (!goal || goal.checkVisibility()) return;
  const block = goal.closest('.for');
  const passage = goal.closest<HTMLElement>('[data-passage=depths]');
  const name = [...(block?.classList ?? [])].find((entry) => entry in shownAt);
  if (passage && name) setPassage(passage, shownAt[name]!);
}

// -------------------------------------------------------------------------------------------------- figures and notes

/** The figure changes where it stands; the page only moves when the figure cannot be seen. */
function setFigure(anchor: HTMLAnchorElement): void {
  const figure = document.getElementById(idOf(anchor.hash));
  link().follow(anchor.hash);
  if (!figure) return;
  uncover(figure);
  const room = (figure.querySelector('.figure-picture') ?? figure).getBoundingClientRect();
  const masthead = document.querySelector('.masthead')?.getBoundingClientRect().bottom ?? 0;
  const seen = Math.min(room.bottom, innerHeight) - Math.max(room.top, masthead);
  if (seen >= Math.min(room.height, innerHeight - masthead) * 0.5) return;
  offerWayBack(anchor, figure, glide);
  figure.scrollIntoView({ behavior: glide() });
}

function glide(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}

const lastCiting = new Map<string, HTMLElement>();

/** From a reference back to the place in the text that the reader came from. */
function goBack(anchor: HTMLAnchorElement): void {
  const id = anchor.dataset['cites'] ?? '';
  const shown = [...document.querySelectorAll<HTMLElement>(`[id^="cite-${id}-"]`)].find((place) => place.checkVisibility());
  const goal = lastCiting.get(id) ?? shown;
  if (!goal) return keepPlace(() => {});
  link().follow(`#${goal.id}`);
  goal.scrollIntoView({ block: 'center' });
  goal.focus({ preventScroll: true });
}
