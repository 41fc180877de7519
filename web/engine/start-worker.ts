// A worker from a script of the book, in the book's own pages and in those of others.

import { ownScript } from './own-script.ts';

export function startWorker(script: string, name: string): Worker {
  const address = globalThis.location ? ownScript(script) : script;
  const worker = new Worker(address, { type: 'module', name });
  const made = String(address);
  // Its first word means that the blob has been read.
  if (made.startsWith('blob:')) for (const word of ['message', 'error']) worker.addEventListener(word, () => URL.revokeObjectURL(made), { once: true });
  return worker;
}
