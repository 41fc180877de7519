// Long work lets waiting messages in, so that a cancel or newer work gets through.

const LONGEST_STRETCH_MS = 8; // of work without a look at the messages

export const stopped = { error: 'cancelled', sentence: 'The work was stopped.' };

/** Lets waiting messages in. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/** Breathes when that is due. */
export function breather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LONGEST_STRETCH_MS) return;
    await breathe();
    last = performance.now();
  };
}
