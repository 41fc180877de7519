// A new edition has been fetched and waits. The page says so and goes on with the old one until the reader reloads; two
// editions never answer one page.

import { ask } from './offline-ask.ts';

const later = 'lookback.edition-later';

export async function offerEdition(registration: ServiceWorkerRegistration): Promise<void> {
  if (document.querySelector('.edition') || wasPutOff()) return;
  const note = document.createElement('section');
  note.className = 'edition';
  note.setAttribute('aria-label', 'New edition');
  const text = document.createElement('p');
  text.setAttribute('role', 'status');
  note.append(text, button('Reload', 'button', () => void begin(registration)), button('Later', 'button button-quiet', () => putOff(note)));
  document.querySelector('main')?.before(note);
  const pages = registration.waiting ? await ask<number>(registration.waiting, 'pages') : 1;
  text.textContent = `A new edition of this book is here. Reload to read it.${pages > 1 ? ' Its other open pages reload too.' : ''}`;
}

function button(word: string, className: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.textContent = word;
  made.addEventListener('click', press);
  return made;
}

/** The pages that the old edition answered begin anew by themselves (offline.ts); one that it did not answer, here. */
async function begin({ waiting }: ServiceWorkerRegistration): Promise<void> {
  if (!waiting) return location.reload();
  if (!navigator.serviceWorker.controller) waiting.addEventListener('statechange', () => waiting.state === 'activated' && location.reload());
  await ask(waiting, 'begin');
}

/** For this visit: once all pages of the book are closed, it opens with the new edition anyway. */
function putOff(note: HTMLElement): void {
  note.remove();
  try {
    sessionStorage.setItem(later, 'yes');
  } catch {
    // Blocked: the next page says it again.
  }
}

function wasPutOff(): boolean {
  try {
    return sessionStorage.getItem(later) !== null;
  } catch {
    return false;
  }
}
