// Between tabs: who fetches a model has it alone; those who read a whole one share it. A tab that dies lets go by itself.

type Mode = 'shared' | 'exclusive';

const manager = () => globalThis.navigator?.locks as LockManager | undefined;

function request(name: string, options: LockOptions): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    manager()!
      .request(name, options, (lock) => (lock ? new Promise<void>((release) => resolve(release)) : resolve(null)))
      .catch(reject);
  });
}

/** The way to let go, or null when another tab holds it. */
export async function tryLock(name: string, mode: Mode): Promise<(() => void) | null> {
  return manager() ? request(name, { mode, ifAvailable: true }) : () => {};
}

/** Waits for it; `onWait` is called when it must. Rejects with the signal's reason. */
export async function lock(name: string, mode: Mode, signal: AbortSignal, onWait: () => void): Promise<() => void> {
  const free = await tryLock(name, mode);
  if (free) return free;
  onWait();
  return (await request(name, { mode, signal }))!;
}
