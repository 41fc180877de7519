// What a reader changed in the search playground, as short texts that a link can carry: the index of the row, a letter
// for what was changed, a colon, and the new content. "3k:a far planet" gives row 3 another key.

/** Changes to one row. In `withChange`, null takes a change back and what is absent stays. */
export interface Changes {
  query?: string | null;
  key?: string | null;
  value?: string | null;
  queryWeights?: readonly number[] | null;
  keyWeights?: readonly number[] | null;
}

export type Change = { [K in keyof Changes]?: Exclude<Changes[K], null> };

const letters = { query: 'q', key: 'k', value: 'v', queryWeights: 'x', keyWeights: 'y' } as const;
const names = new Map(Object.entries(letters).map(([name, letter]) => [letter as string, name as keyof Changes]));

/** What was changed in a row. Later entries win; entries that make no sense are left out. */
export function applyChanges(entries: readonly string[], index: number): Change {
  const found: Record<string, unknown> = {};
  for (const entry of entries) {
    const parts = /^(\d+)([a-z]):(.*)$/su.exec(entry);
    const name = parts && names.get(parts[2]!);
    if (!name || Number(parts[1]) !== index) continue;
    const content = name.endsWith('Weights') ? weightsOf(parts[3]!) : parts[3]!;
    if (content !== undefined) found[name] = content;
  }
  return found as Change;
}

/** The entries with a row's changes written in, sorted so that equal states give equal links. */
export function withChange(entries: readonly string[], index: number, changes: Changes): string[] {
  const next = new Map(entries.map((entry) => [entry.slice(0, entry.indexOf(':')), entry]));
  for (const [name, content] of Object.entries(changes) as [keyof Changes, Changes[keyof Changes]][]) {
    const head = `${index}${letters[name]}`;
    if (content === null) next.delete(head);
    else if (content !== undefined) next.set(head, `${head}:${textOf(content)}`);
  }
  return [...next.entries()].sort(([a], [b]) => parseInt(a) - parseInt(b) || (a < b ? -1 : 1)).map(([, entry]) => entry);
}

function textOf(content: string | readonly number[]): string {
  return typeof content === 'string' ? content : content.join(' ');
}

/** Numbers from 0 to 10 parted by spaces; undefined when one of them is none. */
function weightsOf(source: string): number[] | undefined {
  const weights = source.split(' ').map((part) => (part === '' ? NaN : Number(part)));
  return weights.every((weight) => weight >= 0 && weight <= 10) ? weights : undefined;
}
