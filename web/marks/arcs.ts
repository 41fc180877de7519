// Arcs beside a column of rows: from the row of the token that looks to the rows of the tokens it looks at, the stronger
// the larger the share. What they show is also in numbers beside the rows.

import { svg, html, type SVGTemplateResult, type TemplateResult } from 'lit';

/** Room for the arcs, in pixels. */
const width = 84;
/** Shares below this leave no arc. */
const least = 0.005;

export function arcs(options: { rows: number; rowHeight: number; from: number; shares: readonly (number | null)[] }): TemplateResult {
  const { rows, rowHeight, from, shares } = options;
  const height = rows * rowHeight;
  const middle = (row: number) => (row + 0.5) * rowHeight;
  return html`<svg class="arcs" width=${width} height=${height} viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
    ${shares.map((share, to) => (share === null || !(share >= least) ? null : arc(middle(from), middle(to), Math.abs(from - to), share)))}
    <circle class="arcs-from" cx=${width - 3} cy=${middle(from)} r="3"></circle>
  </svg>`;
}

function arc(from: number, to: number, rows: number, share: number): SVGTemplateResult {
  const end = width - 4;
  // The further, the wider; a look at itself is a small loop.
  const reach = end - Math.min(12 + 9 * rows, width - 8) * 1.3;
  const [y1, y2] = rows === 0 ? [from - 5, from + 5] : [from, to];
  return svg`<path class="arc" d="M${end} ${y1}C${fine(reach)} ${y1} ${fine(reach)} ${y2} ${end} ${y2}" stroke-width=${fine(1 + 7 * share)} stroke-opacity=${fine(0.25 + 0.75 * share)}></path>`;
}

function fine(value: number): number {
  return Math.round(value * 100) / 100;
}
