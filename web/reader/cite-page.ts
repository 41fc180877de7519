// "Cite this page" at a chapter's foot: the address and today's date come into the text, and buttons copy it.

import { link } from '../state/link.ts';
import { page, pageInLink } from '../state/page.ts';

export function startCiting(room: HTMLElement): void {
  const state = room.querySelector<HTMLButtonElement>('[data-cite-state]')!;
  const notice = room.querySelector<HTMLElement>('[role=status]')!;
  const withState = () => state.getAttribute('aria-pressed') === 'true';
  const fill = () => {
    const bare = location.href.replace(/[?#].*$/s, '');
    const fragment = withState() ? link().fragment(link().anchor(), pageInLink(page().get())) : '';
    const address = fragment === '' ? bare : `${bare}#${fragment}`;
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    put(room, 'address', address);
    put(room, 'read', ` Read on ${now.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}.`);
    put(room, 'urldate', `,\n  urldate = {${date}}`);
  };
  state.addEventListener('click', () => {
    state.setAttribute('aria-pressed', String(!withState()));
    fill();
    notice.textContent = withState() ? 'The address now carries the depth and the state of every figure.' : 'The address is that of the page alone.';
  });
  for (const copy of room.querySelectorAll<HTMLButtonElement>('[data-copies]')) {
    copy.addEventListener('click', async () => {
      fill();
      const text = room.querySelector(`[data-cite-text=${copy.dataset['copies']}]`)!;
      notice.textContent = '';
      try {
        await navigator.clipboard.writeText(text.textContent!);
        notice.textContent = copy.dataset['copied']!;
      } catch {
        getSelection()?.selectAllChildren(text);
        notice.textContent = 'The browser does not let this page copy. The text is selected; copy it from there.';
      }
    });
  }
  link().subscribe(() => withState() && fill());
  fill();
}

function put(room: HTMLElement, name: string, text: string): void {
  room.querySelectorAll(`[data-cite=${name}]`).forEach((place) => (place.textContent = text));
}
