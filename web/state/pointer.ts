// Places in JSON values (RFC 6901).

/** The value at a JSON pointer (RFC 6901), undefined when there is none. */
export function at(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, key) => (found !== null && typeof found === 'object' && Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined), value);
}

/** The value with `found` at an existing place; what was there stays as it was. */
export function put(value: unknown, pointer: string, found: unknown): unknown {
  const copy = structuredClone(value);
  const last = pointer.lastIndexOf('/');
  const parent = at(copy, pointer.slice(0, last));
  if (last < 0 || parent === null || typeof parent !== 'object') throw new Error(`There is no place "${pointer}".`);
  (parent as Record<string, unknown>)[pointer.slice(last + 1).replaceAll('~1', '/').replaceAll('~0', '~')] = found;
  return copy;
}
