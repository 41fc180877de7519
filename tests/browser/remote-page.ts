// The page of the tests about sources and store: starts a worker for each call, so that nothing but the store is shared.

function ask(name: string, ...args: unknown[]): Promise<unknown> {
  const worker = new Worker('worker.js', { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data === 'begun') return void document.body.setAttribute('data-begun', '');
      worker.terminate();
      resolve(data.value);
    };
    worker.onerror = (event) => reject(new Error(event.message || 'The worker failed.'));
    worker.onmessageerror = () => reject(new Error('A message could not be read.'));
    worker.postMessage({ id: 1, name, args });
  });
}

Object.assign(window, { ask });
export type Ask = typeof ask;
