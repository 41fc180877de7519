// A host that misbehaves, fault by fault: either every byte is right in the end, or one sentence says what came instead;
// and whatever happened, the next load from a good host gives the right bytes.

import { expect, it } from 'vitest';
import { type Faults, otherVersion } from './faulty-server.ts';
import type { Order } from './remote-worker.ts';
import { remoteSuite, sha256 } from './remote-suite.ts';

const suite = remoteSuite();

interface Row {
  fault: string;
  faults: () => Faults;
  order?: Partial<Order>;
  /** Null: the bytes are right. */
  error?: string;
  /** A part of the last sentence: the error's, or what was said on the way. */
  says?: string;
  kept?: boolean;
  confirmed?: boolean;
}

const rows: Row[] = [
  { fault: 'none', faults: () => ({}) },
  { fault: 'none, and the hash is told', faults: () => ({ linked: sha256(suite.weights) }), confirmed: true, says: 'SHA-256 is the published one' },
  { fault: 'cut three times', faults: () => ({ cut: { after: 700_000, times: 3 } }), says: 'it goes on from there' },
  { fault: 'cut again and again, each time further', faults: () => ({ cut: { after: 400_000 } }), says: 'it goes on from there' },
  { fault: 'cut before the first byte, always', faults: () => ({ cut: { after: 0 } }), error: 'unreachable', says: 'could not be reached' },
  { fault: 'no ranges', faults: () => ({ noRanges: true }) },
  { fault: 'no ranges, and cut in the middle', faults: () => ({ noRanges: true, cut: { after: 3_000_000, times: 2 } }), says: 'it goes on from there' },
  { fault: 'no ranges, nothing readable', faults: () => ({ noRanges: true, mute: true }) },
  { fault: 'no header readable', faults: () => ({ mute: true }) },
  { fault: 'no header readable, and cut', faults: () => ({ mute: true, cut: { after: 900_000, times: 4 } }), says: 'it goes on from there' },
  { fault: 'changed half-way', faults: () => ({ changeAfter: 6 }), says: 'was changed while it was read' },
  { fault: 'changed half-way while cut', faults: () => ({ changeAfter: 8, cut: { after: 300_000 } }), says: 'goes on from there' },
  { fault: 'a redirect that expires', faults: () => ({ redirect: { goodFor: 4 } }), says: 'it goes on from there' },
  { fault: 'a redirect that expires at once, always', faults: () => ({ redirect: { goodFor: 0 } }), error: 'unreachable', says: 'could not be reached' },
  { fault: 'HTML', faults: () => ({ instead: 'html' }), error: 'bad_file', says: 'HTML' },
  { fault: 'a Git LFS pointer', faults: () => ({ instead: 'lfs' }), error: 'bad_file', says: 'LFS pointer' },
  { fault: 'a JSON error', faults: () => ({ instead: 'json' }), error: 'bad_file', says: 'JSON' },
  { fault: 'truncated', faults: () => ({ truncated: 5000 }), error: 'bad_file', says: 'cut short' },
  { fault: 'truncated, nothing readable', faults: () => ({ truncated: 5000, mute: true }), error: 'bad_file', says: 'shorter than its beginning promises' },
  { fault: 'truncated, no ranges', faults: () => ({ truncated: 5000, mute: true, noRanges: true }), error: 'bad_file', says: 'truncated' },
  { fault: 'one flipped bit, once', faults: () => ({ linked: sha256(suite.weights), flip: { at: suite.weights.length - 90, times: 12 } }), confirmed: true, says: 'SHA-256' },
  { fault: 'one flipped bit, always', faults: () => ({ linked: sha256(suite.weights), flip: { at: suite.weights.length - 90 } }), error: 'damaged', says: 'It is not used' },
  { fault: 'slow', faults: () => ({ slow: 20 }) },
  { fault: 'silent for too long', faults: () => ({ slow: 1500 }), order: { silence: 300 }, error: 'unreachable', says: 'fell silent' },
  { fault: 'busy (429)', faults: () => ({ busy: { status: 429, times: 3 } }) },
  { fault: 'busy (503), always', faults: () => ({ busy: { status: 503, times: Infinity } }), error: 'unreachable', says: 'was busy (status 503), 4 times' },
];

function expectPolite(): void {
  for (const { method, range, headers } of suite.server.asked) {
    expect(method).toBe('GET');
    expect(range).toMatch(/^(bytes=\d+-\d+)?$/);
    expect(headers).toEqual([]);
  }
}

/** The bytes that the server gives now. */
const truth = () => sha256(suite.server.faults.changeAfter === undefined ? suite.weights : otherVersion(suite.weights));

it.each(rows)('$fault', async ({ faults, order, error, says, kept, confirmed }) => {
  suite.server.reset(faults());
  const got = await suite.load(order);
  expect(got.error, got.sentence ?? '').toBe(error ?? null);
  expectPolite();
  const said = [...got.said, got.sentence].join('\n');
  if (says) expect(said).toContain(says);
  else expect(said).toBe('');
  if (!error) {
    expect(got.hashes).toEqual([truth()]);
    expect(got).toMatchObject({ kept: kept ?? true, confirmed: confirmed ?? false });
  }

  // A good host after it: nothing of the fault is left, and what was kept whole needs no network.
  const changed = suite.server.faults.changeAfter !== undefined;
  suite.server.reset(changed ? { changeAfter: 0 } : {});
  const again = await suite.load();
  expect(again.error, again.sentence ?? '').toBeNull();
  expect(again.hashes).toEqual([truth()]);
  if (!error) expect(suite.server.asked).toEqual([]);
});
