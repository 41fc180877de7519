// A stream's bytes, part after part through one piece of memory: fresh memory for every part takes the system longer than
// the bytes take to come.

const ROOM = 1 << 18; // bytes

/** Gives the next part, good until the next call, and null at the end; `most` bytes are expected. Rejects as the stream does. */
export function partsOf(stream: ReadableStream<Uint8Array>, most = ROOM): () => Promise<Uint8Array | null> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    // A browser, or a stream, that hands out memory of its own.
    const plain = stream.getReader();
    return async () => (await plain.read()).value ?? null;
  }
  let room = new ArrayBuffer(Math.max(1, Math.min(most, ROOM)));
  return async () => {
    const { value, done } = await reader.read(new Uint8Array(room));
    if (done || !value) return null;
    room = value.buffer;
    return value;
  };
}
