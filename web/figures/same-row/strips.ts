// Two rows of numbers, one above the other: a cell a number, darker for larger ones; below them what the first has more
// than the second, on the same scale, and a mark where the two differ in any bit.

import { html, svg, type TemplateResult } from 'lit';
import { scoreExtent, scoreInk } from '../../marks/ink.ts';
import { bitsOf } from './work.ts';

/** Cells in a line; longer rows wrap. */
const perLine = 96;
/** Heights in the picture's own units: a row of cells, the line of marks, the gaps between rows and lines. */
const cell = 14;
const mark = 4;
const apart = 4;
const gap = 8;

/** `pick` gets the number that was pressed. A keyboard has the pager beside the picture. */
export function strips(options: { rows: readonly [Float32Array, Float32Array]; col: number; label: string; pick?: (col: number) => void }): TemplateResult {
  const { rows: [one, two], col, label, pick } = options;
  const columns = Math.min(perLine, one.length);
  const lines = Math.ceil(one.length / columns);
  const step = 3 * cell + apart + mark + gap;
  const extent = scoreExtent([...one, ...two]);
  const [bits, others] = [bitsOf(one), bitsOf(two)];
  const square = (value: number, x: number, y: number) => {
    const { className, opacity } = scoreInk(value, extent);
    return svg`<rect class=${className} x=${x} y=${y} width="1.02" height=${cell} fill-opacity=${opacity}></rect>`;
  };
  const pressed = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const line = Math.floor(((event.clientY - box.top) / box.height) * lines);
    const at = line * columns + Math.floor(((event.clientX - box.left) / box.width) * columns);
    if (at >= 0 && at < one.length) pick?.(at);
  };
  return html`<svg class="strips ${pick ? 'strips-pick' : ''}" viewBox="0 0 ${columns} ${lines * step - gap}" preserveAspectRatio="none" height=${lines * step - gap} width="100%"
    role="img" aria-label=${label} @click=${pick && pressed}>
    ${Array.from({ length: lines }, (_, line) => svg`<rect class="bar-room" y=${line * step + 2 * cell + apart} width=${columns} height=${cell}></rect>`)}
    ${Array.from(one, (value, at) => {
      const [x, y] = [at % columns, Math.floor(at / columns) * step];
      const same = bits[at] === others[at];
      const below = y + 2 * cell + apart;
      return svg`${square(value, x, y)}${square(two[at]!, x, y + cell)}${square(same ? 0 : value - two[at]!, x, below)}${same ? '' : svg`<rect class="strips-differs" x=${x + 0.15} y=${below + cell + 1} width="0.7" height=${mark - 1}></rect>`}`;
    })}
    <rect class="strips-col" x=${col % columns} y=${Math.floor(col / columns) * step} width="1" height=${2 * cell}></rect>
  </svg>`;
}
