// What a page draws of an element by its style alone, as SVG: ground, edges, rings, and the lines on words.

const space = 'http://www.w3.org/2000/svg';
const clear = /^(transparent|rgba\(0, 0, 0, 0\))$/;

/** `room`: what the place of everything is counted from. */
export function drawBox(node: Element, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  const edges = edgesOf(style);
  const filled = !clear.test(style.backgroundColor);
  const rings = ringsOf(style);
  if (!filled && rings.length === 0 && edges.every(({ line }) => line === 0)) return;
  const alike = edges.every(({ line, kind, colour }) => line > 0 && line === edges[0]!.line && kind === edges[0]!.kind && colour === edges[0]!.colour);
  for (const place of placesOf(node, room)) {
    const radii = radiiOf(style, place);
    for (const { reach, colour } of rings) picture.append(make('path', { d: round(grown(place, reach), radii.map((radius) => radius + reach)), fill: colour }));
    if (alike && edges[0]!.kind !== 'double') {
      const { line, colour } = edges[0]!;
      const d = round(grown(place, -line / 2), radii.map((radius) => Math.max(radius - line / 2, 0)));
      picture.append(make('path', { d, fill: filled ? style.backgroundColor : 'none', stroke: colour, 'stroke-width': line, 'stroke-dasharray': dashes(edges[0]!) }));
    } else {
      if (filled) picture.append(make('path', { d: round(place, radii), fill: style.backgroundColor }));
      edges.forEach((edge, side) => drawEdge(edge, side, place, style.borderCollapse === 'collapse', picture));
    }
  }
}

/** A line around the box that is part of the picture; one of the focus is wider. */
export function drawOutline(node: Element, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  const edge = { line: parseFloat(style.outlineWidth), kind: style.outlineStyle, colour: style.outlineColor };
  if (['none', 'auto'].includes(edge.kind) || !(edge.line > 0 && edge.line <= 2)) return;
  const reach = parseFloat(style.outlineOffset) + edge.line / 2;
  for (const place of placesOf(node, room)) {
    picture.append(make('path', { d: round(grown(place, reach), radiiOf(style, place)), fill: 'none', stroke: edge.colour, 'stroke-width': edge.line, 'stroke-dasharray': dashes(edge) }));
  }
}

function placesOf(node: Element, room: DOMRect): DOMRect[] {
  return Array.from(node.getClientRects(), ({ x, y, width, height }) => new DOMRect(x - room.x, y - room.y, width, height));
}

// -------------------------------------------------------------------------------------------------------------- edges

interface Edge {
  /** How thick; 0 where nothing is seen. */
  line: number;
  kind: string;
  colour: string;
}

/** Top, right, bottom, left. */
function edgesOf(style: CSSStyleDeclaration): Edge[] {
  return ['top', 'right', 'bottom', 'left'].map((side) => {
    const [kind, colour] = [style.getPropertyValue(`border-${side}-style`), style.getPropertyValue(`border-${side}-color`)];
    const seen = kind !== 'none' && kind !== 'hidden' && !clear.test(colour);
    return { line: seen ? parseFloat(style.getPropertyValue(`border-${side}-width`)) || 0 : 0, kind, colour };
  });
}

/** `shared`: neighbours in a table share the edge, so that it lies half in each. */
function drawEdge(edge: Edge, side: number, place: DOMRect, shared: boolean, picture: SVGElement): void {
  if (edge.line === 0) return;
  const double = edge.kind === 'double';
  const line = double ? edge.line / 3 : edge.line;
  for (const within of double ? [line / 2, edge.line - line / 2] : [shared ? 0 : line / 2]) {
    const { left, right, top, bottom } = grown(place, -within);
    const [x1, y1, x2, y2] = [
      [place.left, top, place.right, top],
      [right, place.top, right, place.bottom],
      [place.left, bottom, place.right, bottom],
      [left, place.top, left, place.bottom],
    ][side]!;
    picture.append(make('line', { x1: x1!, y1: y1!, x2: x2!, y2: y2!, stroke: edge.colour, 'stroke-width': line, 'stroke-dasharray': dashes(edge) }));
  }
}

