// What a reader does with the figures of each chapter, the same in every engine. A step acts on one figure, by the
// controls that it has: keys, clicks, fields; or by the link that stands in the address.

import type { Key, Tab } from './tabs.ts';

export interface Step {
  /** Id of the figure whose words change. */
  figure: string;
  what: string;
  act(tab: Tab): Promise<void>;
}

/** `at`: a selector within the figure, as everywhere below. */
const inFigure = (figure: string, at: string) => `#${figure} ${at}`;

/** In the middle of the screen, where no bar covers it. */
async function show(tab: Tab, selector: string): Promise<void> {
  await tab.ask(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' });`);
}

/** Another text in a field, letter by letter. */
export const types = (figure: string, at: string, text: string): Step => ({
  figure,
  what: `types “${text}” in ${at}`,
  async act(tab) {
    const selector = inFigure(figure, at);
    await show(tab, selector);
    await tab.click(selector);
    await tab.ask(`document.querySelector(${JSON.stringify(selector)}).select();`);
    await tab.type(text);
    // Drivers may be ahead of their pages. Some fields take a number only when they are left.
    await tab.ask(`
      const field = document.querySelector(${JSON.stringify(selector)});
      for (let turn = 0; field.value !== ${JSON.stringify(text)}; turn++) {
        if (turn === 200) throw new Error('The field holds “' + field.value + '”.');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      field.blur();`);
  },
});

/** Keys on what has the focus. */
export const presses = (figure: string, at: string, ...pressed: Key[]): Step => ({
  figure,
  what: `presses ${pressed.join(', ')} on ${at}`,
  async act(tab) {
    const selector = inFigure(figure, at);
    await show(tab, selector);
    await tab.ask(`document.querySelector(${JSON.stringify(selector)}).focus({ preventScroll: true });`);
    for (const key of pressed) await tab.press(key);
  },
});

export const clicks = (figure: string, at: string): Step => ({
  figure,
  what: `clicks on ${at}`,
  async act(tab) {
    await show(tab, inFigure(figure, at));
    await tab.click(inFigure(figure, at));
  },
});

/** A link of the book or of a reader: `state` as in the address, without the figure's name. */
export const follows = (figure: string, state: Record<string, string>): Step => ({
  figure,
  what: `follows a link with ${JSON.stringify(state)}`,
  async act(tab) {
    const pairs = Object.entries(state).map(([key, value]) => `${figure}.${key}=${encodeURIComponent(value)}`);
    await tab.ask(`location.hash = ${JSON.stringify([figure, ...pairs].join('&'))};`);
  },
});

/** A setting of the whole book. */
export const sets = (figure: string, setting: 'theme' | 'depth' | 'base', value: string): Step => ({
  figure,
  what: `sets ${setting} to ${value}`,
  async act(tab) {
    const option = `[data-setting=${setting}] input[value="${value}"]`;
    await tab.ask(`const menu = document.querySelector('${option}').closest('details'); if (menu) menu.open = true;`);
    await tab.click(`[data-setting=${setting}] label:has(input[value="${value}"])`);
    await tab.ask(`const menu = document.querySelector('${option}').closest('details'); if (menu) menu.open = false;`);
  },
});

/** By the beginning of a chapter's file name. */
export const steps: Record<string, Step[]> = {
  '01': [
    clicks('context-lens', '#context-lens-cover-7'),
    presses('context-lens', '#context-lens-token-13', 'ArrowLeft', 'ArrowLeft', 'Enter'),
    types('same-row', '#same-row-one', 'The dog saw a cat.'),
    types('same-row', '[data-control=same-row-stage] .slider-number', '1'),
    sets('same-row', 'base', '1'),
    sets('same-row', 'theme', 'dark'),
  ],
  '02': [
    types('search-playground', '#search-playground-query', 'the edge of a river'),
    clicks('search-playground', '.match-score'),
    types('dot-dial', '#dot-dial-qx', '-1.5'),
    presses('dot-dial', '.arrow-handle', 'ArrowUp', 'ArrowUp', 'ArrowRight'),
    types('softmax-dial', '[data-control=softmax-dial-stretch] .slider-number', '7.5'),
    presses('softmax-dial', '#softmax-dial-drag-1', 'ArrowRight', 'ArrowRight'),
    types('sink-demo', '#sink-demo-query', 'bad weather'),
    presses('blend-map', '#blend-map-blend', 'ArrowRight', 'ArrowDown'),
    clicks('many-questions', '#many-questions-where-token-11'),
    sets('many-questions', 'depth', 'math'),
    follows('learn-a-head', { seed: '2' }),
  ],
  '03': [
    types('one-head', '#one-head-text', 'The dog that saw the cat ran'),
    types('one-head', '#one-head-Layer', '1'),
    types('one-head', '#one-head-Head', '3'),
    clicks('one-head', '#one-head-stage-masked'),
    presses('one-head', '[data-cell="0,0"]', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter'),
    types('why-sqrt', '[data-control=why-sqrt-d] .slider-number', '100'),
    types('softmax-ratio', '#softmax-ratio-other-0', '2.25'),
    follows('head-gallery', { sort: 'entropy', heads: '1.2,0.3' }),
    sets('one-head', 'depth', 'plain'),
    sets('one-head', 'theme', 'dark'),
  ],
  '04': [
    types('order-blind', '#order-blind-two', 'The cat saw a dog'),
    clicks('order-blind', '#order-blind-layer-1'),
    types('order-sum', '[data-control=order-sum-places] .slider-number', '0.4'),
    types('position-table', '[data-control=position-table-place] .slider-number', '77'),
    presses('rotary-dial', '#rotary-dial-m-range', 'ArrowRight', 'ArrowRight'),
    types('rotary-dial', '#rotary-dial-n', '33'),
    follows('order-leak', { positions: 'none', layer: '3' }),
  ],
  '05': [
    types('head-views', '#head-views-Head', '3'),
    clicks('head-views', '#head-views-look-4'),
    presses('never-ahead', '[data-cell="0,0"]', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'),
    types('head-finder', '#head-finder-text', 'Maya lives in Rome, the town of'),
    follows('layer-map', { layer: '2', position: '5' }),
    follows('parameter-budget', { model: 'own', layers: '7', width: '448' }),
    follows('logit-lens', { done: '2' }),
    sets('logit-lens', 'base', '1'),
  ],
  '06': [
    types('cost-counter', '#cost-counter-tokens-field', '333'),
    follows('cost-counter', { tokens: '1000', added: '12', sight: '100' }),
    sets('cost-counter', 'theme', 'dark'),
  ],
  '07': [
    follows('continue-text', { drawn: '12', seed: '4', topp: '0.9' }),
    types('continue-text', '[data-control=continue-text-temperature] .slider-number', '1.3'),
    types('lab-head', '#lab-head-Head', '2'),
    follows('lab-views', { from: '5', view: 'mean' }),
    follows('lab-lens', { done: '1', position: '6' }),
  ],
  '08': [
    clicks('train-live', '#train-live-word-3'),
    follows('train-live', { seed: '3', repeats: '0' }),
  ],
};
