// Figures of the book in a page of somebody else:
//
//   <script type="module" src="https://book.example/embed.js"></script>
//   <softmax-dial stretch="9"></softmax-dial>
//
// embed.js, which the build writes, calls `start`. Attributes are the figure's state, `hide` what a lesson hides,
// `caption` and `number` what the book prints, data-theme="light" or "dark" a theme of its own. What stands in the
// element is shown until the figure is there. The figure stands in a shadow tree, keeps its state to itself, and fetches
// from the script's site alone. `embed.js?fonts=none` makes do with fonts that are there.

import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2';
import registry from 'figures:registry';
import sheet from 'styles:embed';
import { registerFigure } from '../figures/element.ts';
import { engine } from '../reader/engine.ts';
import { stayAway } from '../state/link.ts';

/** `script`: the address of embed.js, as the page has it. */
export function start(script: string): void {
  stayAway();
  if (new URL(script).searchParams.get('fonts') !== 'none') addFonts();
  const awaited = new Set(Object.keys(registry));
  const look = () => {
    for (const name of awaited) {
      if (document.querySelector(name) === null) continue;
      awaited.delete(name);
      void registry[name]!().then(({ figure }) => registerFigure(figure, engine, roomIn));
    }
  };
  look();
  // Pages may add elements at any time.
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

let styles: CSSStyleSheet | undefined;
let rooms = 0;

function roomIn(element: HTMLElement): HTMLElement {
  if (!styles) (styles = new CSSStyleSheet()).replaceSync(sheet);
  if (element.id === '') element.id = `${element.localName}-${++rooms}`;
  const tree = element.attachShadow({ mode: 'open' });
  tree.adoptedStyleSheets = [styles];
  const room = document.createElement('div');
  room.className = 'embed';
  room.lang = 'en';
  room.append(document.createElement('slot'));
  tree.append(room);
  return room;
}

/** A shadow tree cannot bring fonts of its own. They are fetched when a figure needs them. */
function addFonts(): void {
  const files: [family: string, file: string, weight: string][] = [
    ['Source Sans 3 Variable', sans, '200 900'],
    ['Source Serif 4 Variable', serif, '200 900'],
  ];
  for (const [family, file, weight] of files) {
    document.fonts.add(new FontFace(family, `url("${new URL(file, import.meta.url).href}") format("woff2")`, { weight, display: 'swap' }));
  }
}
