// Questions of a page to the service worker.

/** kept: bytes of the whole copy, 0 when a file of it is missing. pages: how many pages of the book are open. serve: answers
    for pages that are open, where they are of its edition. begin: takes the place of the edition before. */
export type Question = 'kept' | 'pages' | 'serve' | 'begin';

export function ask<Answer>(worker: ServiceWorker, question: Question, about = ''): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data as Answer);
    };
    worker.postMessage({ question, about }, [port2]);
  });
}
