// What is kept of a model: it survives cuts, killed tabs and full disks, serves a second visit without the network, and
// two tabs do not fetch it twice.

import { describe, expect, it } from 'vitest';
import type { KeptModel } from '../../web/worker/store/types.ts';
import { isKnownMask, tensorsOf } from '../../web/worker/store/whole-hash.ts';
import type { Ask } from './remote-page.ts';
import { order, remoteSuite, sha256 } from './remote-suite.ts';
import type { Outcome } from './remote-worker.ts';
import { otherVersion } from './faulty-server.ts';

declare const window: { ask: Ask };

const suite = remoteSuite();
const key = 'hub:someone/model@main';
const whole = () => ({ error: null, hashes: [sha256(suite.weights)] });
/** Bytes that must come: without masks and header. */
const needed = () => tensorsOf(headerOf(suite.weights)).filter((tensor) => !isKnownMask(tensor)).reduce((sum, { begin, end }) => sum + end - begin, 0);
const headerOf = (file: Buffer) => file.subarray(8, 8 + Number(file.readBigUInt64LE()));
const early = 10 * 64 * 4; // rows of five tokens in two tables come twice

type Tab = Awaited<ReturnType<typeof suite.tab>>;
const loadIn = (tab: Tab) => tab.evaluate((what) => window.ask('load', what), order(suite, { ids: null, tellBegun: true })) as Promise<Outcome>;
/** Until the first pieces of a load in that tab are kept. */
const begun = (tab: Tab) => tab.waitForSelector('[data-begun]', { state: 'attached' });

describe.each(['opfs', 'cache'] as const)('on the shelf “%s”', (shelf) => {
  it('a second visit needs no network, a list shows it, and it can be removed', async () => {
    expect(await suite.load({ shelf })).toMatchObject({ ...whole(), kept: true, store: 0 });
    const [row, ...others] = await suite.call<KeptModel[]>('list', shelf);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ key, name: 'someone/model', whole: true, confirmed: false });
    expect(row!.bytes).toBeGreaterThan(needed());
    expect(row!.bytes).toBeLessThan(needed() + 10_000);

    suite.server.reset();
    expect(await suite.load({ shelf })).toMatchObject({ ...whole(), kept: true, network: 0 });
    expect(await suite.load({ shelf, origin: { kind: 'kept', key }, ids: null })).toMatchObject({ ...whole(), kept: true, network: 0 });
    expect(suite.server.asked).toEqual([]);

    expect(await suite.call('remove', shelf, key)).toBeNull();
    expect(await suite.call('list', shelf)).toEqual([]);
    expect(await suite.load({ shelf, origin: { kind: 'kept', key } })).toMatchObject({ error: 'not_kept' });
  });

  it('a stopped load goes on from where it was', async () => {
    const first = await suite.load({ shelf, abortAfter: 2_500_000 });
    expect(first.error).toBe('AbortError');
    const second = await suite.load({ shelf });
    expect(second).toMatchObject({ ...whole(), kept: true });
    expect(second.store).toBeGreaterThanOrEqual(2_500_000 - early);
    expect(first.network + second.network).toBeLessThanOrEqual(needed() + 2 * early + (1 << 17));
    expect(second.keptBytes).toBeGreaterThanOrEqual(2_500_000 - early);
  });

  it('a kept piece with a turned bit is fetched again, as soon as the host can be reached', async () => {
    await suite.load({ shelf });
    await suite.call('damage', shelf);
    suite.server.reset({ busy: { status: 503, times: Infinity } });
    expect(await suite.load({ shelf })).toMatchObject({ error: 'unreachable' });
    suite.server.reset();
    const mended = await suite.load({ shelf });
    expect(mended).toMatchObject(whole());
    expect(mended.network).toBeGreaterThan(0);
    expect(mended.network).toBeLessThanOrEqual(4 << 20);
    expect(await suite.load({ shelf })).toMatchObject({ ...whole(), network: 0, said: [] });
  });
});

it('takes the private file system where there is one', async () => {
  expect(await suite.call('best')).toBe('opfs');
});

it('a killed tab leaves whole pieces', async () => {
  suite.server.reset({ slow: 60 });
  const tab = await suite.tab();
  const lost = loadIn(tab).catch(() => null);
  await begun(tab);
  await tab.close({ runBeforeUnload: false });
  expect(await lost).toBeNull();
  suite.server.reset();
  const next = await suite.load();
  expect(next).toMatchObject({ ...whole(), kept: true });
  expect(next.store).toBeGreaterThanOrEqual(4 << 20);
  expect(next.network).toBeLessThan(needed() - (4 << 20) + 2 * early);
});

