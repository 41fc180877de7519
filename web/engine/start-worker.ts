// A worker from a script of any origin. Browsers start none from another one, but they do start a blob of the page's own
// that imports the script, where the script's server lets other origins read it.

export function startWorker(script: string, name: string): Worker {
  const here = globalThis.location?.origin;
  if (here === undefined || new URL(script, location.href).origin === here) return new Worker(script, { type: 'module', name });
  const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(script)};`], { type: 'text/javascript' }));
  const worker = new Worker(address, { type: 'module', name });
  // Its first word means that the blob has been read.
  for (const word of ['message', 'error']) worker.addEventListener(word, () => URL.revokeObjectURL(address), { once: true });
  return worker;
}
