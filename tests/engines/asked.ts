// What tests in three engines ask of a page's figures: functions as text, which stand before what a test has to say.

import type { Tab } from './tabs.ts';

/** What a figure shows, as words. */
export interface Shown {
  id: string;
  title: string;
  description: string;
  picture: string;
  table: string;
}

const functions = `
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));
const within = async (minutes, done, what) => {
  for (const end = performance.now() + minutes * 60_000; !done(); await soon()) if (performance.now() > end) throw new Error(what());
};
/** Brings a figure to life, where it is not, and waits until it shows what was asked for. */
const rest = async (figure) => {
  figure.scrollIntoView({ block: 'center' });
  const inSight = () => figure.near || figure.scrollIntoView({ block: 'center' }); // what stands above may have grown
  const grows = () => /more are on their way/.test(figure.textContent); // a text that is being drawn
  const done = () => (inSight(), figure.stale) && !figure.hasAttribute('aria-busy') && (figure.error || (!figure.stale() && !grows()));
  await within(2, done, () => figure.id + ' does not come to rest: ' + JSON.stringify({ defined: figure.stale !== undefined, busy: figure.hasAttribute('aria-busy'), near: figure.near, outdated: figure.outdated, error: figure.error }));
  if (figure.error) throw new Error(figure.id + ': ' + figure.error);
  await figure.updateComplete;
};
const words = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
/** All that a figure shows, its table too. */
const shown = async (figure) => {
  await rest(figure);
  if (!figure.querySelector('.figure-table')) figure.querySelector('.figure-data summary')?.click();
  await within(2, () => !figure.querySelector('.figure-data') || figure.querySelector('.figure-table'), () => figure.id + ' does not open its numbers');
  await figure.updateComplete;
  return {
    id: figure.id,
    title: words(figure.querySelector('.figure-title')),
    description: words(document.getElementById(figure.id + '-description')),
    picture: words(figure.querySelector('.figure-picture')),
    table: words(figure.querySelector('.figure-table')),
  };
};`;

/** What comes of the body of an async function that may call `rest(figure)`, `shown(figure)` and `within(minutes, done, what)`. */
export const askFigures = <T>(tab: Tab, body: string): Promise<T> => tab.ask<T>(functions + body);
