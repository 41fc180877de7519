// `lookback train`: a training that is killed at any moment and taken up again ends with the same files.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const program = process.env['LOOKBACK'] ?? fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lookback-train-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STEPS = 5;
const files = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
const read = (name: string) => files.map((file) => readFileSync(join(folder, name, file)).toString('base64'));
const train = (name: string, ...more: string[]) =>
  execFileSync(program, ['train', '--out', join(folder, name), '--steps', String(STEPS), ...more], { stdio: 'pipe' });


/** Resolves when the program ends or has been killed; kills it as soon as its state file changes. */
function killedAfterOneState(state: string): Promise<boolean> {
  return new Promise((resolve) => {
    const before = existsSync(state) ? readFileSync(state) : Buffer.alloc(0);
    const child: ChildProcess = spawn(program, [
      ...['train', '--out', join(folder, 'killed'), '--steps', String(STEPS), '--state', state, '--save-every', '1'],
    ]);
    const watch = setInterval(() => {
      if (existsSync(state) && !readFileSync(state).equals(before)) child.kill('SIGKILL');
    }, 5);
    child.on('exit', (code) => {
      clearInterval(watch);
      resolve(code !== 0);
    });
  });
}

test('killed again and again, with one thread or two, it ends with the same bytes', async () => {
  train('whole', '--threads', '2');
  train('stopped', '--threads', '1', '--state', join(folder, 'stopped.state'), '--stop-after', '2');
  train('stopped', '--threads', '1', '--state', join(folder, 'stopped.state'));
  expect(read('stopped')).toEqual(read('whole'));

  const state = join(folder, 'killed.state');
  let kills = 0;
  while (await killedAfterOneState(state)) {
    kills += 1;
    expect(kills).toBeLessThanOrEqual(STEPS + 1);
  }
  expect(kills).toBeGreaterThan(0);
  expect(read('killed')).toEqual(read('whole'));
}, 180_000);

test('a state of another training is refused in one line, and stays as it is', () => {
  const state = join(folder, 'foreign.state');
  writeFileSync(state, 'something else');
  let message = '';
  let status = 0;
  try {
    train('foreign', '--state', state);
  } catch (reason) {
    const failure = reason as { status: number; stderr: Buffer };
    status = failure.status;
    message = failure.stderr.toString();
  }
  expect(status).toBe(2);
  expect(message).toBe(`lookback: ${state}: The saved state belongs to another recipe, or a part of it is missing.\n`);
  expect(readFileSync(state, 'utf8')).toBe('something else');
  expect(existsSync(join(folder, 'foreign'))).toBe(false);
});
