// Controls that a lesson hides. A teacher sends a link with the names of what a reader shall not meet yet:
//
//   #softmax-dial&softmax-dial.hide=stretch,add-a-token
//
// The controls are found in what a figure draws, so no figure keeps a list of them: whatever is pressed, typed or
// dragged, each by the end of its id or by its words. `data-control` on an element makes one control of all that is in
// it, and names it. A control of which the picture is made stays to be read and takes nothing; any other is gone. Both
// are out of the tab order.

export interface Control {
  /** As links carry it. */
  name: string;
  /** As people read it. */
  label: string;
  parts: Part[];
}

interface Part {
  element: HTMLElement | SVGElement;
  how: 'gone' | 'still';
}

/** The key of a figure's values in a link, and the attribute of its element. */
export const hideKey = 'hide';
const mostNames = 100;

/** Reads any string; what could not be a name is left out. */
export function parseHidden(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names.filter((name) => /^[a-z0-9-]{1,60}$/.test(name)))].slice(0, mostNames);
}

export function formatHidden(names: Iterable<string>): string {
  return [...names].join(',');
}

// -------------------------------------------------------------------------------------------------------- finding

const one = '[data-control], .segmented, .search-tries';
const handled = `button, input, select, textarea, summary, [role='slider'], [role='application'], [role='gridcell']`;
/** Not of the figure: the shelf where a model is opened, and the tool that makes lessons. */
const apart = 'model-shelf, lesson-maker';

/** Where rows have the same control. */
const others = ' and the like';

/** All controls of a figure, in the order in which they are met. `id` is the figure's, which ids inside begin with. */
export function controlsOf(root: ParentNode, id: string): Control[] {
  const found = new Map<string, Control>();
  for (const place of root.querySelectorAll('.figure-picture, .figure-actions')) {
    for (const element of place.querySelectorAll<HTMLElement>(`:is(${one}, ${handled})`)) {
      if (element.parentElement!.closest(`:is(${one}, ${apart})`)) continue;
      const inPicture = isPicture(element);
      const label = inPicture ? 'What can be pressed in the picture' : wordsOf(element);
      const name = inPicture ? 'picture' : nameOf(element, id, label);
      const known = found.get(name);
      if (known && known.label !== label && !known.label.endsWith(others)) known.label += others;
      if (known) known.parts.push(...partsOf(element, inPicture));
      else found.set(name, { name, label, parts: partsOf(element, inPicture) });
    }
  }
  return [...found.values()];
}

/** Tokens, cells and rows: the picture itself, which can be pressed. */
function isPicture(element: Element): boolean {
  if (element.matches(one) || element.matches('[role=slider]')) return false;
  return element.matches('[tabindex], [role=application], [role=gridcell]') || (element.localName === 'button' && (element.closest('table') !== null || element.querySelector('svg') !== null));
}

function partsOf(element: HTMLElement, inPicture: boolean): Part[] {
  // An <svg> cannot be inert, what holds it can.
  if (inPicture) return [{ element: element instanceof SVGElement ? (element.ownerSVGElement!.parentElement as HTMLElement) : element, how: 'still' }];
  if (element.matches('.phrase, .slider-typed')) return [{ element, how: 'still' }];
  if (element.localName === 'summary') return [{ element: element.closest('details')!, how: 'gone' }];
  const labels = [...((element as HTMLInputElement).labels ?? [])];
  const around = labels.find((label) => label.contains(element));
  return (around ? [around] : [element, ...labels]).map((part) => ({ element: part, how: 'gone' }));
}

function nameOf(element: Element, id: string, label: string): string {
  const own = element.getAttribute('data-control') || (element.matches('.search-tries') ? 'tries' : element.id);
  const named = own.startsWith(`${id}-`) ? own.slice(id.length + 1) : own;
  // Those of a row go with those of the other rows.
  return slugOf(named.replace(/(-\d+)+$/, '')) || slugOf(label) || 'control';
}

function slugOf(words: string): string {
  return words.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60);
}

function wordsOf(element: HTMLElement): string {
  const field = element.matches('.slider, .pager, .segmented') ? null : element.querySelector<HTMLInputElement>('input, textarea, select');
  const said = (node: Element | null | undefined) => node?.getAttribute('aria-label') ?? (node as HTMLInputElement | null | undefined)?.labels?.[0]?.textContent;
  const words = said(element) ?? element.querySelector('.slider-label, :scope > summary')?.textContent ?? said(field) ?? element.textContent!;
  return words.replace(/[\s\u200B]+/g, ' ').replace(/[,;] arrow keys.*/i, '').trim();
}

// --------------------------------------------------------------------------------------------------------- hiding

/** Hides the controls with these names and shows all others. Returns the words of those that are hidden. */
export function conceal(root: ParentNode, id: string, names: ReadonlySet<string>): string[] {
  const controls = names.size === 0 ? [] : controlsOf(root, id).filter(({ name }) => names.has(name));
  const wanted = new Map(controls.flatMap(({ parts }) => parts.map(({ element, how }) => [element, how] as const)));
  for (const element of root.querySelectorAll<HTMLElement>('[data-lesson]')) if (!wanted.has(element)) mark(element, null);
  for (const [element, how] of wanted) if (element.dataset['lesson'] !== how) mark(element, how);
  return controls.map(({ label }) => label);
}

function mark(element: HTMLElement | SVGElement, how: Part['how'] | null): void {
  if (how) element.dataset['lesson'] = how;
  else delete element.dataset['lesson'];
  element.toggleAttribute('inert', how === 'still');
}
