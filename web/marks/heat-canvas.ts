// A heat grid of any size on a canvas: only what is in sight is drawn. The same inks, labels and keys as marks/grid.ts;
// labels stay at the edges while the cells scroll. Numbers stand in cells that are large enough for them.
//
// An element, because it draws when it is scrolled, resized, or seen in another theme.

import { html, LitElement, type PropertyDeclarations } from 'lit';
import { nextPlace, type Place } from './grid.ts';
import type { Ink } from './ink.ts';
import { lightOnPaper, onPaper, repaint } from './repaint.ts';

export interface HeatOptions {
  label: string;
  rows: readonly string[];
  columns: number;
  /** The label of a column; '' for none, where columns are narrower than their labels. */
  column(at: number): string;
  cellWidth: number;
  cellHeight: number;
  cell(row: number, column: number): { ink: Ink; text: string };
  /** What a screen reader says. */
  name(row: number, column: number): string;
  rowMeaning?: 'query' | 'plain';
  columnMeaning?: 'key' | 'plain';
  /** The cell with the pointer or the keyboard on it. */
  active: Place | null;
  /** The cell that is open. */
  picked: Place | null;
  onActive(place: Place | null): void;
  onPick(place: Place): void;
}

const labelSize = 13;
const numberSize = 12;
const gap = 8;
/** The longer side of a picture on paper has no more pixels. */
const mostPixels = 4096;

export class HeatCanvas extends LitElement {
  static override properties: PropertyDeclarations = { options: { attribute: false } };

