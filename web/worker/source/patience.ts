// How long a source waits, and how often it asks again.

export interface Patience {
  /** Milliseconds before each new try after a failure; when all are used up without a byte, the source gives up. */
  pauses: number[];
  /** Milliseconds without a byte after which a connection counts as cut. */
  silence: number;
}

export const patience: Patience = { pauses: [300, 1_000, 3_000, 8_000, 20_000], silence: 30_000 };

/** Waits, or less when the browser says that it is online again. Rejects with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      globalThis.removeEventListener?.('online', awake);
    };
    const awake = () => (end(), resolve());
    const stopped = () => (end(), reject(signal.reason));
    const timer = setTimeout(awake, milliseconds);
    signal.addEventListener('abort', stopped, { once: true });
    globalThis.addEventListener?.('online', awake, { once: true });
    if (signal.aborted) stopped();
  });
}
