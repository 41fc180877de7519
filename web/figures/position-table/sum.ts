// Where a token begins: its row of the token table, the row of its place, and both added, number by number.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { cellPaths } from '../../marks/cell-paths.ts';
import { scoreExtent } from '../../marks/ink.ts';
import { scoreLegend } from '../../marks/legend.ts';
import { pager } from '../../marks/pager.ts';
import type { ViewContext } from '../definition.ts';
import type { Seen } from '../model-text.ts';
import { colOf, placeText, sizesOf, spelledOut, sumRows, tokenAt } from './words.ts';
import type { Places, Result, State } from './work.ts';

/** Cells in a line; longer rows wrap. */
const perLine = 96;
/** Heights in pixels: of a line, and between two. */
const [cell, gap] = [18, 3];
const steps = 8;

export function sumView({ id, state, page, set }: ViewContext<State, Result>, result: Seen<Places>): TemplateResult | typeof nothing {
  if (!result.seen.sum) {
    const last = placeText(result.run.tokens.length - 1);
    return result.seen.cosines ? html`<p class="hint places-beyond">The text ends at place ${last}. Whichever token comes to stand at place ${placeText(state.place)} gets this row added to its own.</p>` : nothing;
  }
  const rows = sumRows(state, result);
  const extent = scoreExtent(rows.flatMap((row) => [...row]));
  const names = [html`row of “${tokenAt(state, result)}”`, html`+ row of place ${placeText(state.place)}`, html`= where it begins`];
  return html`<div class="places-sum ${rows[0].length > perLine ? 'places-sum-many' : ''}">
    ${rows.map((row, at) => html`<span class="places-name">${names[at]}</span> ${strip(row, extent, colOf(state, result), (col) => set({ col }))}`)}
    <p class="places-legend places-across">${scoreLegend({ extent, negative: true, label: 'a number of the rows' })}</p>
    <div class="places-number places-across">
      ${pager({ id, noun: 'Number', at: colOf(state, result), count: sizesOf(result).width, base: page.base, set: (col) => set({ col }) })}
      <p class="num">${spelledOut(state, result).replace(/^.*: /, '')}</p>
    </div>
  </div>`;
}

function strip(row: Float32Array, extent: number, col: number, pick: (col: number) => void): TemplateResult {
  const columns = Math.min(perLine, row.length);
  const lines = Math.ceil(row.length / columns);
  const height = lines * (cell + gap) - gap;
  const pressed = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const line = Math.min(Math.floor(((event.clientY - box.top) / box.height) * lines), lines - 1);
    const at = line * columns + Math.floor(((event.clientX - box.left) / box.width) * columns);
    if (at >= 0 && at < row.length) pick(at);
  };
  return html`<svg class="places-strip" viewBox="0 0 ${columns} ${height}" preserveAspectRatio="none" width="100%" height=${height} aria-hidden="true" @click=${pressed}>
    ${Array.from({ length: lines }, (_, line) => {
      const part = row.subarray(line * columns, (line + 1) * columns);
      return svg`<g transform="translate(0 ${line * (cell + gap)}) scale(1 ${cell})">${cellPaths({ rows: 1, columns: part.length, value: (_, at) => part[at]!, extent, steps })}</g>`;
    })}
    <rect class="places-col" x=${col % columns} y=${Math.floor(col / columns) * (cell + gap)} width="1" height=${cell}></rect>
  </svg>`;
}