  declare options: HeatOptions;
  /** Where the keyboard is, which a pointer that comes and goes does not move. */
  cursor: Place | null = null;
  inks: Record<string, string> = {};
  frameRequest = 0;
  stops: (() => void)[] = [];

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    const resized = new ResizeObserver(() => this.requestDraw());
    resized.observe(this);
    this.stops = [() => resized.disconnect(), repaint(() => this.draw())];
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frameRequest);
    this.stops.forEach((stop) => stop());
  }

  override render() {
    const { label, active, picked, name } = this.options;
    const at = active ?? picked;
    return html`<div class="heat-frame" tabindex="0" role="application" aria-roledescription="heat grid" aria-label="${label}${at ? `. ${name(at[0], at[1])}` : ''}. Arrow keys move, Enter opens."
      @scroll=${() => this.requestDraw()} @keydown=${this.walk} @focus=${this.enter} @blur=${() => this.options.onActive(null)}
      @pointermove=${this.hover} @pointerleave=${() => this.options.onActive(null)} @click=${this.pick}>
      <div class="heat-room"><canvas class="heat-picture" aria-hidden="true"></canvas></div><i class="heat-probe" aria-hidden="true"></i>
    </div>`;
  }

  override updated() {
    const size = this.size();
    const frame = this.frame();
    // Scroll bars take their room inside the frame.
    frame.style.setProperty('width', `min(100%, ${size[0] + 16}px)`);
    frame.style.setProperty('height', `min(80vh, 720px, ${size[1] + 16}px)`);
    const room = this.querySelector<HTMLElement>('.heat-room')!;
    room.style.setProperty('width', `${size[0]}px`);
    room.style.setProperty('height', `${size[1]}px`);
    this.draw();
  }

  frame = () => this.querySelector<HTMLElement>('.heat-frame')!;

  /** Width and height of the whole grid, in pixels. */
  size(): readonly [number, number] {
    const { columns, cellWidth, rows, cellHeight } = this.options;
    const { left, top } = this.edges();
    return [left + columns * cellWidth, top + rows.length * cellHeight];
  }

  /** Room for the labels, in pixels. */
  edges(): { left: number; top: number } {
    const longest = (labels: readonly string[]) => Math.max(1, ...labels.map((label) => Math.min(Array.from(label).length, 12)));
    const { rows, columns, column, cellWidth } = this.options;
    const left = longest(rows) * 7.2 + 2 * gap;
    const labels = Array.from({ length: columns }, (_, at) => column(at)).filter((label) => label !== '');
    const upright = labels.length === columns && longest(labels) * 7.2 > cellWidth;
    return { left, top: upright ? longest(labels) * 7.2 + 2 * gap : 26 };
  }

  requestDraw() {
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = requestAnimationFrame(() => this.draw());
  }

  // --------------------------------------------------------------------------------------------------------- drawing

  draw() {
    const frame = this.querySelector<HTMLElement>('.heat-frame');
    const canvas = this.querySelector('canvas');
    const pen = canvas?.getContext('2d');
    if (!frame || !canvas || !pen) return;
    const whole = onPaper();
    const [width, height] = whole ? this.size() : [frame.clientWidth, frame.clientHeight];
    const density = whole ? Math.min(2, mostPixels / Math.max(width, height)) : devicePixelRatio || 1;
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    canvas.style.setProperty('width', `${width}px`);
    canvas.style.setProperty('height', whole ? 'auto' : `${height}px`);
    pen.scale(density, density);
    this.inks = this.colours();
    const family = getComputedStyle(this).fontFamily;
    const { left, top } = this.edges();
    const [x, y] = whole ? [left, top] : [left - frame.scrollLeft, top - frame.scrollTop];
    pen.fillStyle = this.inks['--paper']!;
    pen.fillRect(0, 0, width, height);
    this.drawCells(pen, { x, y, left, top, width, height, family });
    this.drawLabels(pen, { x, y, left, top, width, height, family });
  }

  /** The theme's colours as the canvas can read them. */
  colours(): Record<string, string> {
    const probe = this.querySelector<HTMLElement>('.heat-probe')!;
    lightOnPaper(probe);
    const names = ['--paper', '--ink', '--quiet', '--line', '--room', '--plum', '--slate', '--query', '--key', '--ink-weak', '--ink-strong'];
    return Object.fromEntries(
      names.map((name) => {
        probe.style.setProperty('color', `var(${name})`);
        return [name, getComputedStyle(probe).color];
      }),
    );
  }

  drawCells(pen: CanvasRenderingContext2D, { x, y, left, top, width, height, family }: Drawing) {
    const { rows, columns, cellWidth, cellHeight, cell, active, picked } = this.options;
    const [c0, c1] = seen(x, left, width, cellWidth, columns);
    const [r0, r1] = seen(y, top, height, cellHeight, rows.length);
    const line = Math.min(cellWidth, cellHeight) >= 8 ? 1 : 0;
    const hatch = hatched(pen, this.inks['--room']!, this.inks['--line']!);
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width - left, height - top);
    pen.clip();
    pen.font = `${numberSize}px ${family}`;
    pen.textAlign = 'center';
    for (let row = r0; row < r1; row++) {
      for (let column = c0; column < c1; column++) {
        const { ink, text } = cell(row, column);
        const [px, py] = [x + column * cellWidth, y + row * cellHeight];
        pen.globalAlpha = ink.opacity;
        pen.fillStyle = ink.className === 'ink-masked' ? hatch : this.inks[ink.className === 'ink-slate' ? '--slate' : '--plum']!;
        if (ink.opacity > 0) pen.fillRect(px, py, cellWidth - line, cellHeight - line);
        pen.globalAlpha = 1;
        if (text === '') continue;
        pen.fillStyle = this.inks[ink.strong ? '--ink-strong' : '--ink-weak']!;
        pen.fillText(text, px + cellWidth / 2, py + cellHeight / 2 + 4);
      }
    }
    const cross = active ?? picked;
    if (cross) {
      pen.strokeStyle = this.inks['--quiet']!;
      pen.strokeRect(x - 0.5, y + cross[0] * cellHeight - 0.5, columns * cellWidth, cellHeight);
      pen.strokeRect(x + cross[1] * cellWidth - 0.5, y - 0.5, cellWidth, rows.length * cellHeight);
    }
    for (const place of [picked, active]) {
      if (!place) continue;
      const [px, py] = [x + place[1] * cellWidth - 0.5, y + place[0] * cellHeight - 0.5];
      pen.strokeStyle = this.inks['--ink']!;
      pen.lineWidth = 2;
      pen.strokeRect(px, py, cellWidth, cellHeight);
      if (line === 0) continue;
      // Paper within the ring, so that it is seen on dark squares.
      pen.strokeStyle = this.inks['--paper']!;
      pen.lineWidth = 1;
      pen.strokeRect(px + 1.5, py + 1.5, cellWidth - 3, cellHeight - 3);
    }
    pen.restore();
  }

  drawLabels(pen: CanvasRenderingContext2D, { x, y, left, top, width, height, family }: Drawing) {
    const { rows, columns, column, cellWidth, cellHeight, active, picked, rowMeaning, columnMeaning } = this.options;
    const cross = active ?? picked;
    const write = (label: string, lit: boolean, meaning: string | undefined) => {
      pen.font = `${lit ? '700 ' : ''}${labelSize}px ${family}`;
      pen.fillStyle = this.inks[meaning === 'query' ? '--query' : meaning === 'key' ? '--key' : '--quiet']!;
      return label;
    };
    const [r0, r1] = seen(y, top, height, cellHeight, rows.length);
    pen.save();
    pen.beginPath();
    pen.rect(0, top, left, height - top);
    pen.clip();
    pen.textAlign = 'right';
    for (let row = r0; row < r1; row++) pen.fillText(write(short(rows[row]!), cross?.[0] === row, rowMeaning), left - gap, y + (row + 0.5) * cellHeight + 4);
    pen.restore();
    const [c0, c1] = seen(x, left, width, cellWidth, columns);
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, width - left, top);
    pen.clip();
    const upright = top > 26;
    for (let at = Math.max(0, c0 - 20); at < c1; at++) {
      const label = column(at);
      if (label === '') continue;
      write(label, cross?.[1] === at, columnMeaning);
      pen.save();
      pen.translate(x + at * cellWidth + (upright ? cellWidth / 2 + 4 : 0), top - gap);
      if (upright) pen.rotate(-Math.PI / 2);
      pen.fillText(short(label), 0, 0);
      pen.restore();
    }
    pen.restore();
  }

  // ------------------------------------------------------------------------------------------------ pointer and keys

  placeAt(event: MouseEvent): Place | null {
    const frame = this.frame();
    const room = frame.getBoundingClientRect();
    const { left, top } = this.edges();
    const { rows, columns, cellWidth, cellHeight } = this.options;
    const [px, py] = [event.clientX - room.left - frame.clientLeft, event.clientY - room.top - frame.clientTop];
    if (px < left || py < top) return null;
    const column = Math.floor((px - left + frame.scrollLeft) / cellWidth);
    const row = Math.floor((py - top + frame.scrollTop) / cellHeight);
    return row < rows.length && column < columns ? [row, column] : null;
  }

  hover = (event: PointerEvent) => {
    const place = this.placeAt(event);
    const { active } = this.options;
    if (place?.[0] !== active?.[0] || place?.[1] !== active?.[1]) this.options.onActive(place);
  };

  pick = (event: MouseEvent) => {
    const place = this.placeAt(event);
    if (!place) return;
    this.cursor = place;
    this.options.onPick(place);
  };

  enter = () => {
    if (!this.options.active && this.frame().matches(':focus-visible')) this.options.onActive(this.keyPlace());
  };

  walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { rows, columns, onActive, onPick } = this.options;
    const place = this.keyPlace();
    const next = nextPlace(event.key, place, rows.length, columns);
    if (next) {
      this.cursor = next;
      this.reveal(next);
      onActive(next);
    } else if (event.key === 'Enter' || event.key === ' ') onPick(place);
    else return;
    event.preventDefault();
  };

  keyPlace(): Place {
    const { picked, rows, columns } = this.options;
    const [row, column] = this.cursor ?? picked ?? [0, 0];
    return [Math.min(row, rows.length - 1), Math.min(column, columns - 1)];
  }

  /** Scrolls so that a cell is in sight. */
  reveal([row, column]: Place) {
    const frame = this.frame();
    const { left, top } = this.edges();
    const { cellWidth, cellHeight } = this.options;
    const into = (now: number, begin: number, size: number, room: number) => Math.max(Math.min(now, begin), begin + size - room);
    frame.scrollLeft = into(frame.scrollLeft, column * cellWidth, cellWidth, frame.clientWidth - left);
    frame.scrollTop = into(frame.scrollTop, row * cellHeight, cellHeight, frame.clientHeight - top);
  }
}