it('two tabs: the second waits, says so, and takes what the first has kept', async () => {
  suite.server.reset({ slow: 10 });
  const outcomes = await Promise.all([await suite.tab(), await suite.tab()].map(loadIn));
  expect(outcomes).toMatchObject([whole(), whole()]);
  expect(outcomes.map(({ network }) => network).sort((a, b) => a - b)).toEqual([0, needed()]);
  expect(outcomes.flatMap(({ said }) => said)).toEqual(['Another tab is fetching this model; this one waits, and takes what that one keeps.']);
  expect(suite.server.asked.filter(({ file }) => file === 'config.json')).toHaveLength(1);
});

it('is not removed while it is being fetched', async () => {
  suite.server.reset({ slow: 60 });
  const tab = await suite.tab();
  const loading = loadIn(tab);
  await begun(tab);
  expect(await suite.call('remove', 'opfs', key)).toBe('in_use');
  expect(await loading).toMatchObject(whole());
  expect(await suite.call('remove', 'opfs', key)).toBeNull();
});

describe('where room is short', () => {
  const quota = async (bytes: number) => {
    const session = await suite.page.context().newCDPSession(suite.page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(suite.address).origin, quotaSize: bytes });
  };

  it('and the browser says so beforehand, it loads and is not kept', async () => {
    const got = await suite.load({ room: 2_000_000 });
    expect(got).toMatchObject({ ...whole(), kept: false });
    expect(got.said).toEqual(['The browser has room for 2 MB more, too little for 6 MB. The model loads, but is not kept.']);
    expect(await suite.call('list', 'opfs')).toEqual([]);
  });

  it('and the host tells a SHA-256, it says that this was not held against it', async () => {
    suite.server.reset({ linked: sha256(suite.weights) });
    const got = await suite.load({ room: 2_000_000 });
    expect(got).toMatchObject({ ...whole(), kept: false, confirmed: false });
    expect(got.said.at(-1)).toBe('someone/model is not kept, so it was not held against its published SHA-256.');
  });

  it('from the start, the same', async () => {
    await quota(4_000_000);
    const got = await suite.load();
    expect(got).toMatchObject({ ...whole(), kept: false, said: ['The browser gives no more room. The model loads, but is not kept.'] });
    expect(await suite.call('list', 'opfs')).toEqual([]);
  });

  it('half-way, the same', async () => {
    suite.server.reset({ slow: 15 });
    const loading = suite.load({ ids: null });
    await expect.poll(() => suite.server.sent).toBeGreaterThan(1e6);
    await quota(1_000_000);
    const got = await loading;
    expect(got).toMatchObject({ ...whole(), kept: false, said: ['The browser gives no more room. The model loads, but is not kept.'] });
    expect(await suite.call('list', 'opfs')).toEqual([]);
  });

  it('in memory, a model of this size is kept until the worker ends', async () => {
    expect(await suite.load({ shelf: 'memory' })).toMatchObject({ ...whole(), kept: true });
    expect(await suite.call('list', 'memory')).toEqual([]);
    expect(await suite.load({ shelf: 'none' })).toMatchObject({ ...whole(), kept: false });
  });
});

describe('a file that was changed between two visits', () => {
  it('by its ETag: what was kept of it goes', async () => {
    await suite.load({ abortAfter: 3_000_000 });
    suite.server.reset({ changeAfter: 0 });
    const got = await suite.load();
    expect(got).toMatchObject({ error: null, hashes: [sha256(otherVersion(suite.weights))], store: 0 });
    expect(got.said.join()).toContain('was changed since it was last read');
  });

  it('by its header, where no ETag can be read', async () => {
    suite.server.reset({ mute: true });
    await suite.load({ abortAfter: 3_000_000 });
    // The same tensors, told in another order of words.
    const words = JSON.parse(headerOf(suite.weights).toString());
    const text = Buffer.from(JSON.stringify({ ...words, __metadata__: { format: 'tp' } }));
    const other = Buffer.concat([suite.weights.subarray(0, 8), text, suite.weights.subarray(8 + text.length)]);
    expect(other.length).toBe(suite.weights.length);
    suite.server.files.set('model.safetensors', other);
    try {
      const got = await suite.load();
      expect(got).toMatchObject({ error: null, hashes: [sha256(other)], store: 0 });
      expect(got.said.join()).toContain('was changed since it was last read');
    } finally {
      suite.server.files.set('model.safetensors', suite.weights);
    }
  });
});

