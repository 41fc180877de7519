// What the reader leaves on the device: answers, depths of single passages. Where storage is blocked, it lasts as long
// as the page.

const prefix = 'lookback.';
const fallback = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** An empty value forgets. */
export function remember(key: string, value: string): void {
  fallback.set(key, value);
  try {
    if (value === '') localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
  } catch {
    // Blocked or full: the fallback has it.
  }
}

/** The page's own name in such keys: the chapter's file name without its ending. */
export function pageName(): string {
  return location.pathname.split('/').at(-1)?.replace(/\.html$/, '') || 'index';
}
