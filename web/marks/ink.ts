// From a number to the strength of its ink. Cells, bars and legends all ask here, so a legend cannot disagree with
// what stands above it. Colours are classes (marks.css); the strength is an opacity over the paper, a mix that is close
// to even for the eye because screens space their light that way.

/** A fill: the class gives the hue, `opacity` (0 to 1) its strength, `strong` whether numbers on it change colour. */
export interface Ink {
  className: 'ink-share' | 'ink-plum' | 'ink-slate' | 'ink-masked';
  opacity: number;
  strong: boolean;
}

/** Where a number on the ink flips between the dark and the light letter; marks.css chooses its hues to fit it. */
export const flip = 0.66;

/** Paper at 0, plum at `full`, which is 1 everywhere unless a figure says otherwise. */
export function shareInk(share: number, full = 1): Ink {
  const opacity = strength(share / full);
  return { className: 'ink-share', opacity, strong: opacity > flip };
}

/** Paper at 0, slate at −`extent`, plum at +`extent`. An extent of 0 leaves the paper bare. */
export function scoreInk(score: number, extent: number): Ink {
  const opacity = extent > 0 ? strength(Math.abs(score) / extent) : 0;
  return { className: score < 0 ? 'ink-slate' : 'ink-plum', opacity, strong: opacity > flip };
}

export const maskedInk: Ink = { className: 'ink-masked', opacity: 1, strong: false };

/** The extent that a set of scores needs: the largest size, so that both ends of the scale weigh the same. */
export function scoreExtent(scores: Iterable<number | null>): number {
  let extent = 0;
  for (const score of scores) if (score !== null && Number.isFinite(score)) extent = Math.max(extent, Math.abs(score));
  return extent;
}

function strength(part: number): number {
  if (!(part > 0)) return 0; // also NaN
  return part >= 1 ? 1 : Math.round(part * 1000) / 1000;
}
