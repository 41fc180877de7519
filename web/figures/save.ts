// A figure's picture as one SVG file that looks the same without the page's style sheets. Every <svg> of the picture is
// put in its place with its computed colours written into it; HTML text, boxes and fields become SVG text and boxes.

import { drawBox, drawLines, drawOutline, make, setAll } from './save-shapes.ts';

const space = 'http://www.w3.org/2000/svg';
const drawn = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'stroke-opacity', 'opacity', 'visibility',
  'paint-order', 'vector-effect', 'shape-rendering', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor',
] as const;
/** What works only on a page: controls, and what is there for screen readers. */
const leftOut = '.figure-controls, .figure-action, .segmented, .slider, .visually-hidden, [data-page-only], select, summary';
/** Paper around the picture. */
const margin = 16;

/** The picture below `root` as the text of an SVG file, on the page's paper. */
export function pictureOf(root: HTMLElement, title: string): string {
  return withoutControls(root, () => {
    const place = root.getBoundingClientRect();
    const room = new DOMRect(place.x - margin, place.y - margin, place.width, place.height);
    const width = Math.ceil(Math.max(place.width, root.scrollWidth)) + 2 * margin;
    const height = Math.ceil(place.height) + 2 * margin;
    const picture = make('svg', { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}` });
    const name = make('title', {});
    name.textContent = title;
    picture.append(name, make('rect', { width, height, fill: paperUnder(root) }));
    for (const child of root.children) copy(child, room, picture);
    return new XMLSerializer().serializeToString(picture);
  });
}

/** Lets the picture close up where its controls were, while `draw` looks at it; nobody sees that. */
function withoutControls(root: HTMLElement, draw: () => string): string {
  const [x, y] = [scrollX, scrollY];
  const hidden: [HTMLElement, string | null][] = [];
  const hide = (node: HTMLElement) => {
    hidden.push([node, node.getAttribute('style')]);
    node.style.setProperty('display', 'none', 'important');
  };
  root.querySelectorAll<HTMLElement>(leftOut).forEach(hide);
  // What held nothing else would leave its margins, and so would the distance to what was above.
  const parts = [...root.children].filter((node): node is HTMLElement => node instanceof HTMLElement && getComputedStyle(node).display !== 'none');
  parts.filter((node) => node.getBoundingClientRect().height === 0).forEach(hide);
  const first = parts.find((node) => node.style.display !== 'none');
  if (first) {
    hidden.push([first, first.getAttribute('style')]);
    first.style.setProperty('margin-top', '0', 'important');
  }
  try {
    return draw();
  } finally {
    for (const [node, style] of hidden.reverse()) style === null ? node.removeAttribute('style') : (node.style.cssText = style);
    if (scrollX !== x || scrollY !== y) scrollTo({ left: x, top: y, behavior: 'instant' });
  }
}

function copy(node: Element, room: DOMRect, picture: SVGElement): void {
  if (node.matches(leftOut)) return;
  const style = getComputedStyle(node);
  // A phrase field's hidden twin holds its text as it is broken into lines.
  if (style.display === 'none' || (style.visibility === 'hidden' && !node.matches('.phrase-size'))) return;
  const drawing = node instanceof SVGSVGElement || node instanceof HTMLCanvasElement;
  if (!drawing && Number(style.opacity) < 1) picture = picture.appendChild(make('g', { opacity: style.opacity }));
  drawBox(node, style, room, picture);
  if (node instanceof SVGSVGElement) picture.append(copySvg(node, room));
  if (node instanceof HTMLCanvasElement) picture.append(copyCanvas(node, room));
  drawOutline(node, style, room, picture);
  if (drawing || node instanceof HTMLTextAreaElement) return;
  if (node instanceof HTMLInputElement) return fieldText(node, style, room, picture);
  // The field's box lies under its text.
  const children = node.matches('.phrase') ? [...node.childNodes].reverse() : node.childNodes;
  for (const child of children) {
    if (child instanceof Element) copy(child, room, picture);
    else if (child instanceof Text) textLines(child, style, room, picture);
  }
}

function copySvg(source: SVGSVGElement, room: DOMRect): SVGElement {
  const place = source.getBoundingClientRect();
  const copied = source.cloneNode(true) as SVGSVGElement;
  const from = [source, ...source.querySelectorAll<SVGElement>('*')];
  const to = [copied, ...copied.querySelectorAll<SVGElement>('*')];
  from.forEach((node, at) => {
    const style = getComputedStyle(node);
    const target = to[at]!;
    for (const name of drawn) target.setAttribute(name, style.getPropertyValue(name));
    // Without a word about it a picture in a picture is cut at its edge.
    if (node instanceof SVGSVGElement) target.setAttribute('overflow', style.overflow);
    if (node instanceof SVGTextElement) setAll(target, { textLength: node.getComputedTextLength(), lengthAdjust });
    for (const name of ['class', 'tabindex', 'role', 'data-cell']) target.removeAttribute(name);
    if (style.display === 'none') target.setAttribute('display', 'none');
  });
  setAll(copied, { x: place.x - room.x, y: place.y - room.y, width: place.width, height: place.height });
  return copied;
}

/** What was painted has no shapes to copy, so it goes in as an image. */
function copyCanvas(source: HTMLCanvasElement, room: DOMRect): SVGElement {
  const place = source.getBoundingClientRect();
  return make('image', { x: place.x - room.x, y: place.y - room.y, width: place.width, height: place.height, href: source.toDataURL() });
}

/** A text node as it is broken into lines on the page. */
function textLines(node: Text, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  if (node.data.trim() === '') return;
  const range = document.createRange();
  let line = '';
  let place: DOMRect | undefined;
  const flush = () => {
    if (place && line.trim() !== '') {
      picture.append(textAt(line.trim(), style, place, room));
      drawLines(node, { x: place.x - room.x, base: baseOf(style, place, room), width: place.width }, picture);
    }
    line = '';
    place = undefined;
  };
  for (let at = 0; at < node.length; ) {
    const sign = String.fromCodePoint(node.data.codePointAt(at)!);
    range.setStart(node, at);
    range.setEnd(node, at + sign.length);
    const here = range.getBoundingClientRect();
    if (here.width > 0 && sign.trim() !== '') {
      if (place && Math.abs(here.y - place.y) > 2) flush();
      place = place ? new DOMRect(place.x, place.y, here.right - place.x, place.height) : here;
    }
    line += sign;
    at += sign.length;
  }
  flush();
}

function fieldText(field: HTMLInputElement, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  const place = field.getBoundingClientRect();
  const anchors: Record<string, [string, number]> = { center: ['middle', place.width / 2], end: ['end', place.width - parseFloat(style.paddingRight)] };
  const [anchor, shift] = anchors[style.textAlign] ?? ['start', parseFloat(style.paddingLeft)];
  const text = textAt(field.value, style, new DOMRect(place.x + shift, place.y, 0, place.height), room);
  text.setAttribute('text-anchor', anchor);
  picture.append(text);
}

/** Where the letters of a line stand. */
function baseOf(style: CSSStyleDeclaration, place: DOMRect, room: DOMRect): number {
  return place.y - room.y + place.height / 2 + parseFloat(style.fontSize) * 0.35;
}

/** Where the page's font is missing, another takes the same room. */
const lengthAdjust = 'spacingAndGlyphs';

function textAt(text: string, style: CSSStyleDeclaration, place: DOMRect, room: DOMRect): SVGElement {
  const node = make('text', {
    x: place.x - room.x,
    y: baseOf(style, place, room),
    fill: style.color,
    'font-family': style.fontFamily,
    'font-size': style.fontSize,
    'font-weight': style.fontWeight,
    'font-style': style.fontStyle,
    ...(place.width > 0 && { textLength: place.width, lengthAdjust }),
  });
  node.textContent = text;
  return node;
}

/** The first background that is not see-through, from the picture outwards. */
function paperUnder(node: Element | null): string {
  for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return 'white';
}

/** Saves the table, given as CSV, and says so. */
export function saveTable(id: string, csv: string): string {
  download(`${id}.csv`, 'text/csv;charset=utf-8', '\uFEFF' + csv);
  return `Saved as ${id}.csv.`;
}

/** Saves the picture below `root`, and says so. */
export async function savePicture(kind: 'svg' | 'png', id: string, root: HTMLElement, title: string): Promise<string> {
  const name = `${id}.${kind}`;
  const picture = pictureOf(root, title);
  try {
    if (kind === 'svg') download(name, 'image/svg+xml;charset=utf-8', picture);
    else download(name, 'image/png', await (await import('./save-png.ts')).pngOf(picture));
    return `Saved as ${name}.`;
  } catch {
    return 'The browser could not draw the picture. Save it as SVG instead.';
  }
}

/** Hands a file to the reader. */
export function download(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
