// The search field on top of the contents. The index and its text are fetched when the field is first entered; nothing
// that is typed leaves the page.

import type { SearchEntry } from './search-entry.ts';
import type { Found, Search } from './search-index.ts';

export function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('.search-field');
  if (!field) return;
  const results = document.querySelector<HTMLElement>('.search-results')!;
  const status = document.querySelector<HTMLElement>('.search-status')!;
  const contents = document.querySelector<HTMLElement>('.menu-panel .contents-list')!;
  let loading: Promise<{ search: Search; draw: (found: Found[]) => Element[] }> | undefined;
  const load = () => (loading ??= prepare().catch((problem) => ((loading = undefined), Promise.reject(problem))));

  const show = async () => {
    const query = field.value.trim();
    contents.hidden = query !== '';
    if (query === '') return results.replaceChildren(), void (status.textContent = '');
    try {
      const { search, draw } = await load();
      if (field.value.trim() !== query) return;
      const found = search(query);
      results.replaceChildren(...draw(found));
      status.textContent = found.length === 0 ? 'Nothing in the book has these words.' : `${found.length === 1 ? 'One place' : `${found.length} places`} found.`;
    } catch {
      status.textContent = 'The index of the book could not be loaded; reload the page once you are online.';
    }
  };
  field.addEventListener('focus', () => void load().catch(() => {}), { once: true });
  field.addEventListener('input', () => void show());
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || field.value === '') return;
    event.stopPropagation(); // the first Escape clears the field, the next closes the menu
    event.preventDefault();
    field.value = '';
    void show();
  });
}

async function prepare() {
  const place = document.documentElement.dataset['search']!;
  const [{ indexOf, excerpt }, entries] = await Promise.all([
    import('./search-index.ts'),
    fetch(place).then((answer) => (answer.ok ? (answer.json() as Promise<SearchEntry[]>) : Promise.reject(answer.status))),
  ]);
  return { search: indexOf(entries), draw: (found: Found[]) => found.map((one) => row(one, excerpt(one.text, one.words))) };
}

function row(found: Found, parts: readonly string[]): Element {
  const words = parts.map((part, at) => element(at % 2 ? 'mark' : 'span', '', part));
  const link = element('a', '', element('span', 'search-place', `${found.place} · `), element('b', '', found.section));
  (link as HTMLAnchorElement).href = found.url;
  link.addEventListener('click', () => link.closest('details.menu')?.removeAttribute('open')); // it may lead to this very page
  return element('li', 'search-result', link, element('span', 'search-excerpt', ...words));
}

function element(name: string, className: string, ...content: (Node | string)[]): Element {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}