interface Drawing {
  /** Where cell 0, 0 begins. */
  x: number;
  y: number;
  left: number;
  top: number;
  width: number;
  height: number;
  family: string;
}

/** First and past-last of the cells in sight along one side. */
function seen(origin: number, edge: number, end: number, size: number, count: number): [number, number] {
  return [Math.max(0, Math.floor((edge - origin) / size)), Math.min(count, Math.ceil((end - origin) / size))];
}

function short(label: string): string {
  const signs = Array.from(label);
  return signs.length <= 12 ? label : signs.slice(0, 11).join('') + '…';
}

function hatched(pen: CanvasRenderingContext2D, ground: string, line: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const tilePen = tile.getContext('2d');
  if (!tilePen) return ground;
  tilePen.fillStyle = ground;
  tilePen.fillRect(0, 0, 6, 6);
  tilePen.strokeStyle = line;
  tilePen.lineWidth = 1.2;
  for (const shift of [-6, 0, 6]) {
    tilePen.beginPath();
    tilePen.moveTo(shift, 6);
    tilePen.lineTo(shift + 6, 0);
    tilePen.stroke();
  }
  return pen.createPattern(tile, 'repeat') ?? ground;
}

if (typeof document !== 'undefined' && !customElements.get('heat-canvas')) customElements.define('heat-canvas', HeatCanvas);
