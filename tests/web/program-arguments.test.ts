// `lookback`: numbers on its command line are decimal, and what it refuses it names in one line.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const program = process.env['LOOKBACK'] ?? fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
const little = fileURLToPath(new URL('../../web/public/models/little', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lookback-arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });
function refusal(...args: string[]): string {
  const { status, stdout, stderr } = run(...args);
  expect({ status, stdout, lines: stderr.split('\n').length }).toEqual({ status: 2, stdout: '', lines: 2 });
  return stderr.replace(/^lookback: /, '').replace(/ \(lookback --help lists what there is\)\n$/, '').trim();
}
const model = ['--model', little, '--text', 'The dog chased the cat.'];
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout) as Record<string, unknown>;

test('a leading zero does not make a number octal', () => {
  expect(json('inside', ...model, '--positions', 'shuffled', '--seed', '010')['edits']).toMatchObject({ seed: 10 });
  expect(json('inside', ...model, '--positions', 'shuffled', '--seed', '10')['fingerprint']).toBe(json('inside', ...model, '--positions', 'shuffled', '--seed', '010')['fingerprint']);
  expect((json('inside', ...model, '--top', '08')['lens'] as { top: unknown[] }[])[0]!.top).toHaveLength(8);
  expect(json('generate', ...model, '--length', '010')['ids']).toHaveLength((json('generate', ...model, '--length', '0')['prompt_tokens'] as number) + 10);
});

test('what is no number of the option is refused, and the option named', () => {
  expect(refusal('inside', ...model, '--seed', '0x10')).toBe('--seed takes a whole number from 0 to 4294967295, not “0x10”');
  for (const seed of ['-1', '4294967296', '1e3', '1.5', '', ' 1', '9'.repeat(400)]) {
    expect(refusal('inside', ...model, `--seed=${seed}`), seed).toMatch(/^--seed\b/);
  }
  expect(refusal('train', '--out', join(folder, 'none'), '--seed=-1')).toBe('--seed takes a whole number from 0 to 18446744073709551615, not “-1”');
  expect(refusal('inside', ...model, '--threads', '65')).toBe('--threads takes a whole number from 1 to 64, not “65”');
  expect(refusal('report', '--model', little, '--cases', '0')).toBe('--cases takes a whole number from 1 to 100000, not “0”');
  expect(refusal('generate', ...model, '--temperature', '0x1')).toBe('--temperature takes a number such as 0.5, not “0x1”');
  expect(refusal('generate', ...model, '--top-p', 'nan')).toBe('--top-p takes a number such as 0.5, not “nan”');
});

test('no position is taken for “the last”', () => {
  expect(refusal('inside', ...model, '--from=-2147483648')).toMatch(/^--from -2147483648 is not a position of this text; expected 0 to \d+\.$/);
  expect(refusal('inside', ...model, '--from=-2147483649')).toBe('--from takes a whole number from -2147483648 to 2147483647, not “-2147483649”');
});

test('a comparison tells the seed of its shuffle', () => {
  const shuffled = ['compare', ...model, '--against', 'The cat chased the dog.', '--positions', 'shuffled', '--seed', '7'];
  expect(json(...shuffled)).toMatchObject({ positions: 'shuffled', seed: 7 });
  expect(run(...shuffled).stdout).toMatch(/^What if: positions shuffled, seed 7\n/);
});

test('signs that turn a line around are shown, not obeyed', () => {
  expect(refusal('\u202Etxt\n')).toBe('there is no command "⟨U+202E⟩txt↵"');
  expect(refusal('inside', '--model', '/no\u202E/such', '--text', 'a')).toContain('“/no⟨U+202E⟩/such” is not a folder');
  expect(refusal('inside', ...model, '--save-trace', '/no\u202E/such')).toBe('/no⟨U+202E⟩/such could not be written.');
});

test('of a vocabulary of one file the sentence names the one that is missing', () => {
  for (const name of ['config.json', 'model.safetensors', 'vocab.json']) copyFileSync(join(little, name), join(folder, name));
  expect(refusal('inside', '--model', folder, '--ids', '1,2')).toBe(`There is no file “${join(folder, 'merges.txt')}”.`);
  rmSync(join(folder, 'vocab.json'));
  copyFileSync(join(little, 'merges.txt'), join(folder, 'merges.txt'));
  expect(refusal('inside', '--model', folder, '--ids', '1,2')).toBe(`There is no file “${join(folder, 'vocab.json')}”.`);
  copyFileSync(join(little, 'merges.txt'), join(folder, 'vocab.bpe'));
  rmSync(join(folder, 'merges.txt'));
  expect(refusal('inside', '--model', folder, '--ids', '1,2')).toMatch(/There is no file “.*encoder\.json”\./);
});
