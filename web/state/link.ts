// The part of the address after "#": where on the page, and the state of what is there.
//
//   #anchor&key=value&figure.key=value&…
//
// The anchor is the first piece when it holds no "=". A key without a figure belongs to the page (depth, base,
// sentence). Everything a reader types stays here, behind the "#", so no server ever sees it.

/** A link, taken apart. */
export interface Link {
  anchor: string;
  page: Map<string, string>;
  figures: Map<string, Map<string, string>>;
}

// ----------------------------------------------------------------------------------------------------------- grammar

/** Reads any string, with or without the leading "#". Never throws; pieces that make no sense are left out. */
export function parseLink(fragment: string): Link {
  const link: Link = { anchor: '', page: new Map(), figures: new Map() };
  const pieces = fragment.replace(/^#/, '').split('&');
  pieces.forEach((piece, at) => {
    const equals = piece.indexOf('=');
    if (equals < 0) {
      if (at === 0) link.anchor = decode(piece);
      return;
    }
    const name = piece.slice(0, equals);
    const value = decode(piece.slice(equals + 1));
    const dot = name.indexOf('.');
    if (dot < 0) {
      if (name !== '') link.page.set(decode(name), value);
    } else if (dot > 0 && dot + 1 < name.length) {
      figureIn(link, decode(name.slice(0, dot))).set(decode(name.slice(dot + 1)), value);
    }
  });
  return link;
}

/** Writes a link without the leading "#": page keys first, then figure by figure. */
export function formatLink(link: Link): string {
  const pieces = link.anchor === '' ? [] : [encode(link.anchor)];
  for (const [key, value] of link.page) pieces.push(`${encodeName(key)}=${encode(value)}`);
  for (const [figure, values] of link.figures) {
    for (const [key, value] of values) pieces.push(`${encodeName(figure)}.${encodeName(key)}=${encode(value)}`);
  }
  return pieces.join('&');
}

function figureIn(link: Link, id: string): Map<string, string> {
  let values = link.figures.get(id);
  if (!values) link.figures.set(id, (values = new Map()));
  return values;
}

function copyLink(link: Link): Link {
  const figures = [...link.figures].map(([id, values]) => [id, new Map(values)] as const);
  return { anchor: link.anchor, page: new Map(link.page), figures: new Map(figures) };
}

// Commas stay readable. What encodeURIComponent leaves bare but mail and chat programs cut off or eat is encoded too.
function encode(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%2C(?!$)/g, ',');
}

function encodeName(name: string): string {
  return encode(name).replace(/[.,]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase());
}

// A broken escape ("%", "%zz", half a character) keeps its letters and the rest is still decoded.
function decode(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source.replace(/(%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

// --------------------------------------------------------------------------------------------------------- live link

/** What a live link needs of its surroundings; the browser's is below, tests bring their own. */
export interface AddressBar {
  read(): string;
  /** Puts the fragment (without "#") in the address bar without a new history entry. */
  replace(fragment: string): void;
  /** Adds a history entry. */
  push(fragment: string): void;
  /** Calls back when the reader or the browser changed the fragment. */
  watch(listener: () => void): void;
  /** Calls back when the page is about to be hidden. */
  leave(listener: () => void): void;
}

export interface LiveLink {
  figure(id: string): ReadonlyMap<string, string>;
  page(): ReadonlyMap<string, string>;
  anchor(): string;
  /** Replaces all values of one figure, or of the page, and leaves the rest alone. */
  setFigure(id: string, values: ReadonlyMap<string, string>): void;
  setPage(values: ReadonlyMap<string, string>): void;
  /**
   * Takes a link from the prose: its keys are set, and Back returns to what was before. It takes the place of the links
   * before it, whose values go back to what the reader had; what the reader has set since, and all else, stays.
   */
  follow(fragment: string): void;
  /** The fragment for copying: with this anchor, and with these page keys said aloud. */
  fragment(anchor: string, page: ReadonlyMap<string, string>): string;
  /** Calls back after every change, whoever made it. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** Browsers refuse replaceState more than about 100 times in half a minute, so a drag is written twice a second. */
const writeEvery = 500;

export function liveLink(bar: AddressBar): LiveLink {
  let link = parseLink(bar.read());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  /** By figure and key: what links of the prose have set, and what the reader had there. */
  const followed = new Map<string, Map<string, { value: string; before: string | undefined }>>();

  /** Sets a figure's values as a link of the prose says, in the place of those that the links before it set. */
  function setByLink(id: string, wanted: ReadonlyMap<string, string>): void {
    const values = figureIn(link, id);
    for (const [key, { value, before }] of followed.get(id) ?? []) {
      if (values.get(key) !== value) continue; // the reader's own by now
      if (before === undefined) values.delete(key);
      else values.set(key, before);
    }
    followed.set(id, new Map([...wanted].map(([key, value]) => [key, { value, before: values.get(key) }])));
    for (const [key, value] of wanted) values.set(key, value);
  }

  const tell = () => [...listeners].forEach((listener) => listener());
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    bar.replace(formatLink(link));
  };
  const changed = () => {
    timer ??= setTimeout(flush, writeEvery);
    tell();
  };
  bar.watch(() => {
    clearTimeout(timer);
    timer = undefined;
    link = parseLink(bar.read());
    followed.clear();
    tell();
  });
  bar.leave(flush);

  return {
    figure: (id) => link.figures.get(id) ?? new Map(),
    page: () => link.page,
    anchor: () => link.anchor,
    setFigure(id, values) {
      if (sameValues(link.figures.get(id) ?? new Map(), values)) return;
      if (values.size === 0) link.figures.delete(id);
      else link.figures.set(id, new Map(values));
      changed();
    },
    setPage(values) {
      if (sameValues(link.page, values)) return;
      link.page = new Map(values);
      changed();
    },
    follow(fragment) {
      const wanted = parseLink(fragment);
      flush();
      link = copyLink(link);
      if (wanted.anchor !== '') link.anchor = wanted.anchor;
      for (const [key, value] of wanted.page) link.page.set(key, value);
      for (const [id, values] of wanted.figures) setByLink(id, values);
      bar.push(formatLink(link));
      tell();
    },
    fragment: (anchor, page) => formatLink({ anchor, page: new Map([...link.page, ...page]), figures: link.figures }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function sameValues(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

let shared: LiveLink | undefined;
let away = false;

/** The link of this page. Only for code that runs in a browser. */
export function link(): LiveLink {
  return (shared ??= liveLink(away ? noBar() : browserBar()));
}

/** For figures in somebody else's page, whose address is not the book's to read or write. Comes before everything else. */
export function stayAway(): void {
  away = true;
}

/** Whether the page is somebody else's. */
export function isAway(): boolean {
  return away;
}

function noBar(): AddressBar {
  const nothing = () => {};
  return { read: () => '', replace: nothing, push: nothing, watch: nothing, leave: nothing };
}

function browserBar(): AddressBar {
  const write = (how: 'replaceState' | 'pushState', fragment: string) => {
    try {
      history[how](history.state, '', fragment === '' ? location.pathname + location.search : '#' + fragment);
    } catch {
      // Refused (too many writes, or a page opened from a file): the state lives on, only the address lags.
    }
  };
  return {
    read: () => location.hash,
    replace: (fragment) => write('replaceState', fragment),
    push: (fragment) => write('pushState', fragment),
    watch: (listener) => {
      addEventListener('hashchange', listener);
      addEventListener('popstate', listener);
    },
    leave: (listener) => addEventListener('pagehide', listener),
  };
}
