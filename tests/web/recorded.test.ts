// What is recorded about a model, computed anew by the native program and by the page's own measures: the same numbers
// from both, held against `lookback inside`; and a wrong number is told from a right one.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import { disagreement, readRecorded } from '../../web/compiler/recorded.ts';
import { check, type Claim } from '../../web/reader/recorded.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = process.env['LOOKBACK'] ?? join(root, 'build/native/lookback');
const little = join(root, 'web/public/models/little');
const folder = mkdtempSync(join(tmpdir(), 'lookback-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = 'When Mary and John went to the store, John gave a drink to';
const inside = (...more: string[]) => JSON.parse(execFileSync(program, ['inside', '--model', little, '--text', text, '--json', ...more], { encoding: 'utf8' }));

/** Claims about the little model, each with what `lookback inside` says. */
function littleClaims(): Claim[] {
  const { attention, lens } = inside('--head', '2.3', '--target', ' Mary');
  const [shares, mean] = [attention.heads[0].shares as number[], attention.mean as number[]];
  const from = shares.length - 1;
  const claims: Omit<Claim, 'id' | 'decimals'>[] = [
    { measure: 'share', layer: 2, head: 3, from: -1, to: 1, recorded: 100 * shares[1]! },
    { measure: 'share', layer: 2, head: 3, from, to: 0, recorded: 100 * shares[0]! },
    { measure: 'mean_share', from: -1, to: 1, recorded: 100 * mean[1]! },
    { measure: 'chance', layers_done: 4, at: -1, token: ' Mary', recorded: 100 * lens[4].target.probability },
    { measure: 'chance', layers_done: 2, at: -1, token: ' Mary', recorded: 100 * lens[2].target.probability },
    { measure: 'rank', layers_done: 4, at: -1, token: ' Mary', recorded: lens[4].target.rank },
    { measure: 'logit', layers_done: 4, at: -1, token: lens[4].top[0].id, recorded: lens[4].top[0].logit },
  ];
  return claims.map((claim, at) => ({ ...claim, id: `claim-${at}`, says: `claim ${at}`, text, decimals: 3 }));
}

function native(claims: unknown): { id: string; recorded: string; computed: string; same: boolean }[] {
  const file = join(folder, 'claims.json');
  writeFileSync(file, JSON.stringify({ claims }));
  return JSON.parse(execFileSync(program, ['claims', '--model', little, '--claims', file, '--json'], { encoding: 'utf8' })).claims;
}

describe('recorded numbers', () => {
  it('are computed anew by the native program, and a wrong one is told', () => {
    const claims = littleClaims();
    const rows = native(claims);
    expect(rows.map(({ id }) => id)).toEqual(claims.map(({ id }) => id));
    expect(rows.filter(({ same }) => !same)).toEqual([]);
    const wrong = native(claims.map((claim) => ({ ...claim, recorded: claim.recorded + 0.002 })));
    expect(wrong.filter(({ same }) => same)).toEqual([]);
    const within = native(claims.map((claim) => ({ ...claim, recorded: claim.recorded + 0.002, within: 0.01 })));
    expect(within.filter(({ same }) => !same)).toEqual([]);
  });

  const reference = join(root, '../shared/data/gpt-nano-sort');
  it.skipIf(!existsSync(reference))('of gpt-nano-sort agree with another program’s (skipped where the reference data is absent)', () => {
    const bytes = readFileSync(join(reference, 'partials.safetensors'));
    const length = Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
    const key = (end: string) => Object.keys(header).find((name) => name === end || name.endsWith(`.${end}`))!;
    const number = (name: string, at: number) => bytes.readFloatLE(8 + length + header[key(name)].data_offsets[0] + 4 * at);
    const ids = Array.from({ length: 11 }, (_, at) => number('idx', at));
    const [heads, n] = [3, 11];
    const claims = [0, 1, 2].flatMap((head) =>
      [[10, 3], [10, 10], [4, 0]].map(([from, to]) => ({ id: `${head}-${from}-${to}`, says: 'a share', ids, measure: 'share', layer: 0, head, from, to, recorded: 100 * number('attSm', (head * n + from!) * n + to!), decimals: 3, within: 0.001 })),
    );
    expect(header[key('attSm')].shape).toEqual([3, heads, n, n]);
    const file = join(folder, 'nano.json');
    writeFileSync(file, JSON.stringify({ claims }));
    const rows = JSON.parse(execFileSync(program, ['claims', '--model', reference, '--claims', file, '--json'], { encoding: 'utf8' })).claims as { same: boolean }[];
    expect(rows).toHaveLength(9);
    expect(rows.filter(({ same }) => !same)).toEqual([]);
  });

  it('are the same by the page’s measures', async () => {
    const engine = buildEngine(nativeProgram(program, little), { wasm: join(root, 'build/wasm/wasm'), little });
    await engine.inUse();
    const { signal } = new AbortController();
    const claims = littleClaims();
    claims.push({ id: 'score', measure: 'score', layer: 2, head: 3, from: -1, to: 1, recorded: 0, decimals: 3, text });
    claims.push({ id: 'hardest', measure: 'hardest_share', layer: 2, from: -1, to: 1, recorded: 0, decimals: 3, text });
    const rows = native(claims.map((claim) => ({ says: claim.id, ...claim })));
    for (const [at, claim] of claims.entries()) {
      const { computed, same } = await check(engine, claim, signal);
      expect([claim.id, computed, same]).toEqual([claim.id, rows[at]!.computed, rows[at]!.same]);
    }
  });

  it.each([
    [{ claims: [{ id: 'x', says: 'x', text, measure: 'share', layer: 9, head: 0, from: -1, to: 0, recorded: 1 }] }, /“x” has “layer” 9; there are 4/],
    [{ claims: [{ id: 'x', says: 'x', text, measure: 'share', layer: 0, head: 0, from: 0, to: 1, recorded: 1 }] }, /“x” looks ahead/],
    [{ claims: [{ id: 'x', says: 'x', text, measure: 'mood', recorded: 1 }] }, /measure “mood”, which is not known/],
    [{ claims: [{ id: 'x', says: 'x', ids: [99999], measure: 'loss', recorded: 1 }] }, /Token id 99999/],
    [{ claim: [] }, /is not a file of claims/],
  ])('refuse what is no claim in one sentence: %#', (content, sentence) => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify(content));
    const { status, stderr } = spawnSync(program, ['claims', '--model', little, '--claims', file], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(sentence);
  });

  it('of GPT-2 have ids of their own and whole measures', async () => {
    const { claims } = JSON.parse(readFileSync(join(root, 'chapters/recorded.json'), 'utf8')) as { claims: Claim[] };
    expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
    expect(claims.length).toBeGreaterThan(100);
    for (const claim of claims) expect(claim.text !== undefined || claim.ids !== undefined, claim.id).toBe(true);

    const known = await readRecorded(join(root, 'chapters/recorded.json'));
    expect(disagreement(known, 'drink-score-mary', '4.25')).toBeNull();
    expect(disagreement(known, 'drink-share-mary', '36 %')).toBeNull();
    expect(disagreement(known, 'drink-share-mary', '37 %')).toMatch(/not what recorded\.json has/);
    expect(disagreement(known, 'drink', '36 %')).toMatch(/no claim "drink"/);
  });
});
