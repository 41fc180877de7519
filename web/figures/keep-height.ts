// A text that is typed anew is empty for a moment. The figure then has nothing to show and keeps the height that it had, so
// that neither what is below it nor the page jumps.

export function heightOf(root: Element): number | undefined {
  return root.querySelector('.figure')?.getBoundingClientRect().height;
}

/** After a drawing; `before`: the figure's height before it, where known. */
export function keepHeight(root: Element, before: number | undefined): void {
  const picture = root.querySelector<HTMLElement>('.figure-picture');
  if (!picture) return;
  if (!picture.querySelector(':scope > .figure-error')) return void (picture.style.minHeight = '');
  if (picture.style.minHeight !== '' || before === undefined) return;
  picture.style.minHeight = `${picture.getBoundingClientRect().height + before - heightOf(root)!}px`;
}
