// The native program at build time. Each different question is asked once; a training, which takes seconds, once for
// each program: its answer is kept beside it.

import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError, type LessonName } from '../engine/types.ts';
import type { Lessons } from '../engine/lessons.ts';

export interface NativeProgram {
  /** A toy world of core/lessons. */
  lesson<N extends LessonName>(name: N, input: Lessons[N]['input']): Promise<Lessons[N]['output']>;
  /**
   * What a command says of the little model, as its --json has it: `command('inside', { text: 'Hello', from: 0 })` runs
   * `lookback inside --model … --json --text Hello --from 0`. A list gives its option several times.
   */
  command(name: string, options: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** What one of the smallest models has learned after input's "steps", and its curve: core/train/practice_json.hpp. */
  practice(name: string, input: object): Promise<unknown>;
}

/** `path` of the program, `little` of the folder with the little model. */
export function nativeProgram(path: string, little: string): NativeProgram {
  const answers = new Map<string, Promise<any>>();
  const once = (args: string[], input: string, what: string): Promise<any> => {
    const key = JSON.stringify([args, input]);
    let answer = answers.get(key);
    if (!answer) answers.set(key, (answer = ask(path, args, input, what)));
    return answer;
  };
  let hash: Promise<string> | undefined;
  const trained = new Map<string, Promise<unknown>>();
  const keptPractice = (name: string, input: string): Promise<unknown> => {
    const key = JSON.stringify([name, input]);
    if (!trained.has(key)) trained.set(key, findOrTrain(name, input));
    return trained.get(key)!;
  };
  async function findOrTrain(name: string, input: string): Promise<unknown> {
    hash ??= readFile(path).then((bytes) => createHash('sha256').update(bytes).digest('hex'));
    const question = createHash('sha256').update(`${await hash}\n${name}\n${input}`).digest('hex');
    const file = join(dirname(path), 'answers', `${question}.json`);
    const kept = await readFile(file, 'utf8').catch(() => null);
    if (kept !== null) return JSON.parse(kept);
    const answer = await ask(path, ['practice', name], input, `practice ${name}`);
    await mkdir(dirname(file), { recursive: true });
    // Another build may ask the same at the same time; a file is there whole or not at all.
    const fresh = `${file}.${process.pid}`;
    await writeFile(fresh, JSON.stringify(answer));
    await rename(fresh, file);
    return answer;
  }
  return {
    lesson: (name, input) => once(['lesson', name], JSON.stringify(input ?? {}), `lesson ${name}`),
    practice: (name, input) => keptPractice(name, JSON.stringify(input)),
    command: (name, options) => once([name, '--model', little, '--json', ...argumentsOf(options)], '', name),
  };
}

function argumentsOf(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([key, value]) => [value].flat().flatMap((one) => [`--${key}`, String(one)]));
}

function ask(program: string, args: string[], input: string, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (sentence: string) => reject(new EngineError('native', sentence));
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', (error) => fail(`The native program ${program} does not start: ${error.message}.`));
    // A program that ends before it has read everything closes the pipe; its own sentence is the better report.
    child.stdin.on('error', () => {});
    child.on('close', (code) => {
      if (code !== 0) return fail(err.trim() || out.trim() || `${what} ended with code ${code}.`);
      try {
        resolve(JSON.parse(out));
      } catch {
        fail(`${what} did not answer with JSON but with "${out.slice(0, 80)}".`);
      }
    });
    child.stdin.end(input);
  });
}
