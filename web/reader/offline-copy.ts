// The copy of the book on this device, and what is said about it: in Settings whether it is there, and on the page when a
// new edition has come. The copy itself is kept by service-worker.ts.

import { ownScript } from '../engine/own-script.ts';
import { megabytes } from '../marks/number.ts';
import { engine } from './engine.ts';
import { ask } from './offline-ask.ts';
import { offerEdition } from './offline-edition.ts';

const script = new URL('../service-worker.js', import.meta.url).href;

const sentences = {
  kept: (bytes: number) => `This book works without a network: a copy of it, ${megabytes(bytes)}, is kept on this device.`,
  coming: () => 'A copy of this book is being fetched, so that it works without a network.',
  none: () => 'This book needs the network: no copy of it is kept on this device.',
  saving: () => 'This book needs the network: this device saves data, so no copy was fetched.',
};

export async function keepCopy(): Promise<void> {
  const say = sentenceInSettings();
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (connection?.saveData && !workers?.controller) return say('saving');
  // The model comes first, where the page asks it. A figure says what is wrong with it.
  if (document.querySelector('[data-model]')) await engine().inUse().catch(() => {});
  try {
    const registration = await workers!.register(ownScript(script), { updateViaCache: 'none' });
    if (await isOfAnotherSite(registration)) return location.reload();
    follow(registration, say);
  } catch {
    // No secure address, a private window, a host without the file: the book is read from the network.
    say('none');
  }
}

/** Tells how it stands, now and after each change. */
function follow(registration: ServiceWorkerRegistration, say: Say): void {
  // A copy that was there before this page, and does not answer it, may be of another edition: the page was reloaded past it.
  const first = !registration.active;
  const look = async () => {
    const { active, waiting, installing } = registration;
    if (active && waiting) void offerEdition(registration);
    if (!active) return say(installing || waiting ? 'coming' : 'none');
    // Of the same edition as this page: then what the page fetches from now on comes from the copy as well.
    const shell = document.querySelector<HTMLScriptElement>('head script[type=module]')!.src;
    if (first && active.state === 'activated' && !navigator.serviceWorker.controller) void ask(active, 'serve', shell);
    const bytes = await ask<number>(active, 'kept');
    say(bytes > 0 ? 'kept' : 'none', bytes);
  };
  const watch = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', () => void look());
  watch(registration.installing);
  watch(registration.waiting);
  registration.addEventListener('updatefound', () => {
    watch(registration.installing);
    void look();
  });
  // The browser may have cleared it meanwhile.
  settings()?.addEventListener('toggle', () => void look());
  void look();
}

/** Addresses of this machine change their owners: the copy must not stand before another site that is served there now. */
async function isOfAnotherSite(registration: ServiceWorkerRegistration): Promise<boolean> {
  if (!navigator.serviceWorker.controller || !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)) return false;
  const answer = await fetch(script, { cache: 'no-store' }).catch(() => null);
  if (!answer || (answer.ok && /javascript/.test(answer.headers.get('content-type') ?? ''))) return false;
  return registration.unregister();
}

// -------------------------------------------------------------------------------------------------------- what is said

type Say = (how: keyof typeof sentences, bytes?: number) => void;

const settings = () => document.querySelector<HTMLElement>('.masthead details.menu-end');

function sentenceInSettings(): Say {
  const line = document.createElement('p');
  line.className = 'copy-kept';
  settings()?.querySelector('.menu-panel')?.append(line);
  return (how, bytes = 0) => {
    line.dataset['copy'] = how;
    line.textContent = sentences[how](bytes);
  };
}
