// Keys and presses that come faster than the engine answers: each goes on from where the one before has led, and the
// figure ends where all of them lead.

import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { settled } from './figures.ts';
import { suiteWithEngine } from './site.ts';

const suite = suiteWithEngine('faults-keys');

interface Row {
  place: string;
  id: string;
  /** What takes the keys, or is pressed. */
  control: (figure: Locator) => Locator;
  key?: string;
  /** What the figure ends with, read off its state. */
  state: (state: Record<string, any>) => unknown;
  ends: unknown;
}

const rows: Row[] = [
  { place: '06-the-price.html#&cost-counter.tokens=9', id: 'cost-counter', control: (figure) => figure.locator('[id="cost-counter-tokens-range"]'), key: 'ArrowRight', state: ({ tokens }) => tokens, ends: 14 },
  { place: '02-searching.html#&softmax-dial.scores=1,0.6,0.3', id: 'softmax-dial', control: (figure) => figure.locator('[id="softmax-dial-drag-1"]'), key: 'ArrowLeft', state: ({ scores }) => scores[1], ends: 0.1 },
  { place: '02-searching.html#&softmax-dial.scores=1,0.6,0.3', id: 'softmax-dial', control: (figure) => figure.getByRole('button', { name: /^More: score of/ }).first(), state: ({ scores }) => scores[0], ends: 1.5 },
  { place: '02-searching.html#&dot-dial.qx=1', id: 'dot-dial', control: (figure) => figure.getByRole('button', { name: 'More: x of the query q' }), state: ({ qx }) => qx, ends: 1.5 },
  { place: '05-heads-and-layers.html#&layer-map.layer=0', id: 'layer-map', control: (figure) => figure.locator('[id="layer-map-layer-0"]'), key: 'ArrowDown', state: ({ layer }) => layer, ends: 3 },
  { place: '05-heads-and-layers.html#&logit-lens.done=0', id: 'logit-lens', control: (figure) => figure.locator('[id="logit-lens-depth-0"]'), key: 'ArrowDown', state: ({ done }) => done, ends: 4 },
  { place: '03-one-head.html#&one-head.layer=0&one-head.head=0', id: 'one-head', control: (figure) => figure.getByRole('button', { name: 'Head after' }), state: ({ layer, head }) => [layer, head], ends: [1, 1] },
];

/** Keeps the answers of the page's workers back; returns the way to let them go. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const workers = page.workers().filter((worker) => worker.url().endsWith('/worker.js'));
  for (const worker of workers) {
    await worker.evaluate(() => {
      const post = self.postMessage.bind(self) as (message: unknown, moved: Transferable[]) => void;
      const held: [unknown, Transferable[]][] = [];
      self.postMessage = ((message: unknown, moved: Transferable[]) => held.push([message, moved])) as never;
      Object.assign(self, {
        letGo() {
          self.postMessage = post as never;
          held.forEach(([message, moved]) => post(message, moved));
        },
      });
    });
  }
  return async () => void (await Promise.all(workers.map((worker) => worker.evaluate('self.letGo()'))));
}

it.each(rows)('$id ends where five of them lead ($ends)', async ({ place, id, control, key, state, ends }) => {
  const page = await suite.open(place, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const figure = page.locator(`[id="${id}"]`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  const letGo = await hold(page);
  if (key) await control(figure).focus();
  for (let press = 0; press < 5; press++) {
    if (key) await page.keyboard.press(key);
    else await control(figure).click();
  }
  await letGo();
  await settled(figure);
  const shown = await figure.evaluate((node) => (node as unknown as { shown: { state: Record<string, any> } }).shown.state);
  expect(state(shown)).toEqual(ends);
});
