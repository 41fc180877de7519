// The texts that stand in the page itself: what its figures begin with, and what its links set. That a reader looks at one
// of them tells nothing that the page does not tell.

import { parseLink } from '../state/link.ts';

export function isBookText(text: string): boolean {
  const figures = [...document.querySelectorAll('[data-figure][text]')];
  if (figures.some((figure) => figure.getAttribute('text') === text)) return true;
  const links = [...document.querySelectorAll('a.sets[href*="#"]')];
  return links.some((anchor) => {
    const { figures: states } = parseLink(anchor.getAttribute('href')!);
    return [...states.values()].some((state) => state.get('text') === text);
  });
}
