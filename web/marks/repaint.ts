// A canvas holds its colours as paint, so it is painted anew when the page's colours change: in another theme, in the
// colours that a reader's system forces, and for paper, which is always light and has no frames to scroll in.

const painters = new Set<() => void>();
let watching = false;
let printing = false;

/** Whether the page is being printed. Then a picture is painted whole. */
export function onPaper(): boolean {
  return printing;
}

/** Calls `paint` after each such change, until what comes back is called. */
export function repaint(paint: () => void): () => void {
  painters.add(paint);
  watch();
  return () => painters.delete(paint);
}

/** One listener for all canvases, however many they are. */
function watch(): void {
  if (watching) return;
  watching = true;
  const all = () => painters.forEach((paint) => paint());
  const soon = () => requestAnimationFrame(all);
  new MutationObserver(soon).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', soon);
  // Paper is laid out at once, so it cannot wait for a frame. Browsers differ in which of the two they tell.
  const print = (now: boolean) => {
    if (now === printing) return;
    printing = now;
    all();
  };
  matchMedia('print').addEventListener('change', ({ matches }) => print(matches));
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
}

/** Lets an element whose colours are read for paint be light on paper, before the page itself is. */
export function lightOnPaper(element: HTMLElement): void {
  element.style.setProperty('color-scheme', printing ? 'light' : '');
  element.style.setProperty('--paper', printing ? '#fff' : '');
}
