/** The promise, or a rejection as soon as the signal says so: what never answers must not keep who waits. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal!.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
