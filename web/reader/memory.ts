// What the reader leaves on the device: answers, what was read, depths of single passages. Each has a key of its own, so
// two tabs do not write over one another. Where storage is blocked, it lasts as long as the page.

const prefix = 'lookback.';
/** What storage refused to take. */
const unwritten = new Map<string, string>();

export function recall(key: string): string | null {
  const here = unwritten.get(key);
  if (here !== undefined) return here || null;
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

/** An empty value forgets. */
export function remember(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
    unwritten.delete(key);
  } catch {
    unwritten.set(key, value); // blocked or full
  }
}

/** Forgets every key of these kinds: "answer" is what begins with "answer.". */
export function forget(kinds: readonly string[]): void {
  const known = [...unwritten.keys()];
  try {
    known.push(...Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
  } catch {
    // Nothing is stored.
  }
  for (const key of known) if (kinds.some((kind) => key.startsWith(`${kind}.`))) remember(key, '');
}

/** Whether the browser keeps anything at all. */
export function keeps(): boolean {
  try {
    localStorage.setItem(`${prefix}try`, '1');
    localStorage.removeItem(`${prefix}try`);
    return true;
  } catch {
    return false;
  }
}

/** The page's own name in such keys: the chapter's file name without its ending. */
export function pageName(): string {
  return location.pathname.split('/').at(-1)?.replace(/\.html$/, '') || 'index';
}
