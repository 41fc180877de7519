// Arrows in the plane, from the middle outwards. An arrow with a handle can be dragged, or moved by the arrow keys when
// its handle has the focus (Shift: five steps). The reader's numbers beside it are the figure's business.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { score } from './number.ts';

export type Meaning = 'query' | 'key' | 'value' | 'blend' | 'plain';

export interface Arrow {
  name: string;
  x: number;
  y: number;
  meaning: Meaning;
  /** The letter at the tip; the second sign beside the hue. */
  letter: string;
  /** Makes a handle at the tip. Gets the wanted place, within the picture, on the lattice of `step`. */
  move?: (x: number, y: number) => void;
  /** The tip that was asked for last, where it may be ahead of the one shown. */
  wanted?: () => [number, number];
}

export interface PlaneOptions {
  id: string;
  label: string;
  /** The picture shows −extent … extent in both directions. */
  extent: number;
  /** Lattice of dragging and of the arrow keys. */
  step: number;
  arrows: readonly Arrow[];
  /** Drawn below the arrows, in picture units through `at`. */
  under?: (at: (x: number, y: number) => [number, number]) => SVGTemplateResult;
  over?: (at: (x: number, y: number) => [number, number]) => SVGTemplateResult;
  /** Without axes where places mean nothing by themselves. */
  axes?: boolean;
}

const size = 320;
const edge = 14;

export function plane(options: PlaneOptions): TemplateResult {
  const { id, label, extent, arrows, under, over, axes = true } = options;
  const x = scaleLinear([-extent, extent], [edge, size - edge]);
  const y = scaleLinear([-extent, extent], [size - edge, edge]);
  const at = (px: number, py: number): [number, number] => [fine(x(px)), fine(y(py))];
  return html`<svg class="plane" id="${id}-plane" viewBox="0 0 ${size} ${size}" role="group" aria-label=${label}>
    <rect class="plane-ground" width=${size} height=${size} rx="4"></rect>
    ${axes ? lattice(x, y) : nothing} ${under?.(at)} ${arrows.map((arrow) => shaft(arrow, at))} ${over?.(at)}
    ${arrows.map((arrow) => (arrow.move ? handle(options, arrow, x, y) : nothing))}
  </svg>`;
}

function lattice(x: ScaleLinear<number, number>, y: ScaleLinear<number, number>): SVGTemplateResult {
  const ticks = x.ticks(8).filter((tick) => tick !== 0);
  return svg`${ticks.map(
    (tick) => svg`<line class="plane-line" x1=${fine(x(tick))} x2=${fine(x(tick))} y1=${edge} y2=${size - edge}></line>
      <line class="plane-line" y1=${fine(y(tick))} y2=${fine(y(tick))} x1=${edge} x2=${size - edge}></line>`,
  )}
  <line class="plane-axis" x1=${fine(x(0))} x2=${fine(x(0))} y1=${edge} y2=${size - edge}></line>
  <line class="plane-axis" y1=${fine(y(0))} y2=${fine(y(0))} x1=${edge} x2=${size - edge}></line>
  ${ticks.filter((tick) => Number.isInteger(tick)).map((tick) => svg`<text class="plane-tick" x=${fine(x(tick))} y=${fine(y(0)) + 12} text-anchor="middle">${score(tick).replace('.00', '')}</text>`)}`;
}

function shaft(arrow: Arrow, at: (x: number, y: number) => [number, number]): SVGTemplateResult {
  const [x0, y0] = at(0, 0);
  const [x1, y1] = at(arrow.x, arrow.y);
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return svg`<circle class="arrow-head mark-${arrow.meaning}" cx=${x0} cy=${y0} r="4"></circle>`;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(12, length);
  const [bx, by] = [x1 - ux * head, y1 - uy * head];
  const corner = (side: number) => `${fine(bx - uy * side * head * 0.4)},${fine(by + ux * side * head * 0.4)}`;
  // The letter stands beyond the tip, or on the shaft's side where the picture ends.
  const beyond = Math.max(Math.abs(x1 + ux * 22 - size / 2), Math.abs(y1 + uy * 22 - size / 2)) < size / 2 - 8;
  const [lx, ly] = beyond ? [x1 + ux * 22, y1 + uy * 22] : [x1 - ux * 34 - uy * 16, y1 - uy * 34 + ux * 16];
  return svg`<g class="arrow mark-${arrow.meaning}">
    <line class="arrow-shaft mark-${arrow.meaning}" x1=${x0} y1=${y0} x2=${fine(bx)} y2=${fine(by)}></line>
    <polygon class="arrow-head mark-${arrow.meaning}" points="${x1},${y1} ${corner(1)} ${corner(-1)}"></polygon>
    <text class="arrow-letter mark-${arrow.meaning}" x=${fine(lx)} y=${fine(ly) + 5} text-anchor="middle">${arrow.letter}</text>
  </g>`;
}

function handle(options: PlaneOptions, arrow: Arrow, x: ScaleLinear<number, number>, y: ScaleLinear<number, number>): SVGTemplateResult {
  const { extent, step } = options;
  const settle = (value: number) => Math.min(Math.max(Math.round(value / step) * step, -extent), extent) + 0;
  const moveTo = (px: number, py: number) => arrow.move!(settle(px), settle(py));
  const drag = (event: PointerEvent) => {
    const target = event.currentTarget as SVGGElement;
    if (!target.hasPointerCapture(event.pointerId)) return;
    const matrix = target.ownerSVGElement?.getScreenCTM();
    if (!matrix) return;
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    moveTo(x.invert(place.x), y.invert(place.y));
  };
  const grab = (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as SVGGElement).setPointerCapture(event.pointerId);
    drag(event);
  };
  const key = (event: KeyboardEvent) => {
    const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const stride = step * (event.shiftKey ? 5 : 1);
    const [fromX, fromY] = arrow.wanted?.() ?? [arrow.x, arrow.y];
    moveTo(fromX + way[0] * stride, fromY + way[1] * stride);
  };
  return svg`<g
    class="arrow-handle mark-${arrow.meaning}"
    tabindex="0"
    role="slider"
    aria-label="${arrow.name}, arrow keys move its tip"
    aria-valuemin=${-extent}
    aria-valuemax=${extent}
    aria-valuenow=${arrow.x}
    aria-valuetext="x ${score(arrow.x)}, y ${score(arrow.y)}"
    @pointerdown=${grab}
    @pointermove=${drag}
    @keydown=${key}
  >
    <circle class="arrow-reach" cx=${fine(x(arrow.x))} cy=${fine(y(arrow.y))} r="22"></circle>
    <circle class="arrow-grip mark-${arrow.meaning}" cx=${fine(x(arrow.x))} cy=${fine(y(arrow.y))} r="7"></circle>
  </g>`;
}

function fine(value: number): number {
  return Math.round(value * 10) / 10;
}
