// The copy of the whole book that makes it work without a network. The build writes down every file with its hash; a file
// that is not what the build made is refused, so a copy is of one edition or does not come about. An edition waits until
// a reader takes it or the book is closed. Nothing else that a reader keeps is touched.

import { cacheNames } from 'workbox-core';
import { getCacheKeyForURL, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import type { Question } from './offline-ask.ts';

/** What web/copies.mjs found in the site. */
declare const EDITION: { files: { url: string; revision: string | null; integrity: string }[]; bytes: number };

/** TypeScript keeps what only service workers have out of the types for pages. */
interface Scope {
  clients: {
    claim(): Promise<void>;
    /** Those that this service worker answers, or all; without those whose scripts still come. */
    matchAll(options: { type: 'window' | 'all'; includeUncontrolled?: boolean }): Promise<{ id: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'message', listener: (event: MessageEvent & { waitUntil(work: Promise<void>): void }) => void): void;
}
const scope = self as unknown as Scope;

/** Workers of a page that was reloaded past the copy, which may be of another edition: browsers ask here for them all the same. */
const past = new Set<string>();
const idsOf = (event: Event) => event as Event & { clientId: string; resultingClientId: string };
registerRoute(
  ({ request, event, sameOrigin }) => sameOrigin && (request.destination === 'worker' || past.has(idsOf(event).clientId)),
  async ({ request, event }) => {
    const { clientId, resultingClientId } = idsOf(event);
    if (!past.has(clientId)) {
      // Firefox asks here for what a worker imports too. The worker is not ready then, and clients.get would wait until it is.
      const [all, ours] = await Promise.all([true, false].map((includeUncontrolled) => scope.clients.matchAll({ type: 'all', includeUncontrolled })));
      const isMaker = ({ id }: { id: string }) => id === clientId;
      if (!all!.some(isMaker) || ours!.some(isMaker)) return (await matchPrecache(request.url)) ?? fetch(request);
    }
    if (request.destination === 'worker' && resultingClientId) past.add(resultingClientId);
    return fetch(request);
  },
);

// A page of the book has no use for parameters.
precacheAndRoute(EDITION.files, { ignoreURLParametersMatching: [/./] });
// A file that was cleared and that the site no longer has as it was: better a page than none.
setCatchHandler(({ request }) => fetch(request));

const answers: Record<Question, (about: string) => unknown> = {
  async kept() {
    const cache = await caches.open(cacheNames.precache);
    const there = new Set((await cache.keys()).map(({ url }) => url));
    return EDITION.files.every(({ url }) => there.has(getCacheKeyForURL(url)!)) ? EDITION.bytes : 0;
  },
  pages: async () => (await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })).length,
  serve: (shell) => (getCacheKeyForURL(shell) ? scope.clients.claim() : undefined),
  begin: () => scope.skipWaiting(),
};

scope.addEventListener('message', (event) => {
  const { question, about } = event.data as { question: Question; about: string };
  event.waitUntil(Promise.resolve(answers[question](about)).then((answer) => event.ports[0]?.postMessage(answer)));
});