function dashes({ kind, line }: Edge): string {
  return kind === 'dashed' ? `${line * 3} ${line * 2}` : kind === 'dotted' ? `${line} ${line}` : 'none';
}

/** Shadows that are rings: no shift, no blur. The widest first, as it lies lowest. */
function ringsOf(style: CSSStyleDeclaration): { reach: number; colour: string }[] {
  const found = [...style.boxShadow.matchAll(/([a-z-]+\([^)]*\)) 0px 0px 0px ([\d.]+)px(?! inset)/g)];
  return found.map(([, colour, reach]) => ({ colour: colour!, reach: Number(reach) })).reverse();
}

/** Top left, top right, bottom right, bottom left; never more than half a side. */
function radiiOf(style: CSSStyleDeclaration, { width, height }: DOMRect): number[] {
  return [style.borderTopLeftRadius, style.borderTopRightRadius, style.borderBottomRightRadius, style.borderBottomLeftRadius].map((radius) =>
    Math.min(radius.includes('%') ? Infinity : parseFloat(radius) || 0, width / 2, height / 2),
  );
}

function grown({ x, y, width, height }: DOMRect, by: number): DOMRect {
  return new DOMRect(x - by, y - by, Math.max(width + 2 * by, 0), Math.max(height + 2 * by, 0));
}

/** The way around a box with round corners. */
function round({ left, top, right, bottom }: DOMRect, radii: readonly number[]): string {
  const [a, b, c, d] = radii as [number, number, number, number];
  const corner = (radius: number, x: number, y: number) => (radius > 0 ? `A${fine(radius)} ${fine(radius)} 0 0 1 ${fine(x)} ${fine(y)}` : '');
  return `M${fine(left + a)} ${fine(top)}H${fine(right - b)}${corner(b, right, top + b)}V${fine(bottom - c)}${corner(c, right - c, bottom)}H${fine(left + d)}${corner(d, left, bottom - d)}V${fine(top + a)}${corner(a, left + a, top)}Z`;
}

// ---------------------------------------------------------------------------------------------------- lines on words

/** Lines under and through words that begin at `x` on `base` and are `width` wide; `node` is their text. */
export function drawLines(node: Text, { x, base, width }: { x: number; base: number; width: number }, picture: SVGElement): void {
  for (const style of decorations(node)) {
    const size = parseFloat(style.fontSize);
    const line = parseFloat(style.textDecorationThickness) || size / 16;
    const colour = style.textDecorationColor;
    const heights: Record<string, number> = { underline: base + (parseFloat(style.textUnderlineOffset) || size * 0.08) + line / 2, 'line-through': base - size * 0.28 };
    for (const name of style.textDecorationLine.split(' ')) {
      const y = heights[name];
      if (y !== undefined) picture.append(make('line', { x1: x, x2: x + width, y1: y, y2: y, stroke: colour, 'stroke-width': line, 'stroke-dasharray': dashes({ line, kind: style.textDecorationStyle, colour }) }));
    }
  }
}

/** A line on words reaches all that is in them, but not what stands there as a block of its own. */
function decorations(node: Text): CSSStyleDeclaration[] {
  const found: CSSStyleDeclaration[] = [];
  for (let part = node.parentElement; part; part = part.parentElement) {
    const style = getComputedStyle(part);
    if (style.textDecorationLine !== 'none') found.push(style);
    if (style.display.startsWith('inline-') || style.position === 'absolute' || part.matches('.figure-picture')) break;
  }
  return found;
}

// ----------------------------------------------------------------------------------------------------------- elements

const fine = (value: number) => Math.round(value * 100) / 100;

export function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(space, name);
  setAll(node, attributes);
  return node;
}

export function setAll(node: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, typeof value === 'number' ? String(fine(value)) : value);
}
