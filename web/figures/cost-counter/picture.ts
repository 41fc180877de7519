// The looks of one head as a picture: a row a token that looks, a column a token it looks at. The text's own looks are a
// triangle; what is added behind it looks back at the text (a rectangle) and at itself (a triangle again).

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { fixed } from '../../marks/number.ts';

export interface PictureOptions {
  tokens: number;
  added: number;
  /** How many tokens the framed row has in sight; 0 for none. */
  sight: number;
  pick(sight: number): void;
}

/** Up to here every look is a square of its own. */
export const mostSquares = 40;

/** Room in units of the drawing: the square that holds the looks, and the margins. */
const side = 300;
const top = 6;
/** The labels' margin: for the longest, "+200 000", so that the picture keeps its size. */
const left = 80;

export function picture({ tokens, added, sight, pick }: PictureOptions): TemplateResult {
  const n = tokens + added;
  const unit = side / n;
  const squares = n <= mostSquares;
  const [own, more] = [fixed(tokens, 0), `+${fixed(added, 0)}`];
  const at = (event: PointerEvent) => {
    const room = (event.currentTarget as SVGElement).getBoundingClientRect();
    pick(Math.min(Math.max(Math.ceil(((event.clientY - room.y) / room.height) * n), 1), n));
  };
  // A mouse shows a row by passing over it; a finger taps, as its movements scroll.
  const moved = (event: PointerEvent) => event.pointerType === 'mouse' && at(event);
  return html`<svg class="cost-picture" viewBox="0 0 ${left + side + 6} ${side + 2 * top}" aria-hidden="true">
    <g transform="translate(${left} ${top})">
      <rect class="cost-room" width=${side} height=${side}></rect>
      ${squares ? rows(tokens, n, unit) : areas(tokens, n, unit)}
      ${squares ? lines(n, unit) : nothing}
      ${added > 0 ? svg`<line class="cost-edge" x1="0" x2=${side} y1=${fine(tokens * unit)} y2=${fine(tokens * unit)}></line>` : nothing}
      ${sight > 0 && sight <= n ? frame(sight, n, unit) : nothing}
      <rect class="cost-reach" width=${side} height=${side} @pointermove=${moved} @pointerdown=${at}></rect>
    </g>
    ${label(own, 0, tokens * unit)} ${added > 0 ? label(more, tokens * unit, side) : nothing}
  </svg>`;
}

/** The same, row by row. */
function rows(tokens: number, n: number, unit: number): SVGTemplateResult[] {
  return Array.from({ length: n }, (_, row) => {
    const old = row < tokens;
    const across = old ? row + 1 : tokens;
    const piece = (className: string, from: number, count: number) =>
      svg`<rect class=${className} x=${fine(from * unit)} y=${fine(row * unit)} width=${fine(count * unit)} height=${fine(unit)}></rect>`;
    return svg`${piece(old ? 'cost-before' : 'cost-across', 0, across)} ${old ? nothing : piece('cost-among', tokens, row + 1 - tokens)}`;
  });
}

function areas(tokens: number, n: number, unit: number): SVGTemplateResult {
  const edge = fine(tokens * unit);
  return svg`<polygon class="cost-before" points="0,0 ${edge},${edge} 0,${edge}"></polygon>
    ${n > tokens ? svg`<rect class="cost-across" y=${edge} width=${edge} height=${fine(side - edge)}></rect>
      <polygon class="cost-among" points="${edge},${edge} ${side},${side} ${edge},${side}"></polygon>` : nothing}`;
}

function lines(n: number, unit: number): SVGTemplateResult[] {
  return Array.from({ length: n - 1 }, (_, before) => {
    const place = fine((before + 1) * unit);
    return svg`<line class="cost-line" x1="0" x2=${side} y1=${place} y2=${place}></line><line class="cost-line" y1="0" y2=${side} x1=${place} x2=${place}></line>`;
  });
}

/** Around the looks of one token; where rows are thinner than a line, a line. */
function frame(sight: number, n: number, unit: number): SVGTemplateResult {
  const height = Math.max(unit, 2);
  const y = Math.min((sight - 1) * unit, side - height);
  return svg`<rect class="cost-frame" x="0" y=${fine(y)} width=${fine((sight / n) * side)} height=${fine(height)}></rect>`;
}

/** How many rows a part has, beside its middle; left out where there is no room. */
function label(text: string, from: number, to: number): SVGTemplateResult | typeof nothing {
  if (to - from < 12) return nothing;
  return svg`<text class="cost-label" x=${left - 8} y=${fine(top + (from + to) / 2 + 5)} text-anchor="end">${text}</text>`;
}

function fine(value: number): number {
  return Math.round(value * 100) / 100;
}
