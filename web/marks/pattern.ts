// A head's pattern in small, without numbers: squares in the ink of shares, the masked half hatched. On the page a canvas,
// so that a hundred and more of them cost little; in the compiled page the same squares as an SVG of few paths.

import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { cellPaths } from './cell-paths.ts';
import { shareInk } from './ink.ts';
import { lightOnPaper, repaint } from './repaint.ts';

export interface Pattern {
  /** [side, side], shares; 0 where all is masked. */
  grid: ArrayLike<number>;
  side: number;
}

// ------------------------------------------------------------------------------------------------------------- still

/** Steps of ink between paper and plum. */
const levels = 10;
/** A square's side in the still picture. */
const unit = 10;

/** `hatch` is the id of a pattern that stands elsewhere in the page (marks/legend.ts). */
export function stillPattern({ grid, side }: Pattern, hatch: string): TemplateResult {
  const size = side * unit;
  return html`<svg class="pattern" viewBox="0 0 ${size} ${size}" aria-hidden="true"><path fill="url(#${hatch})" d=${masked(side)}></path><g transform="scale(${unit})">${cellPaths({ rows: side, columns: side, value: (row, column) => grid[row * side + column]!, extent: 1, steps: levels })}</g></svg>`;
}

/** The stairs above the diagonal. */
function masked(side: number): string {
  let path = `M${unit} 0H${side * unit}V${(side - 1) * unit}`;
  for (let at = side - 1; at > 0; at--) path += `H${at * unit}V${(at - 1) * unit}`;
  return path + 'z';
}

// ------------------------------------------------------------------------------------------------------------- alive

/** A picture has about so many pixels along its side, whatever it holds; the page makes it as large as there is room. */
const pixels = 132;

export class PatternCanvas extends LitElement {
  static override properties: PropertyDeclarations = { pattern: { attribute: false } };

  declare pattern: Pattern;
  stop = () => {};

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.stop = repaint(() => this.draw());
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  override render() {
    return html`<canvas class="pattern" aria-hidden="true"></canvas>`;
  }

  override updated() {
    this.draw();
  }

  draw() {
    const canvas = this.querySelector('canvas');
    const pen = canvas?.getContext('2d');
    if (!canvas || !pen) return;
    const { grid, side } = this.pattern;
    const square = Math.max(1, Math.round(pixels / side));
    lightOnPaper(canvas);
    canvas.width = canvas.height = side * square;
    const { color, outlineColor, borderTopColor } = getComputedStyle(canvas);
    hatch(pen, side, square, borderTopColor, outlineColor);
    pen.fillStyle = color;
    for (let row = 0; row < side; row++) {
      for (let column = 0; column <= row; column++) {
        const { opacity } = shareInk(grid[row * side + column]!);
        if (opacity === 0) continue;
        pen.globalAlpha = opacity;
        pen.fillRect(column * square, row * square, square, square);
      }
    }
  }
}

/** The masked half: the ground and the lines of marks/legend.ts. */
function hatch(pen: CanvasRenderingContext2D, side: number, square: number, ground: string, line: string) {
  const size = side * square;
  pen.save();
  pen.beginPath();
  for (let row = 0; row < side; row++) pen.rect((row + 1) * square, row * square, size, square);
  pen.clip();
  pen.fillStyle = ground;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = line;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let at = -size; at < size; at += 8.5) {
    pen.moveTo(at, size);
    pen.lineTo(at + size, 0);
  }
  pen.stroke();
  pen.restore();
}

if (typeof document !== 'undefined' && !customElements.get('pattern-canvas')) customElements.define('pattern-canvas', PatternCanvas);