describe('what a host learns', () => {
  const table = () => tensorsOf(headerOf(suite.weights)).find(({ name }) => name === 'wte.weight')!;
  const row = 4 * 64;
  /** Where the requests begin that begin within the token table. */
  const beginnings = () =>
    suite.server.asked.map(({ range }) => Number(/=(\d+)-/.exec(range)?.[1] ?? 0)).filter((begin) => begin > table().begin && begin < table().end);
  const known = 65_536; // what the first request brought, with the header

  it('of the book’s own sentence: its rows, first; the first layer comes with a fraction of the bytes', async () => {
    const got = await suite.load({ ids: [3000, 1000, 3001, 1000, 19_999] });
    expect(got).toMatchObject(whole());
    expect(beginnings().sort((a, b) => a - b)).toEqual([known, ...[1000, 3000, 19_999].map((id) => table().begin + id * row)].sort((a, b) => a - b));
    const firstLayer = 4 * (64 * 192 + 192 + 128);
    expect(got.untilFirst).toBe(firstLayer + row * (4 + 5));
  });

  it('of typed text: nothing, even after cuts', async () => {
    suite.server.reset({ cut: { after: 2_000_000, times: 2 } });
    const got = await suite.load({ ids: null });
    expect(got).toMatchObject(whole());
    // The table from its first byte that is missing, and after each cut from the byte reached.
    const [first, second, third, ...others] = beginnings();
    expect([first, others]).toEqual([known, []]);
    expect(second).toBeGreaterThan(known);
    expect(second).toBeLessThanOrEqual(known + 2_000_000);
    expect(third).toBeGreaterThan(second!);
    expect(third).toBeLessThanOrEqual(second! + 2_000_000);
    expect(suite.server.asked.map(({ range }) => range)).toContain(`bytes=${known}-${table().end - 1}`);
  });
});

describe('other places', () => {
  it('an address of a file, with its query, and of a folder', async () => {
    const url = `${suite.server.address}some/where/model.safetensors?key=1`;
    expect(await suite.load({ origin: { kind: 'address', url } })).toMatchObject({ ...whole(), name: 'where', kept: true });
    expect(await suite.load({ origin: { kind: 'kept', key: `address:${url}` } })).toMatchObject({ ...whole(), network: 0 });
    expect(await suite.load({ origin: { kind: 'address', url: `${suite.server.address}some/where` } })).toMatchObject(whole());
    expect(await suite.load({ origin: { kind: 'address', url: `${suite.server.address}x/other.safetensors` } })).toMatchObject({
      error: 'not_found', sentence: `There is no other.safetensors at ${new URL(suite.server.address).host}.`,
    });
  });

  it('shards', async () => {
    const { files } = suite.server;
    const { index, shards } = shardsOf(suite.weights);
    files.delete('model.safetensors');
    files.set('model.safetensors.index.json', index);
    for (const [name, bytes] of shards) files.set(name, bytes);
    try {
      for (const faults of [{}, { noRanges: true, mute: true }, { cut: { after: 1_000_000, times: 2 } }]) {
        suite.server.reset(faults);
        const got = await suite.load({ origin: { kind: 'hub', repo: 'someone/shards', revision: JSON.stringify(faults).length.toString() } });
        expect(got).toMatchObject({ error: null, hashes: shards.map(([, bytes]) => sha256(bytes)), kept: true });
      }
      files.delete(shards[1]![0]);
      expect(await suite.load({ shelf: 'none' })).toMatchObject({ error: 'not_found' });
    } finally {
      files.delete('model.safetensors.index.json');
      files.set('model.safetensors', suite.weights);
    }
  });
});

/** The same tensors in two files, turn by turn, and the index that names them. */
function shardsOf(file: Buffer): { index: Buffer; shards: [string, Buffer][] } {
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const tensors = tensorsOf(headerOf(file));
  const weight_map = Object.fromEntries(tensors.map(({ name }, at) => [name, names[at % 2]!]));
  const shards = names.map((shard): [string, Buffer] => {
    const mine = tensors.filter(({ name }) => weight_map[name] === shard);
    let end = 0;
    const header = mine.map(({ name, dtype, shape, ...place }) => [name, { dtype, shape, data_offsets: [end, (end += place.end - place.begin)] }]);
    const words = Buffer.from(JSON.stringify(Object.fromEntries(header)));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(words.length));
    return [shard, Buffer.concat([length, words, ...mine.map(({ begin, end: stop }) => file.subarray(begin, stop))])];
  });
  return { index: Buffer.from(JSON.stringify({ metadata: {}, weight_map })), shards };
}
