// Names beside points, above or below, so that none lies on another. Widths are estimated for the narrowest screen;
// on a wider one there is only more room.

import type { Place } from './blend-shares.ts';

export interface Label {
  /** Percent of the picture's width and height. */
  at: Place;
  text: string;
  /** Radius of the point's mark in pixels. */
  size: number;
  rather?: 'above' | 'below';
}

/** Pixels: the narrowest picture, a letter of average width, the height of a line, the gap between mark and letters. */
const narrowest = 280;
const letter = 7.2;
const line = 15;
const gap = 5;

type Box = { left: number; right: number; top: number; bottom: number };

/** For each label how far its base line lies below its point, in pixels. Earlier labels have the first choice. */
export function placeLabels(labels: readonly Label[], ratio: number): number[] {
  const boxes = labels.map(({ at, size }) => around(at, ratio, size, -size, size));
  return labels.map((label, own) => {
    const above = -(label.size + gap);
    const below = label.size + gap + line - 4;
    const shifts = label.rather === 'below' ? [below, above] : [above, below];
    const room = (shift: number) => around(label.at, ratio, (label.text.length * letter) / 2, shift - line + 4, shift + 4);
    const cost = (shift: number) => boxes.reduce((all, box, at) => all + (at === own ? 0 : overlap(box, room(shift))), 0);
    const best = cost(shifts[1]!) < cost(shifts[0]!) ? shifts[1]! : shifts[0]!;
    boxes.push(room(best));
    return best;
  });
}

function around([x, y]: Place, ratio: number, half: number, top: number, bottom: number): Box {
  const [px, py] = [(x / 100) * narrowest, (y / 100) * (narrowest / ratio)];
  return { left: px - half, right: px + half, top: py + top, bottom: py + bottom };
}

/** The area that two boxes share, in square pixels. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}
