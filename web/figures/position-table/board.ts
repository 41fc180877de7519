// The table as a picture, places downwards and numbers across; beside it how alike every row is to the picked one. A place
// is picked by pressing the picture, or by the arrow keys; a press picks the number, too.

import { html, svg, type TemplateResult } from 'lit';
import { cellPaths } from '../../marks/cell-paths.ts';
import { scoreLegend } from '../../marks/legend.ts';
import { fixed } from '../../marks/number.ts';
import '../../marks/table-picture.ts';
import type { TablePictureOptions } from '../../marks/table-picture.ts';
import { compiled } from '../head-views/input.ts';
import type { Seen } from '../model-text.ts';
import { colOf, noRow, placeText, sizesOf } from './words.ts';
import { mostAlike, type Places, type State } from './work.ts';

/** The picture's height in pixels: whole pixels a row where that fits. */
const [least, most] = [360, 512];
/** The compiled picture shows every second row and every third number of it; the page's own shows all. */
const [downStride, acrossStride] = [2, 3];
const steps = 4;

export interface BoardOptions {
  id: string;
  state: State;
  result: Seen<Places>;
  set(patch: Partial<State>): void;
  wanted?(): State;
}

export function board(options: BoardOptions): TemplateResult {
  const { id, state, result, set, wanted } = options;
  const { rows, width } = sizesOf(result);
  const { cosines, extent } = result.seen;
  const height = heightOf(rows);
  const picked = Math.min(state.place, rows - 1);
  const pressed = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const place = within(Math.floor(((event.clientY - box.top) / box.height) * rows), rows);
    const cells = (event.currentTarget as Element).querySelector('.places-cells')!.getBoundingClientRect();
    const col = Math.floor(((event.clientX - cells.left) / cells.width) * width);
    set(col >= 0 && col < width ? { place, col } : { place });
  };
  const drag = (event: PointerEvent) => event.pointerType !== 'touch' && event.buttons === 1 && pressed(event);
  const walk = (event: KeyboardEvent) => {
    // Keys may come faster than pictures: each goes on from where the one before has led.
    const next = nextPlace(event, Math.min((wanted?.() ?? state).place, rows - 1), rows);
    if (next === undefined) return;
    event.preventDefault();
    set({ place: next });
  };
  const spoken = cosines && rows > 2 ? `Place ${placeText(picked)}, most like ${mostAlike(cosines, picked, 1).map((at) => `${placeText(at)}, cosine ${fixed(cosines[at]!, 2)}`)[0]}` : `Place ${placeText(picked)}`;
  return html`<div class="places-heads" aria-hidden="true"><span>place</span><span>${compiled ? 'every third of ' : ''}${fixed(width, 0)} numbers</span><span>${cosines ? `cosine with row ${placeText(state.place)}` : ''}</span></div>
    <div class="places-board" id="${id}-board" tabindex="0" role="application" aria-roledescription="table" aria-label="Rows of the position table. ${spoken}. Arrow keys pick another place."
      @pointerdown=${(event: PointerEvent) => event.pointerType !== 'touch' && event.button === 0 && pressed(event)} @pointermove=${drag} @click=${pressed} @keydown=${walk}>
      ${axis(rows, height, state.place)}
      <div class="places-cells">${cells(result)}${over(state, result)}</div>
      ${likeness(result, state.place, height)}
    </div>
    <div class="places-heads places-ends" aria-hidden="true"><span></span><span></span><span class="places-scale">${cosines ? html`<span>−1</span><span>0</span><span>1</span>` : ''}</span></div>
    ${cosines ? '' : html`<p class="places-none" role="status">${noRow(state, result)}. A token at that place would have no row to add to its own, so the model takes no text that reaches it.</p>`}
    <p class="places-legend">${scoreLegend({ extent, negative: true, label: 'a number of the table' })} <span class="hint">One number in a hundred is larger; it is as dark as the end of the scale.</span></p>`;
}

function heightOf(rows: number): number {
  return rows > most ? most : rows * Math.ceil(least / rows);
}

