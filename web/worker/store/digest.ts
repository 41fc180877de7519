// SHA-256, of bytes at once or of a file as it goes by; and a quick sum that tells whether kept bytes are still what they
// were (XXH3): SHA-256 of half a gigabyte would take longer than to write it.

/** Fetched by who loads a model from elsewhere. */
const startSha256 = async () => (await import('./own-sha256.ts')).createSHA256();

const hex = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Hexadecimal. The browser's own is fastest, but only secure pages have it. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (globalThis.crypto?.subtle) return hex(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const running = await startSha256();
  return running.update(bytes).digest('hex');
}

export const sha256OfText = (text: string): Promise<string> => sha256(new TextEncoder().encode(text));

/** Takes bytes a part at a time, which the browser's own cannot. */
export async function runningSha256(): Promise<{ add(bytes: Uint8Array): void; end(): string }> {
  const running = await startSha256();
  return { add: (bytes) => void running.update(bytes), end: () => running.digest('hex') };
}

let sums: ReturnType<typeof import('hash-wasm').createXXHash128> | null = null;

/** Hexadecimal, 128 bits. No proof against who wants to deceive. */
export async function checksum(bytes: Uint8Array): Promise<string> {
  sums ??= import('./own-xxh3.ts').then(({ createXXHash128 }) => createXXHash128());
  return (await sums).init().update(bytes).digest('hex');
}
