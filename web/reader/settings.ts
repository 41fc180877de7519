// Depth, theme and counting base: the controls in the masthead, and depths of single passages.

import { page, type Depth, type PageState } from '../state/page.ts';
import { pageName, recall, remember } from './memory.ts';
import { keepPlace } from './place.ts';
import { showSettings } from './show.ts';

type Setting = 'depth' | 'theme' | 'base';

const patches: Record<Setting, (value: string) => Partial<PageState>> = {
  depth: (value) => ({ depth: value as Depth }),
  theme: (value) => ({ theme: value as PageState['theme'] }),
  base: (value) => ({ base: value === '1' ? 1 : 0 }),
};

export function startSettings(): void {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-setting]')];
  for (const field of fields) {
    const setting = field.dataset['setting'] as Setting;
    field.addEventListener('change', (event) => {
      // Choosing a depth for the book ends the depths of single passages.
      keepPlace(() => {
        if (setting === 'depth') document.querySelectorAll<HTMLElement>('[data-passage][data-depth]').forEach((passage) => setPassage(passage, ''));
        page().set(patches[setting]((event.target as HTMLInputElement).value));
      });
    });
  }
  const show = (state: PageState) => {
    if (state.depth !== document.documentElement.dataset['depth']) keepPlace(() => showSettings(state));
    else showSettings(state);
    for (const field of fields) {
      const value = String(state[field.dataset['setting'] as Setting]);
      field.querySelectorAll('input').forEach((input) => (input.checked = input.value === value));
    }
    document.querySelectorAll<HTMLSelectElement>('.passage-depth select').forEach(showPassage);
  };
  startPassages();
  page().subscribe(show);
  show(page().get());
}

// --------------------------------------------------------------------------------------------- the depth of a passage

const names: Record<Depth, string> = { plain: 'Plain', detail: 'Detail', math: 'Math' };

/** A passage that differs by depth gets a switch of its own at its heading. */
function startPassages(): void {
  for (const passage of document.querySelectorAll<HTMLElement>('[data-passage=depths]')) {
    const heading = passage.querySelector(':scope > h2');
    if (!heading) continue;
    const kept = recall(keyOf(passage));
    if (kept && Object.hasOwn(names, kept)) passage.dataset['depth'] = kept;
    const select = document.createElement('select');
    select.autocomplete = 'off';
    select.setAttribute('aria-label', `Depth of “${heading.firstChild?.textContent?.trim() ?? ''}”`);
    for (const [value, name] of Object.entries(names)) select.add(new Option(name, value));
    select.addEventListener('change', () => {
      keepPlace(() => setPassage(passage, select.value === page().get().depth ? '' : (select.value as Depth)));
    });
    const box = document.createElement('span');
    box.className = 'passage-depth';
    box.append(select);
    heading.before(box);
  }
}

export function setPassage(passage: HTMLElement, depth: Depth | ''): void {
  if (depth === '') delete passage.dataset['depth'];
  else passage.dataset['depth'] = depth;
  remember(keyOf(passage), depth);
  const select = passage.querySelector<HTMLSelectElement>('.passage-depth select');
  if (select) showPassage(select);
}

function showPassage(select: HTMLSelectElement): void {
  select.value = select.closest<HTMLElement>('[data-passage]')?.dataset['depth'] ?? page().get().depth;
}

function keyOf(passage: HTMLElement): string {
  return `depth.${pageName()}.${passage.getAttribute('aria-labelledby') ?? ''}`;
}
