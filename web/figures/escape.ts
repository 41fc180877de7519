// Escape closes what is open around the focus, which goes back to what had opened it.

export function letGo(event: Event): void {
  if (event.defaultPrevented || (event as KeyboardEvent).key !== 'Escape') return;
  const closed = closeAround(event.target as Element);
  if (closed) event.preventDefault();
}

function closeAround(node: Element): boolean {
  const details = node.closest<HTMLDetailsElement>('.figure details[open]');
  if (details) {
    details.open = false;
    details.querySelector('summary')!.focus();
    return true;
  }
  const close = node.closest('.figure section')?.querySelector<HTMLElement>('[data-close]');
  if (close) close.click(); // it says itself where the focus goes
  const opener = close ? null : openerOf(node);
  opener?.focus();
  opener?.click();
  return Boolean(close ?? opener);
}

/** The button that has opened the part around the focus, or has the focus itself. */
function openerOf(node: Element): HTMLElement | null {
  const figure = node.closest('.figure');
  if (!figure) return null;
  for (let part: Element | null = node; part && part !== figure; part = part.parentElement) {
    if (part.matches('[aria-expanded=true]')) return part as HTMLElement;
    const opener = part.id === '' ? null : figure.querySelector<HTMLElement>(`[aria-expanded=true][aria-controls="${CSS.escape(part.id)}"]`);
    if (opener) return opener;
  }
  return null;
}
