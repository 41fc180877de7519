// A figure's picture as one SVG file that looks the same without the page's style sheets. Every <svg> of the picture is
// put in its place with its computed colours written into it; HTML text, boxes and fields become SVG text and boxes.

const space = 'http://www.w3.org/2000/svg';
const drawn = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-opacity', 'opacity',
  'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor',
] as const;
/** What works only on a page: controls, and what is there for screen readers. */
const leftOut = '.figure-controls, .figure-action, .segmented, .slider, .visually-hidden, [data-page-only], select, summary';

/** The picture below `root` as the text of an SVG file, on the page's paper. */
export function pictureOf(root: HTMLElement, title: string): string {
  const room = root.getBoundingClientRect();
  const width = Math.ceil(Math.max(room.width, root.scrollWidth));
  const height = Math.ceil(room.height);
  const picture = make('svg', { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}` });
  const name = make('title', {});
  name.textContent = title;
  picture.append(name, make('rect', { width, height, fill: paperUnder(root) }));
  copy(root, room, picture);
  return new XMLSerializer().serializeToString(picture);
}

function copy(node: Element, room: DOMRect, picture: SVGElement): void {
  if (node.matches(leftOut)) return;
  const style = getComputedStyle(node);
  // A phrase field's hidden twin holds its text as it is broken into lines.
  if (style.display === 'none' || (style.visibility === 'hidden' && !node.matches('.phrase-size'))) return;
  if (node instanceof SVGSVGElement) return picture.append(copySvg(node, room));
  if (node instanceof HTMLCanvasElement) return picture.append(copyCanvas(node, room));
  if (node !== picture) box(node, style, room, picture);
  if (node instanceof HTMLTextAreaElement) return;
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

function box(node: Element, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  const line = parseFloat(style.borderTopWidth);
  const filled = style.backgroundColor !== 'rgba(0, 0, 0, 0)';
  if (!filled && !(line > 0 && style.borderTopStyle !== 'none')) return;
  for (const place of node.getClientRects()) {
    const dashes: Record<string, string> = { dashed: `${line * 3} ${line * 2}`, dotted: `${line} ${line}` };
    picture.append(
      make('rect', {
        x: place.x - room.x + line / 2,
        y: place.y - room.y + line / 2,
        width: Math.max(place.width - line, 0),
        height: Math.max(place.height - line, 0),
        rx: parseFloat(style.borderTopLeftRadius) || 0,
        fill: filled ? style.backgroundColor : 'none',
        stroke: line > 0 ? style.borderTopColor : 'none',
        'stroke-width': line,
        'stroke-dasharray': dashes[style.borderTopStyle] ?? 'none',
      }),
    );
  }
}

/** A text node as it is broken into lines on the page. */
function textLines(node: Text, style: CSSStyleDeclaration, room: DOMRect, picture: SVGElement): void {
  if (node.data.trim() === '') return;
  const range = document.createRange();
  let line = '';
  let place: DOMRect | undefined;
  const flush = () => {
    if (place && line.trim() !== '') picture.append(textAt(line.trim(), style, place, room));
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

/** Where the page's font is missing, another takes the same room. */
const lengthAdjust = 'spacingAndGlyphs';

function textAt(text: string, style: CSSStyleDeclaration, place: DOMRect, room: DOMRect): SVGElement {
  const node = make('text', {
    x: place.x - room.x,
    y: place.y - room.y + place.height / 2 + parseFloat(style.fontSize) * 0.35,
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

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(space, name);
  setAll(node, attributes);
  return node;
}

function setAll(node: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
  }
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
