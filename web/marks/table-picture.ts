// A whole table of numbers as one painted picture, scaled to the room that it is given: a million cells stay fluid. The
// same inks as grids and strips. What is picked in it is drawn over it, and said, by the figure.
//
// An element, because it paints when it is resized or seen in another theme.

import { html, LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import { scoreInk } from './ink.ts';
import { lightOnPaper, repaint } from './repaint.ts';

export interface TablePictureOptions {
  rows: number;
  columns: number;
  /** [rows, columns] */
  values: Float32Array;
  /** Sizes from here on have the full ink. */
  extent: number;
}

/** Strengths of ink on either side of 0. */
const strengths = 255;

export class TablePicture extends LitElement {
  static override properties: PropertyDeclarations = { options: { attribute: false, hasChanged: differs } };

  declare options: TablePictureOptions;
  /** Painted once for a table and theme, a pixel a cell. */
  cells: HTMLCanvasElement | null = null;
  request = 0;
  stops: (() => void)[] = [];

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    const resized = new ResizeObserver(() => this.drawSoon());
    resized.observe(this);
    const turned = () => {
      this.cells = null;
      this.draw();
    };
    this.stops = [() => resized.disconnect(), repaint(turned)];
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.request);
    this.stops.forEach((stop) => stop());
  }

  override render() {
    return html`<canvas class="table-picture" aria-hidden="true"></canvas><i class="heat-probe" aria-hidden="true"></i>`;
  }

  override updated(changed: PropertyValues) {
    if (changed.has('options')) this.cells = null;
    this.draw();
  }

  drawSoon() {
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const canvas = this.querySelector('canvas');
    const pen = canvas?.getContext('2d');
    const { width, height } = this.getBoundingClientRect();
    if (!canvas || !pen || width === 0 || height === 0) return;
    const density = devicePixelRatio || 1;
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    const { rows, columns } = this.options;
    this.cells ??= this.paint();
    // Cells larger than a pixel keep their edges; smaller ones are averaged.
    pen.imageSmoothingEnabled = columns > canvas.width || rows > canvas.height;
    pen.imageSmoothingQuality = 'high';
    pen.fillStyle = this.colour('--paper');
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(this.cells, 0, 0, canvas.width, canvas.height);
  }

  paint(): HTMLCanvasElement {
    const { rows, columns, values, extent } = this.options;
    const hues = { 'ink-slate': this.rgb('--slate'), 'ink-plum': this.rgb('--plum') } as const;
    const colours = Array.from({ length: 2 * strengths + 1 }, (_, at) => {
      const { className, opacity } = scoreInk(((at - strengths) / strengths) * extent, extent);
      return [...hues[className as keyof typeof hues], Math.round(opacity * 255)];
    });
    // A pixel is one number of 32 bits, as is each colour.
    const inks = new Uint32Array(new Uint8Array(colours.flat()).buffer);
    const pixels = new ImageData(columns, rows);
    const words = new Uint32Array(pixels.data.buffer);
    for (let at = 0; at < words.length; at++) {
      const size = extent > 0 ? Math.max(-1, Math.min(1, values[at]! / extent)) : 0;
      words[at] = inks[(Number.isFinite(size) ? Math.round(size * strengths) : 0) + strengths]!;
    }
    const cells = document.createElement('canvas');
    cells.width = columns;
    cells.height = rows;
    cells.getContext('2d')?.putImageData(pixels, 0, 0);
    return cells;
  }

  /** A colour of the theme as a canvas reads it. */
  colour(name: string): string {
    const probe = this.querySelector<HTMLElement>('.heat-probe')!;
    lightOnPaper(probe);
    probe.style.setProperty('color', `var(${name})`);
    return getComputedStyle(probe).color;
  }

  rgb(name: string): number[] {
    const dot = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    dot.fillStyle = this.colour(name);
    dot.fillRect(0, 0, 1, 1);
    return [...dot.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  }
}

function differs(next: TablePictureOptions, before: TablePictureOptions | undefined): boolean {
  return !before || next.values !== before.values || next.extent !== before.extent;
}

if (typeof document !== 'undefined' && !customElements.get('table-picture')) customElements.define('table-picture', TablePicture);
