// When a copy of the book may be fetched, so that it works without a network: after the page's own needs. The first figure
// lives by then, and nothing of the page has come for a while. What is fetched and said lies in offline-copy.ts.

/** Milliseconds in which no file of the page came. */
const pause = 2000;
/** How far off the screen a figure comes alive by itself. */
const near = 600;

export function startOffline(): void {
  beginAnewWithTheEdition();
  const begin = () => void import('./offline-copy.ts').then(({ keepCopy }) => keepCopy(), () => {});
  if (awaitsFigure()) addEventListener('alive', () => whenQuiet(begin), { once: true });
  else if (document.readyState === 'complete') whenQuiet(begin);
  else addEventListener('load', () => whenQuiet(begin), { once: true });
}

function awaitsFigure(): boolean {
  return [...document.querySelectorAll('[data-figure]')].some((figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    return figure.getClientRects().length > 0 && top < innerHeight + near && bottom > -near;
  });
}

function whenQuiet(then: () => void): void {
  const end = () => {
    watch.disconnect();
    if ('requestIdleCallback' in window) requestIdleCallback(then);
    else then();
  };
  let timer = setTimeout(end, pause);
  const watch = new PerformanceObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(end, pause);
  });
  watch.observe({ type: 'resource' });
}

/** A reader took the new edition, here or in another tab: the files of this page are gone, so it begins anew when it is seen. */
function beginAnewWithTheEdition(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  let controlled = Boolean(workers?.controller);
  workers?.addEventListener('controllerchange', () => {
    if (!controlled) controlled = true;
    else if (!document.hidden) location.reload();
    else document.addEventListener('visibilitychange', () => location.reload(), { once: true });
  });
}
