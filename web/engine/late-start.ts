// A worker that takes long to start. Whether one that has said nothing is dead, or its bytes still come over a slow line,
// nobody can tell; so it is never given up by itself: the reader is told, and may have another one started.

/** Milliseconds. */
export const patience = 30_000;

export const lateSentence = 'The engine has not started within half a minute; it may still be on its way.';

/** Calls `tell` with true when a start takes longer than `patience`, and then with false when it is over, in whatever way. */
export function watchStart(started: Promise<unknown>, tell: (late: boolean) => void): void {
  let late = false;
  const timer = setTimeout(() => tell((late = true)), patience);
  const over = () => {
    clearTimeout(timer);
    if (late) tell(false);
  };
  started.then(over, over);
}
