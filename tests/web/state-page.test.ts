// The page's own state: remembered where possible, overruled by a link, never broken by a browser that forbids storage.

import { describe, expect, it } from 'vitest';
import { liveLink } from '../../web/state/link.ts';
import { createPage, pageInLink, type Memory } from '../../web/state/page.ts';

function setUp(fragment = '', stored: Record<string, string> = {}) {
  const memory = new Map(Object.entries(stored));
  let shown = fragment;
  let moved = () => {};
  const link = liveLink({
    read: () => shown,
    replace: (next) => void (shown = next),
    push: (next) => void (shown = next),
    watch: (listener) => void (moved = listener),
    leave: () => {},
  });
  const storage: Memory = { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => void memory.set(key, value) };
  const go = (next: string) => {
    shown = next;
    moved();
  };
  return { page: createPage(storage, link), link, memory, go };
}

describe('the page', () => {
  it('starts with the defaults, then with what is remembered, and a link has the last word', () => {
    expect(setUp().page.get()).toMatchObject({ depth: 'detail', theme: 'auto', base: 0 });
    const stored = { 'lookback.depth': 'detail', 'lookback.base': '1', 'lookback.theme': 'dark' };
    expect(setUp('', stored).page.get()).toMatchObject({ depth: 'detail', theme: 'dark', base: 1 });
    expect(setUp('depth=math&base=0&theme=light', stored).page.get()).toMatchObject({ depth: 'math', theme: 'dark', base: 0 });
  });

  it('does not remember a link’s word, but remembers the reader’s', () => {
    const { page, link, memory } = setUp('depth=math');
    expect(memory.size).toBe(0);
    page.set({ depth: 'detail' });
    expect(page.get().depth).toBe('detail');
    expect(memory.get('lookback.depth')).toBe('detail');
    expect(link.page().get('depth')).toBe('detail');
  });

  it('survives storage that throws and values that make no sense', () => {
    const forbid = () => {
      throw new Error('denied');
    };
    const { link } = setUp('base=NaN&depth=deep&sentence=');
    const page = createPage({ getItem: forbid, setItem: forbid }, link);
    expect(page.get()).toMatchObject({ depth: 'detail', base: 0, sentence: '' });
    page.set({ theme: 'light' });
    expect(page.get().theme).toBe('light');
    expect(setUp('', { 'lookback.theme': 'pink', 'lookback.base': '7' }).page.get()).toMatchObject({ theme: 'auto', base: 0 });
  });

  it('tells its listeners once per change, also when the address changes', () => {
    const { page, go } = setUp();
    const heard: string[] = [];
    const stop = page.subscribe((state) => heard.push(`${state.depth} ${state.sentence}`));
    page.set({ sentence: 'A & B' });
    page.set({ sentence: 'A & B' });
    go('depth=math&sentence=C');
    stop();
    page.set({ sentence: 'D' });
    expect(heard).toEqual(['detail A & B', 'math C']);
  });

  it('keeps the sentence in the link and leaves it out again with the default', () => {
    const { page, link } = setUp();
    const usual = page.get().sentence;
    page.set({ sentence: '' });
    expect(link.page().get('sentence')).toBe('');
    expect(Object.fromEntries(pageInLink(page.get()))).toEqual({ sentence: '' });
    page.set({ sentence: usual });
    expect(link.page().size).toBe(0);
  });
});
