// The two ways of a pager. Presses may come faster than pictures: each goes on from where the one before has led.

/** `now`: what was asked for last, which may be ahead of `at`, what is drawn. */
export function ways(at: number, count: number, now: (() => number) | undefined, set: (at: number) => void): { back: (() => void) | undefined; on: (() => void) | undefined } {
  const go = (by: number) => () => set(Math.min(Math.max((now?.() ?? at) + by, 0), count - 1));
  return { back: at > 0 ? go(-1) : undefined, on: at < count - 1 ? go(1) : undefined };
}
