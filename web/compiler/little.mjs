// The little model that the site ships: found, measured, and given a folder whose name depends on its content, so that
// a cache never mixes the files of two models. As an esbuild plugin it answers the import of 'models:little'.

import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const littleFiles = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];

/** @param {string} source its folder @returns {Promise<{ source: string, folder: string, bytes: number }>} */
export async function findLittle(source) {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of littleFiles) {
    const content = await readFile(join(source, name)).catch(() => {
      throw new Error(`The little model has no ${name}: ${source} was expected to hold ${littleFiles.join(', ')}.`);
    });
    hash.update(`${name} ${content.length}\n`).update(content);
    bytes += content.length;
  }
  return { source, folder: `models/little-${hash.digest('hex').slice(0, 8)}/`, bytes };
}

/** Copies the files into a site. @param {Awaited<ReturnType<typeof findLittle>>} little @param {string} site */
export async function copyLittle({ source, folder }, site) {
  for (const name of littleFiles) await cp(join(source, name), join(site, folder, name));
}

/** @param {() => Awaited<ReturnType<typeof findLittle>>} little asked at each build @returns {import('esbuild').Plugin} */
export function littlePlugin(little) {
  return {
    name: 'models:little',
    setup(build) {
      build.onResolve({ filter: /^models:little$/ }, ({ path }) => ({ path, namespace: 'models' }));
      build.onLoad({ filter: /.*/, namespace: 'models' }, () => {
        const { folder, bytes } = little();
        return { contents: `export default ${JSON.stringify({ folder, bytes })};`, loader: 'js' };
      });
    },
  };
}
