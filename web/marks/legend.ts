// The scale under a picture: the same inks as the cells, the real values at its ends, and what they count.

import { html, svg, type TemplateResult } from 'lit';
import { scoreInk, shareInk, type Ink } from './ink.ts';
import { score, share, signed } from './number.ts';

const pieces = 24;

/** Shares from 0 to `full`. */
export function shareLegend(options: { full?: number; label?: string } = {}): TemplateResult {
  const { full = 1, label = 'share of attention' } = options;
  return scale(label, share(0), share(full), (part) => shareInk(part * full, full));
}

/** Scores from −`extent` to `extent`; from 0 when nothing is negative. */
export function scoreLegend(options: { extent: number; negative: boolean; label?: string }): TemplateResult {
  const { extent, negative, label = 'score' } = options;
  if (!negative) return scale(label, score(0), score(extent), (part) => scoreInk(part * extent, extent));
  return scale(label, signed(-extent), signed(extent), (part) => scoreInk((part * 2 - 1) * extent, extent));
}

/** The key to hatching, for pictures with masked cells. */
export function maskedLegend(id: string, label: string): TemplateResult {
  return html`<span class="legend">
    <svg class="legend-swatch" width="16" height="12" aria-hidden="true">${hatching(`${id}-legend-hatch`)}<rect class="ink-masked" width="16" height="12" fill="url(#${id}-legend-hatch)"></rect></svg>
    <span class="legend-label">${label}</span>
  </span>`;
}

function scale(label: string, from: string, to: string, ink: (part: number) => Ink): TemplateResult {
  const width = 100 / pieces;
  return html`<span class="legend">
    <span class="legend-label">${label}</span>
    <span class="legend-end">${from}</span>
    <svg class="legend-scale" width="120" height="12" aria-hidden="true">
      <rect class="bar-room" width="100%" height="12"></rect>
      ${Array.from({ length: pieces }, (_, at) => {
        const { className, opacity } = ink(at / (pieces - 1));
        return svg`<rect class=${className} x="${at * width}%" width="${width}%" height="12" fill-opacity=${opacity}></rect>`;
      })}
    </svg>
    <span class="legend-end">${to}</span>
  </span>`;
}

/** The pattern of masked cells. An id may stand once a page, so each picture names its own. */
export function hatching(id: string) {
  return svg`<defs><pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect class="hatch-ground" width="6" height="6"></rect><rect class="hatch-line" width="1.5" height="6"></rect>
  </pattern></defs>`;
}
