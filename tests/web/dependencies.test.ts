// Every dependency has one exact version, the lock files have the same one, and web/licences.md names what the site is made with.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const json = async (...place: string[]) => JSON.parse(await readFile(join(root, ...place), 'utf8'));
const wanted = async (part: string): Promise<Record<string, string>> => {
  const { dependencies, devDependencies } = await json(part, 'package.json');
  return { ...dependencies, ...devDependencies };
};

describe.each(['web', 'tests'])('%s', (part) => {
  it('asks for exact versions, and its lock file has them', async () => {
    const asked = await wanted(part);
    const lock = await json(part, 'package-lock.json');
    expect(Object.keys(asked).length).toBeGreaterThan(0);
    for (const [name, version] of Object.entries(asked)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
    expect({ ...lock.packages[''].dependencies, ...lock.packages[''].devDependencies }).toEqual(asked);
  });
});

it('both lock files have the same version of what both ask for', async () => {
  const [web, tests] = [await wanted('web'), await wanted('tests')];
  for (const name of Object.keys(web)) if (name in tests) expect(tests[name], name).toBe(web[name]);
});

it('the list of licences holds each direct dependency of the site, as its package says', async () => {
  const rows = [...(await readFile(join(root, 'web/licences.md'), 'utf8')).matchAll(/^\| (\S+) \| (\d\S*) \| (.+) \|$/gm)].map(([, ...row]) => row);
  const names = Object.keys(await wanted('web'));
  const truth = await Promise.all(names.map(async (name) => {
    const { version, license } = await json('web/node_modules', name, 'package.json');
    return [name, version, license];
  }));
  expect(rows).toEqual(truth);
});
