// A heat grid: each row asks, each column answers. Numbers stand in the cells where there is room. The labels stay
// pinned while the cells scroll in their frame. One cell is in the tab order; arrow keys, Home, End and Page keys walk,
// Enter picks, Escape lets go.
//
// `gridLayout` measures, `cells` draws. A grid too large for an element a cell can draw the same layout on a canvas.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Ink } from './ink.ts';
import { hatching } from './legend.ts';

/** Row and column, counted from 0. */
export type Place = readonly [row: number, column: number];

export interface GridCell {
  ink: Ink;
  /** The number as displayed; left out of a cell too small for it. */
  text: string;
  /** What a screen reader says: "from it to animal: 85 %". */
  name: string;
}

export interface GridOptions {
  id: string;
  label: string;
  rows: readonly string[];
  columns: readonly string[];
  cell(row: number, column: number): GridCell;
  /** What rows and columns are, for their hue and letter. */
  rowMeaning?: 'query' | 'plain';
  columnMeaning?: 'key' | 'plain';
  active?: Place | null;
  onActive?: (place: Place | null) => void;
  onPick?: (place: Place) => void;
}

export interface GridLayout {
  cellWidth: number;
  cellHeight: number;
  /** Whether cells hold their numbers, and whether in small digits. */
  numbers: boolean;
  small: boolean;
  /** Room for the labels. */
  left: number;
  top: number;
  /** Column labels run upwards when one is wider than its cell. */
  upright: boolean;
}

/** The width of a letter of the labels, on average. Pixels. */
const letter = 7.4;
const longestLabel = 14;

export function gridLayout(rows: readonly string[], columns: readonly string[]): GridLayout {
  const count = Math.max(rows.length, columns.length);
  const numbers = count <= 20;
  // Fourteen tokens with their numbers and the longest labels fit a page of 800 pixels.
  const cellWidth = numbers ? (count <= 10 ? 52 : 38) : count <= 40 ? 18 : 10;
  const cellHeight = numbers ? (count <= 10 ? 36 : 30) : cellWidth;
  const longest = (labels: readonly string[]) => Math.min(Math.max(1, ...labels.map((label) => Array.from(label).length)), longestLabel);
  const upright = longest(columns) * letter > cellWidth - 4;
  return { cellWidth, cellHeight, numbers, small: count > 10, upright, left: longest(rows) * letter + 14, top: upright ? longest(columns) * letter + 14 : 26 };
}

export function grid(options: GridOptions): TemplateResult {
  const { rows, columns, id } = options;
  const layout = gridLayout(rows, columns);
  const width = columns.length * layout.cellWidth;
  const height = rows.length * layout.cellHeight;
  const { left, top } = layout;
  return html`<div class="grid-frame" id="${id}-frame">
    <svg class="grid-corner" width=${left} height=${top} aria-hidden="true"><rect class="grid-ground" width=${left} height=${top}></rect></svg>
    <svg class="grid-columns" width=${width} height=${top} aria-hidden="true">
      <rect class="grid-ground" width=${width} height=${top}></rect>
      ${columns.map((label, at) => columnLabel(options, layout, label, at))}
    </svg>
    <svg class="grid-rows" width=${left} height=${height} aria-hidden="true">
      <rect class="grid-ground" width=${left} height=${height}></rect>
      ${rows.map((label, at) => rowLabel(options, layout, label, at))}
    </svg>
    ${cells(options, layout, width, height)}
  </div>`;
}

function columnLabel(options: GridOptions, layout: GridLayout, label: string, at: number): SVGTemplateResult {
  const middle = (at + 0.5) * layout.cellWidth;
  const classes = `grid-label mark-${options.columnMeaning ?? 'plain'} ${options.active?.[1] === at ? 'grid-label-active' : ''}`;
  return layout.upright
    ? svg`<text class=${classes} transform="translate(${middle + 4} ${layout.top - 6}) rotate(-90)">${cut(label)}${whole(label)}</text>`
    : svg`<text class=${classes} x=${middle} y=${layout.top - 8} text-anchor="middle">${cut(label)}${whole(label)}</text>`;
}

function rowLabel(options: GridOptions, layout: GridLayout, label: string, at: number): SVGTemplateResult {
  const classes = `grid-label mark-${options.rowMeaning ?? 'plain'} ${options.active?.[0] === at ? 'grid-label-active' : ''}`;
  return svg`<text class=${classes} x=${layout.left - 7} y=${(at + 0.5) * layout.cellHeight + 4} text-anchor="end">${cut(label)}${whole(label)}</text>`;
}