function within(place: number, rows: number): number {
  return Math.min(Math.max(place, 0), rows - 1);
}

const keys: Record<string, (place: number, rows: number) => number> = {
  ArrowUp: (place) => place - 1,
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place + 1,
  ArrowRight: (place) => place + 1,
  PageUp: (place) => place - 10,
  PageDown: (place) => place + 10,
  Home: () => 0,
  End: (_, rows) => rows - 1,
};

function nextPlace(event: KeyboardEvent, place: number, rows: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const next = keys[event.key]?.(place, rows);
  return next === undefined ? undefined : within(next, rows);
}

// ------------------------------------------------------------------------------------------------------------ picture

function cells(result: Seen<Places>): TemplateResult {
  const { rows, width } = sizesOf(result);
  const { table, extent } = result.seen;
  if (!compiled) {
    const options: TablePictureOptions = { rows, columns: width, values: table, extent };
    return html`<table-picture .options=${options}></table-picture>`;
  }
  const [down, across] = [Math.ceil(rows / downStride), Math.ceil(width / acrossStride)];
  // Numbers change slowly from place to place, so lines downwards are fewer than lines across: the picture lies on its side.
  return html`<svg class="places-compiled" viewBox="0 0 ${across} ${down}" preserveAspectRatio="none" aria-hidden="true">
    <g transform="matrix(0 1 1 0 0 0)">${cellPaths({ rows: across, columns: down, value: (number, place) => table[place * downStride * width + number * acrossStride]!, extent, steps })}</g>
  </svg>`;
}

/** The picked row and number, over the picture. */
function over(state: State, result: Seen<Places>): TemplateResult {
  const { rows, width } = sizesOf(result);
  const row = result.seen.cosines ? svg`<rect class="places-picked" x="0" y=${state.place} width=${width} height="1"></rect>` : '';
  return html`<svg class="places-over" viewBox="0 0 ${width} ${rows}" preserveAspectRatio="none" aria-hidden="true">
    <rect class="places-col" x=${colOf(state, result)} y="0" width="1" height=${rows}></rect>${row}
  </svg>`;
}

/** Places beside the picture; the picked one stands out. */
function axis(rows: number, height: number, place: number): TemplateResult {
  const step = [10, 20, 50, 100, 200, 500, 1000].find((every) => (every / rows) * height >= 40) ?? rows;
  const y = (at: number) => Math.round(((at + 0.5) / rows) * height * 10) / 10;
  const ticks = Array.from({ length: Math.ceil(rows / step) }, (_, at) => at * step).filter((at) => place >= rows || Math.abs(y(at) - y(place)) > 15);
  const label = (at: number, className: string) => svg`<text class=${className} x="40" y=${Math.min(Math.max(y(at) + 4, 11), height - 2)} text-anchor="end">${placeText(at)}</text>`;
  return html`<svg class="places-axis" width="46" height=${height} aria-hidden="true">${ticks.map((at) => label(at, 'places-tick'))}${place < rows ? label(place, 'places-tick places-here') : ''}</svg>`;
}

/** The cosine of the picked row with every row, as a line that goes down with the places. */
function likeness({ seen: { cosines }, model }: Seen<Places>, place: number, height: number): TemplateResult {
  const rows = model.config.n_positions;
  const x = (cosine: number) => Math.round((cosine + 1) * 500) / 10;
  const y = (at: number) => Math.round(((at + 0.5) / rows) * height * 10) / 10;
  return html`<svg class="places-likeness" viewBox="0 0 100 ${height}" preserveAspectRatio="none" width="100%" height=${height} aria-hidden="true">
    <rect class="places-room" width="100" height=${height}></rect>
    <line class="places-zero" x1="50" x2="50" y1="0" y2=${height}></line>
    ${cosines ? svg`<line class="places-level" x1="0" x2="100" y1=${y(place)} y2=${y(place)}></line>
      <polyline class="places-line" points=${Array.from(cosines, (cosine, at) => `${x(cosine)},${y(at)}`).join(' ')}></polyline>` : ''}
  </svg>`;
}
