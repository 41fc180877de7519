// Whether a worker still lives. No event tells that one has ended, but whoever dies lets go of its locks: each worker
// takes the lock of its own name, and the page waits for that lock.

/** What every worker offers. */
export interface Living {
  /** Takes the lock of the worker's name for as long as it lives; false where there are no locks to take. */
  hold(): Promise<boolean>;
}

/** Tabs share locks, so the name is the only one of its kind. */
export const nameOfWorker = (kind: string) => `lookback ${kind} ${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;

/** The worker's side. Locks are only where the page's origin is secure. */
export const life: Living = {
  hold: () =>
    new Promise((held) => {
      const forever = () => new Promise<never>(() => held(true));
      if (!navigator.locks) held(false);
      else navigator.locks.request(self.name, forever).catch(() => held(false));
    }),
};

/** Calls `gone` when the worker has died. To be called before anything else is asked of it, so that its start is watched too. */
export function watchLife(name: string, worker: { hold(): Promise<boolean> }, stop: AbortSignal, gone: () => void): void {
  void worker
    .hold()
    .then((held) => (held ? navigator.locks.request(name, { signal: stop }, gone) : undefined))
    .catch(() => {}); // watched no longer
}
