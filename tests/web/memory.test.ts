// What the device keeps: where storage refuses a value the page goes on with it, and forgetting takes only what it names.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

class Store {
  [key: string]: unknown;
  getItem(key: string): string | null { return Object.hasOwn(this, key) ? (this[key] as string) : null; }
  setItem(key: string, value: string): void { this[key] = value; }
  removeItem(key: string): void { delete this[key]; }
}

let store: Store;
let memory: typeof import('../../web/reader/memory.ts');
beforeEach(async () => {
  vi.stubGlobal('localStorage', (store = new Store()));
  vi.resetModules();
  memory = await import('../../web/reader/memory.ts');
});
afterEach(() => void vi.unstubAllGlobals());

const refuse = () => {
  throw new DOMException('no', 'QuotaExceededError');
};

it('keeps what it is told, and forgets an empty value', () => {
  memory.remember('answer.a.x', '1');
  expect([memory.recall('answer.a.x'), { ...store }]).toEqual(['1', { 'lookback.answer.a.x': '1' }]);
  memory.remember('answer.a.x', '');
  expect([memory.recall('answer.a.x'), { ...store }]).toEqual([null, {}]);
});

it('prefers what storage has refused to what it has, until it takes something again', () => {
  memory.remember('read.a', 'begun');
  store.setItem = store.removeItem = refuse;
  memory.remember('read.a', 'finished');
  expect([memory.recall('read.a'), memory.keeps()]).toEqual(['finished', false]);
  memory.remember('read.a', '');
  expect(memory.recall('read.a')).toBeNull();
  Reflect.deleteProperty(store, 'setItem');
  Reflect.deleteProperty(store, 'removeItem');
  memory.remember('read.a', 'begun');
  store['lookback.read.a'] = 'finished'; // another tab
  expect([memory.recall('read.a'), memory.keeps()]).toEqual(['finished', true]);
});

it('works without any storage', () => {
  vi.stubGlobal('localStorage', undefined);
  memory.remember('answer.a.x', '1');
  expect([memory.recall('answer.a.x'), memory.recall('answer.a.y'), memory.keeps()]).toEqual(['1', null, false]);
  memory.forget(['answer']);
  expect(memory.recall('answer.a.x')).toBeNull();
});

it('forgets the kinds that are named, and nothing of others', () => {
  const rest = { 'lookback.depth': 'plain', 'lookback.depth.a.b': 'math', 'lookback.answers': 'x', 'other.answer.a.x': '1' };
  Object.assign(store, rest);
  memory.remember('answer.a.x', '1');
  memory.remember('read.a', 'begun');
  memory.forget(['answer', 'read']);
  expect({ ...store }).toEqual(rest);
});
