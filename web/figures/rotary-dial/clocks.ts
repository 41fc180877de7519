// A clock face for each pair: its two numbers as a hand, of the query and of the key, turned by their places. Thin lines
// show the hands before they are turned.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { RotaryOutput, RotaryPair } from '../../engine/lessons-rotary.ts';
import { fixed, plain, signed } from '../../marks/number.ts';

type Point = readonly [number, number];

/** Of a face, in its own units. */
const size = 132;
const middle = size / 2;
const radius = 48;

export function clocks(result: RotaryOutput): TemplateResult {
  const pairOf = (list: readonly number[], at: number): Point => [list[2 * at]!, list[2 * at + 1]!];
  const own = result.pairs.map((_, at) => ({ q: pairOf(result.q, at), k: pairOf(result.k, at) }));
  // One scale for all faces: the longest hand reaches the rim.
  const longest = Math.max(...own.flatMap(({ q, k }) => [Math.hypot(...q), Math.hypot(...k)]));
  return html`<ol class="rotary-clocks">
    ${result.pairs.map(
      (pair, at) => html`<li class="rotary-clock">
        ${face(pair, own[at]!, longest > 0 ? radius / longest : 0, at)}
        <p class="rotary-pair">pair ${at}</p>
        <p class="rotary-turns"><span>one turn in</span> <span><span class="num">${plain(pair.wavelength)}</span> places</span></p>
        <p class="rotary-product num ${hueOf(pair.product)}">${signed(pair.product)}</p>
      </li>`,
    )}
  </ol>`;
}

/** The class of a score's colour. */
export function hueOf(score: number): string {
  return Math.abs(score) < 0.005 ? '' : score > 0 ? 'dial-plum' : 'dial-slate';
}

function face({ q_turned: q, k_turned: k, q_turns, k_turns, product }: RotaryPair, own: { q: Point; k: Point }, scale: number, at: number): TemplateResult {
  const place = ([x, y]: Point): Point => [fine(middle + x * scale), fine(middle - y * scale)];
  const label = `Pair ${at}: the query has made ${fixed(q_turns, 2)} turns, the key ${fixed(k_turns, 2)}; their product is ${signed(product)}`;
  const before = (own: Point, meaning: string) => {
    const [x, y] = place(own);
    return svg`<line class="rotary-before mark-${meaning}" x1=${middle} y1=${middle} x2=${x} y2=${y}></line>`;
  };
  // Letters lean away from the other hand.
  const side = q[0] * k[1] - q[1] * k[0] >= 0 ? 1 : -1;
  return html`<svg class="rotary-face" viewBox="0 0 ${size} ${size}" role="img" aria-label=${label}>
    <circle class="rotary-rim" cx=${middle} cy=${middle} r=${radius}></circle>
    ${Array.from({ length: 12 }, (_, hour) => tick(hour))} ${before(own.q, 'query')} ${before(own.k, 'key')} ${hand(place(q), 'query', 'q', side)} ${hand(place(k), 'key', 'k', -side)}
    <circle class="rotary-axle" cx=${middle} cy=${middle} r="2.5"></circle>
  </svg>`;
}

function tick(hour: number): SVGTemplateResult {
  const [x, y] = [Math.cos((hour * Math.PI) / 6), Math.sin((hour * Math.PI) / 6)];
  const inner = radius - (hour % 3 === 0 ? 5 : 3);
  return svg`<line class="rotary-tick" x1=${fine(middle + x * inner)} y1=${fine(middle + y * inner)} x2=${fine(middle + x * radius)} y2=${fine(middle + y * radius)}></line>`;
}

/** `side`: to which side of the tip the letter stands, 1 for clockwise. */
function hand([x, y]: Point, meaning: 'query' | 'key', letter: string, side: number): SVGTemplateResult | typeof nothing {
  const [dx, dy] = [x - middle, y - middle];
  const length = Math.hypot(dx, dy);
  if (length < 1) return nothing;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(9, length);
  const [bx, by] = [x - ux * head, y - uy * head];
  const corner = (way: number) => `${fine(bx - uy * way * head * 0.4)},${fine(by + ux * way * head * 0.4)}`;
  return svg`<g class="mark-${meaning}">
    <line class="arrow-shaft mark-${meaning}" x1=${middle} y1=${middle} x2=${fine(bx)} y2=${fine(by)}></line>
    <polygon class="arrow-head" points="${x},${y} ${corner(1)} ${corner(-1)}"></polygon>
    <text class="rotary-letter" x=${fine(x + ux * 8 - uy * side * 6)} y=${fine(y + uy * 8 + ux * side * 6 + 4)} text-anchor="middle">${letter}</text>
  </g>`;
}

function fine(value: number): number {
  return Math.round(value * 10) / 10;
}