function cells(options: GridOptions, layout: GridLayout, width: number, height: number): TemplateResult {
  const { id, label, rows, columns, active, onActive } = options;
  return html`<svg class="grid-cells" width=${width} height=${height} role="grid" aria-label=${label}
    @keydown=${(event: KeyboardEvent) => walk(event, options)}
    @pointerleave=${onActive && (() => onActive(null))}>
    ${hatching(`${id}-hatch`)}
    ${rows.map((_, row) => svg`<g role="row">${columns.map((_, column) => cell(options, layout, row, column))}</g>`)}
    ${active ? cross(active, layout, width, height) : nothing}
  </svg>`;
}

function cell(options: GridOptions, layout: GridLayout, row: number, column: number): SVGTemplateResult {
  const { id, active, onActive, onPick } = options;
  const { cellWidth: width, cellHeight: height } = layout;
  const { ink, text, name } = options.cell(row, column);
  const entry = active ? active[0] === row && active[1] === column : row === 0 && column === 0;
  const masked = ink.className === 'ink-masked';
  return svg`<g class="grid-cell" role="gridcell" data-cell="${row},${column}" tabindex=${entry ? 0 : -1} aria-label=${name}
    transform="translate(${column * width} ${row * height})"
    @focus=${onActive && (() => onActive([row, column]))}
    @pointerenter=${onActive && (() => onActive([row, column]))}
    @click=${onPick && (() => onPick([row, column]))}>
    <rect class="grid-paper" width=${width} height=${height}></rect>
    <rect class=${ink.className} width=${width} height=${height} fill=${masked ? `url(#${id}-hatch)` : nothing} fill-opacity=${ink.opacity}></rect>
    ${layout.numbers && text !== '' ? svg`<text class="grid-number ${layout.small ? 'grid-number-small' : ''} ${ink.strong ? 'ink-strong' : ''}" x=${width / 2} y=${height / 2 + 4} text-anchor="middle">${text}</text>` : nothing}
    <rect class="grid-ring" x="0.5" y="0.5" width=${width - 1} height=${height - 1}></rect>
  </g>`;
}

function cross([row, column]: Place, layout: GridLayout, width: number, height: number): SVGTemplateResult {
  const { cellWidth, cellHeight } = layout;
  return svg`<g class="grid-cross" aria-hidden="true">
    <rect y=${row * cellHeight} width=${width} height=${cellHeight}></rect>
    <rect x=${column * cellWidth} width=${cellWidth} height=${height}></rect>
    <rect class="grid-active" x=${column * cellWidth} y=${row * cellHeight} width=${cellWidth} height=${cellHeight}></rect>
  </g>`;
}

const walks: Record<string, (place: Place, last: Place) => Place> = {
  ArrowLeft: ([row, column]) => [row, column - 1],
  ArrowRight: ([row, column]) => [row, column + 1],
  ArrowUp: ([row, column]) => [row - 1, column],
  ArrowDown: ([row, column]) => [row + 1, column],
  Home: ([row]) => [row, 0],
  End: ([row], [, last]) => [row, last],
  PageUp: ([, column]) => [0, column],
  PageDown: ([, column], [last]) => [last, column],
};

/** Where a key leads from a place in a grid; undefined when the key does not walk. Never leaves the grid. */
export function nextPlace(key: string, place: Place, rows: number, columns: number): Place | undefined {
  const next = walks[key]?.(place, [rows - 1, columns - 1]);
  return next && [clamp(next[0], rows), clamp(next[1], columns)];
}

function walk(event: KeyboardEvent, options: GridOptions): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const cellNode = (event.target as Element).closest('[data-cell]');
  if (!cellNode) return;
  const [row = 0, column = 0] = cellNode.getAttribute('data-cell')!.split(',').map(Number);
  const next = nextPlace(event.key, [row, column], options.rows.length, options.columns.length);
  if (next) (event.currentTarget as Element).querySelector<SVGGElement>(`[data-cell="${next[0]},${next[1]}"]`)?.focus();
  else if (event.key === 'Enter' || event.key === ' ') options.onPick?.([row, column]);
  else if (event.key === 'Escape') options.onActive?.(null);
  else return;
  event.preventDefault();
}

function clamp(value: number, count: number): number {
  return Math.min(Math.max(value, 0), count - 1);
}

/** A label that is cut keeps its whole text for who points at it, in a live page; voices have it in the names of the cells. */
function whole(label: string): SVGTemplateResult | typeof nothing {
  return cut(label) === label ? nothing : svg`<title .textContent=${label}></title>`;
}

function cut(label: string): string {
  const signs = Array.from(label);
  return signs.length <= longestLabel ? label : signs.slice(0, longestLabel - 1).join('') + '…';
}
