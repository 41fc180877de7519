// What the whole page shares: how deep the text goes, the theme, whether people count from 0 or 1, and the sentence
// that the figures of a chapter speak about. Remembered on the device where the browser allows it.

import { choice, text, type Field, type Schema } from './schema.ts';
import { isAway, link, type LiveLink } from './link.ts';

export type Depth = 'plain' | 'detail' | 'math';
export type Theme = 'auto' | 'light' | 'dark';
/** Layers, heads and positions are 0-based in code, data and links; this is only added to what is displayed. */
export type Base = 0 | 1;

export interface PageState {
  depth: Depth;
  theme: Theme;
  base: Base;
  sentence: string;
}

const base: Field<Base> = {
  kind: 'integer',
  initial: 0,
  parse: (source) => (source === '1' ? 1 : 0),
  format: String,
  clamp: (value) => (value === 1 ? 1 : 0),
};

export const pageSchema: Schema<PageState> = {
  depth: choice(['plain', 'detail', 'math'], 'detail'),
  theme: choice(['auto', 'light', 'dark'], 'auto'),
  base,
  sentence: text({ most: 2000, initial: "The animal didn't cross the street because it was too tired" }),
};

/** Read and written without a server; may throw on every call (private windows, blocked storage). */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface Page {
  get(): PageState;
  set(patch: Partial<PageState>): void;
  subscribe(listener: (state: PageState) => void): () => void;
}

type Key = keyof PageState;
const keys = Object.keys(pageSchema) as Key[];
const remembered: readonly Key[] = ['depth', 'theme', 'base'];
// A theme suits a room, not a lesson: a link does not carry it.
const linked: readonly Key[] = ['depth', 'base', 'sentence'];

/**
 * The order of say: what stands in the link, what the device remembers, the default. A link's word is not remembered;
 * a reader's own choice is, and it takes the place of the link's.
 */
export function createPage(memory: Memory | undefined, live: LiveLink): Page {
  const own = new Map<string, string>();
  for (const key of remembered) {
    const value = recall(memory, key);
    if (value !== null) own.set(key, value);
  }
  const listeners = new Set<(state: PageState) => void>();
  let state = read();

  function read(): PageState {
    const values = new Map(own);
    for (const key of linked) {
      const value = live.page().get(key);
      if (value !== undefined) values.set(key, value);
    }
    return Object.fromEntries(
      keys.map((key) => [key, values.has(key) ? pageSchema[key].parse(values.get(key)!) : pageSchema[key].initial]),
    ) as unknown as PageState;
  }

  function refresh(): void {
    const next = read();
    if (keys.every((key) => next[key] === state[key])) return;
    state = next;
    [...listeners].forEach((listener) => listener(state));
  }

  live.subscribe(refresh);

  return {
    get: () => state,
    set(patch) {
      const inLink = new Map(live.page());
      for (const key of Object.keys(patch) as Key[]) {
        if (patch[key] === undefined) continue;
        const value = formatKey(key, patch[key]);
        own.set(key, value);
        if (remembered.includes(key)) remember(memory, key, value);
        if (!linked.includes(key)) continue;
        // The sentence is part of what is on screen, so it always goes into the link; the others only when they are there.
        if (value === formatKey(key, pageSchema[key].initial) && key === 'sentence') inLink.delete(key);
        else if (key === 'sentence' || inLink.has(key)) inLink.set(key, value);
      }
      live.setPage(inLink);
      refresh();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page keys that a copied link must name so that another device shows the same. */
export function pageInLink(state: PageState): Map<string, string> {
  const values = new Map<string, string>();
  for (const key of linked) {
    const value = formatKey(key, state[key]);
    if (value !== formatKey(key, pageSchema[key].initial)) values.set(key, value);
  }
  return values;
}

function formatKey(key: Key, value: PageState[Key]): string {
  return (pageSchema[key] as Field<PageState[Key]>).format(value);
}

const prefix = 'lookback.';

function recall(memory: Memory | undefined, key: string): string | null {
  try {
    return memory?.getItem(prefix + key) ?? null;
  } catch {
    return null;
  }
}

function remember(memory: Memory | undefined, key: string, value: string): void {
  try {
    memory?.setItem(prefix + key, value);
  } catch {
    // Full or forbidden: the choice holds until the page is closed.
  }
}

let shared: Page | undefined;

/** The state of this page. Only for code that runs in a browser. */
export function page(): Page {
  return (shared ??= createPage(isAway() ? undefined : browserMemory(), link()));
}

function browserMemory(): Memory | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
