// Brings the page's figures to life. Code comes first for the figures that are near, so that nothing keeps the first one
// waiting; for the others when it lives, or when they come near.

import registry from 'figures:registry';
import { registerFigure } from '../figures/element.ts';
import { engine } from './engine.ts';

/** How far off the screen a figure is when its code and its model are fetched. */
const near = 600;
const nearby = `${near}px`;

export function startFigures(): void {
  const figures = [...document.querySelectorAll('[data-figure]')];
  const watch = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && fetchFigure(target)), { rootMargin: nearby });
  for (const figure of figures) {
    // Observers are told after the first paint; who is in sight need not wait for it.
    const { top, bottom } = figure.getBoundingClientRect();
    if (top < innerHeight + near && bottom > -near) fetchFigure(figure);
    else watch.observe(figure);
  }
  addEventListener('alive', () => figures.forEach(fetchFigure), { once: true });
  expectModel();
}

const fetched = new Set<string>();

function fetchFigure({ localName }: Element): void {
  if (fetched.has(localName)) return;
  fetched.add(localName);
  void registry[localName]?.().then(({ figure }) => registerFigure(figure, engine), () => missing(localName));
}

/** The code of a figure did not come: its printed state stays, a sentence says so, and a new connection tries again. */
function missing(name: string): void {
  const notes = [...document.querySelectorAll(name)].map((figure) => {
    const note = document.createElement('p');
    note.className = 'figure-error';
    note.setAttribute('role', 'alert');
    note.textContent = 'This figure’s script could not be loaded; what is printed here is its first state. It comes alive when the connection is back.';
    figure.append(note);
    return note;
  });
  addEventListener('online', () => {
    notes.forEach((note) => note.remove());
    fetched.delete(name);
    for (const figure of document.querySelectorAll(name)) fetchFigure(figure);
  }, { once: true });
}

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
  if (connection?.saveData || !('requestIdleCallback' in window)) return;
  const whenIdle = () => requestIdleCallback(fetchNow, { timeout: 10_000 });
  // A first figure that asks no model has the line to itself until it lives.
  if (document.querySelector('[data-figure]')!.hasAttribute('data-model')) whenIdle();
  else whenAlive(whenIdle);
}

/** Once any figure lives. */
function whenAlive(then: () => void): void {
  const marks = new PerformanceObserver((list) => {
    if (!list.getEntries().some(({ name }) => name.endsWith(' alive'))) return;
    marks.disconnect();
    then();
  });
  marks.observe({ type: 'mark', buffered: true });
}
