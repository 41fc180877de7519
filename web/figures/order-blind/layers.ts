// What attention brings to the last token, layer by layer in both texts; and the layer that is open, number by number.

import { html, nothing, type TemplateResult } from 'lit';
import { barPicture } from '../../marks/bars.ts';
import { scoreExtent } from '../../marks/ink.ts';
import { scoreLegend } from '../../marks/legend.ts';
import { fixed, ordinal, score } from '../../marks/number.ts';
import { pager } from '../../marks/pager.ts';
import type { ViewContext } from '../definition.ts';
import { strips } from '../same-row/strips.ts';
import type { State } from './state.ts';
import { askerOf, exactly, looksSame } from './words.ts';
import { bitsOf, colOf, layerOf, type Result, type Seen } from './work.ts';

export function layerList({ id, state, set, page }: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const open = layerOf(state, seen);
  const longest = Math.max(...seen.layers.flatMap(({ one, two, difference }) => [one, two, difference]).filter(Number.isFinite), 1e-9);
  return html`<div class="order-layers">
    <p class="order-name">What attention brings to <b>“${askerOf(seen)}”</b></p>
    <p class="order-line order-heads" aria-hidden="true"><span>layer</span><span>first</span><span>second</span><span>apart</span><span></span></p>
    <div class="order-rows" role="group" aria-label="Layers; pick one to open it" @keydown=${upAndDown}>
      ${seen.layers.map((row, layer) => {
        const same = looksSame(row);
        return html`<button type="button" class="order-line" id="${id}-layer-${layer}" tabindex=${layer === open ? 0 : -1} aria-pressed=${layer === open ? 'true' : 'false'} @click=${() => set({ layer })}>
          <span><span class="visually-hidden">layer </span>${ordinal(layer, page.base)}</span>
          <span class="order-length">${score(row.one)}<span class="visually-hidden"> long in the first text, </span></span>
          <span class="order-length">${score(row.two)}<span class="visually-hidden"> in the second, </span></span>
          <span class="order-apart">${barPicture({ length: row.difference / longest, start: 0, className: 'bar-score', opacity: 1 })}<span class="bar-number">${score(row.difference)}<span class="visually-hidden"> apart, </span></span></span>
          <span class="order-verdict ${same ? '' : 'order-differs'}">${same ? '= same' : '≠ differs'}</span>
        </button>`;
      })}
    </div>
    <p class="order-legend">Lengths of rows of ${fixed(seen.model.config.d_model, 0)} numbers; bars run from 0 to ${score(longest)}. Same: every number equal to three decimals.</p>
  </div>`;
}

/** Both rows of the layer that is open, and one number of them in full. */
export function opened({ id, state, set, page }: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const layer = layerOf(state, seen);
  const col = colOf(state, seen);
  const [one, two] = [seen.sides[0].brought[layer]!, seen.sides[1].brought[layer]!];
  const all = seen.model.config.d_model;
  const told = exactly(seen.layers[layer]!, all);
  return html`<div class="order-opened">
    <p class="order-name">Layer ${ordinal(layer, page.base)}, number by number: <b>${told}</b></p>
    ${strips({ rows: [one, two], col, label: `What attention brings to “${askerOf(seen)}” in layer ${ordinal(layer, page.base)}, in both texts: ${told}`, pick: (next) => set({ col: next }) })}
    <p class="same-legend">${scoreLegend({ extent: scoreExtent([...one, ...two]), negative: true, label: 'a number' })} <span>first text, second text, and their difference; a tick: not the same to the last bit</span></p>
    <div class="same-number">
      ${pager({ id, noun: 'Number', at: col, count: all, base: page.base, set: (next) => set({ col: next }) })}
      <p>${spelledOut(one, col)} in the first text, ${spelledOut(two, col)} in the second</p>
    </div>
    ${looksSame(seen.layers[layer]!) && seen.layers[layer]!.most > 0 ? html`<p class="hint">The words come in another order, so the sums are taken in another order, and their last digits are rounded otherwise.</p>` : nothing}
  </div>`;
}

/** A number with its 32 bits, as eight hexadecimal signs. */
function spelledOut(row: Float32Array, at: number): TemplateResult {
  return html`<b>${fixed(row[at]!, 8)}</b> <span class="same-bits">${bitsOf(row)[at]!.toString(16).toUpperCase().padStart(8, '0')}</span>`;
}

/** Arrow keys move among the rows; Enter picks. */
function upAndDown(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const buttons = Array.from((event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('button'));
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const last = buttons.length - 1;
  const goal = new Map([['ArrowUp', at - 1], ['ArrowDown', at + 1], ['Home', 0], ['End', last]]).get(event.key);
  const next = at < 0 || goal === undefined ? undefined : buttons[goal];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}
