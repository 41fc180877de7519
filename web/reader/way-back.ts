// The way back to the text, for links that moved the page to a figure far away. The button floats at the foot of the
// screen; in the page it stands right behind the link, so that the next press of Tab reaches it.

let present: { button: HTMLButtonElement; watch: IntersectionObserver } | null = null;

/** Offers to return to the place where `link` stood before the page moved. `glide` is how the page moves. */
export function offerWayBack(link: HTMLElement, glide: () => ScrollBehavior): void {
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
  // Whoever scrolls back needs no button. The first call tells only where the link is now.
  let left = false;
  const watch = new IntersectionObserver((entries) => {
    const seen = entries.at(-1)!.isIntersecting;
    if (seen && left) removeWayBack();
    left ||= !seen;
  });
  present = { button, watch };
  link.after(button);
  watch.observe(link);
}

function removeWayBack(): void {
  present?.watch.disconnect();
  present?.button.remove();
  present = null;
}
