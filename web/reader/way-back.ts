// The way back to the text, for links that moved the page to a figure far away. The button floats at the foot of the
// screen; in the page it stands right behind the link, so that the next press of Tab reaches it.

let present: { button: HTMLButtonElement; watches: IntersectionObserver[] } | null = null;

/** Offers to return to the place where `link` stood before the page moved to `figure`. `glide` is how the page moves. */
export function offerWayBack(link: HTMLElement, figure: HTMLElement, glide: () => ScrollBehavior): void {
  removeWayBack();
  const top = link.getBoundingClientRect().top;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'way-back';
  button.textContent = '↩ Back to the text';
  button.addEventListener('click', () => {
    scrollBy({ top: link.getBoundingClientRect().top - top, behavior: glide() });
    link.focus({ preventScroll: true });
    removeWayBack();
  });
  present = { button, watches: [] };
  link.after(button);
  // Whoever scrolls back needs no button, nor does who has gone on from the figure.
  once(link, false, () => once(link, true, removeWayBack));
  once(figure, true, () => once(figure, false, removeWayBack));
}

/** Calls `then` when the element can be seen, or no longer can. */
function once(element: HTMLElement, seen: boolean, then: () => void): void {
  const watch = new IntersectionObserver((entries) => {
    if (entries.at(-1)!.isIntersecting !== seen) return;
    watch.disconnect();
    if (present) then();
  });
  present?.watches.push(watch);
  watch.observe(element);
}

function removeWayBack(): void {
  present?.watches.forEach((watch) => watch.disconnect());
  present?.button.remove();
  present = null;
}
