// Brings the page's figures to life: each figure's code is fetched when the page holds it.

import registry from 'figures:registry';
import { registerFigure } from '../figures/element.ts';
import { engine } from './engine.ts';

export function startFigures(): void {
  const names = new Set([...document.querySelectorAll('[data-figure]')].map((element) => element.localName));
  for (const name of names) {
    const load = registry[name];
    if (load) void load().then(({ figure }) => registerFigure(figure, engine));
  }
  expectModel();
}

/** How far off the screen a figure is when its model is fetched. */
const nearby = '600px';

/**
 * The engine and the little model come while the figure's code does, once a figure that asks them is near; else when the
 * page has nothing better to do, unless the reader saves data. Never before the first paint: that is when observers are told.
 */
function expectModel(): void {
  const figures = document.querySelectorAll('[data-model]');
  if (figures.length === 0) return;
  const fetchNow = () => {
    watch.disconnect();
    void engine().inUse().catch(() => {}); // the figure that asks again says what is wrong
  };
  const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && fetchNow(), { rootMargin: nearby });
  figures.forEach((figure) => watch.observe(figure));
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData && 'requestIdleCallback' in window) requestIdleCallback(fetchNow, { timeout: 10_000 });
}
