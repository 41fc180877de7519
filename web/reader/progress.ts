// What the device keeps of the reading: a chapter is begun when it is opened and read when its summary has been on the
// screen. What is seldom used (the contents' account, forgetting, citing) has its code fetched when it is wanted.

import { pageName, recall, remember } from './memory.ts';

export function startProgress(): void {
  const summary = document.querySelector('#summary');
  if (summary) keepReading(summary);
  const chapters = document.querySelector<HTMLElement>('.chapter-list');
  if (chapters) void import('./progress-contents.ts').then(({ startContents }) => startContents(chapters)).catch(() => {});
  const forgetting = document.querySelector<HTMLElement>('[data-forgetting]');
  whenOpened(forgetting?.closest('details'), () => import('./progress-forget.ts').then(({ startForgetting }) => startForgetting(forgetting!)));
  const citing = document.querySelector<HTMLDetailsElement>('.citing');
  whenOpened(citing, () => import('./cite-page.ts').then(({ startCiting }) => startCiting(citing!)));
}

/** Where the code does not come, the text stands without it, and the next opening tries again. */
function whenOpened(details: HTMLDetailsElement | null | undefined, start: () => Promise<void>): void {
  const open = () => {
    details!.removeEventListener('toggle', open);
    start().catch(() => details!.addEventListener('toggle', open));
  };
  details?.addEventListener('toggle', open);
}

function keepReading(summary: Element): void {
  const key = `read.${pageName()}`;
  if (recall(key) === 'finished') return;
  if (recall(key) !== 'begun') remember(key, 'begun');
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watch.disconnect();
    remember(key, 'finished');
  });
  watch.observe(summary);
}
