// Keeps the reader's place: whatever changes the height of the text above, the block that stood at the top of the
// screen stays there.

// checkVisibility also sees what is folded away in a closed <details>, whose boxes still have a place. Of a figure only
// the whole counts.
const blocks = 'h1, h2, h3, p, li, table, .equation, .question, [data-figure]';

/** Makes a change to the page and puts the topmost block that is still shown back where it was. */
export function keepPlace(change: () => void): void {
  const top = document.querySelector('.masthead')?.getBoundingClientRect().bottom ?? 0;
  const places = visibleBlocks(top);
  change();
  const anchor = places.find(([block]) => block.checkVisibility());
  if (!anchor) return;
  settle(anchor);
  // Browsers that anchor scrolling themselves move once more before the next paint.
  requestAnimationFrame(() => settle(anchor));
}

type Place = readonly [block: Element, top: number];

/** Blocks from the top of the screen downwards, then those above it from the nearest on: the last resort. */
function visibleBlocks(top: number): Place[] {
  const found = [...document.querySelectorAll(`main :is(${blocks})`)]
    .filter((block) => block.checkVisibility() && !block.parentElement?.closest('[data-figure]'))
    .map((block) => [block, block.getBoundingClientRect()] as const);
  const below = found.filter(([, room]) => room.bottom > top + 4 && room.top >= top - 4);
  const above = found.filter(([, room]) => room.top < top - 4).reverse();
  return [...below, ...above].map(([block, room]) => [block, room.top]);
}

function settle([block, top]: Place): void {
  const moved = block.getBoundingClientRect().top - top;
  if (Math.abs(moved) > 0.5) scrollBy({ top: moved, behavior: 'instant' });
}
