// The contents' account of each chapter: read or not, and how many of its exercises are right. Only what the page itself
// names is looked up, so whatever else stands in the storage does not matter.

import { keeps, recall } from './memory.ts';

const words: Record<string, string> = { begun: 'begun', finished: 'read' };

export function startContents(list: HTMLElement): void {
  const accounts = [...list.querySelectorAll<HTMLElement>('[data-account]')];
  const show = () => accounts.forEach(showAccount);
  if (!keeps()) {
    list.querySelectorAll('.account-read').forEach((state) => state.remove());
    const sentence = document.createElement('p');
    sentence.className = 'keeps-nothing';
    sentence.textContent = 'This browser keeps nothing for the book: answers last until their page is closed.';
    return list.after(sentence);
  }
  show();
  addEventListener('storage', show); // another tab
  addEventListener('pageshow', (event) => event.persisted && show());
  document.addEventListener('lookback-forgotten', show);
}

function showAccount(account: HTMLElement): void {
  const chapter = account.dataset['account']!;
  const read = recall(`read.${chapter}`) ?? '';
  const state = account.querySelector<HTMLElement>('.account-read')!;
  state.textContent = Object.hasOwn(words, read) ? words[read]! : 'unread';
  state.classList.toggle('is-read', read === 'finished');
  for (const count of account.querySelectorAll<HTMLElement>('[data-exercises]')) {
    const ids = count.dataset['exercises']!.split(' ');
    const answered = ids.some((id) => recall(`answer.${chapter}.${id}`) !== null);
    const right = ids.filter((id) => recall(`right.${chapter}.${id}`) === 'yes').length;
    count.textContent = answered || right > 0 ? `${right} of ${ids.length} exercises right` : `${ids.length} exercises`;
  }
}
