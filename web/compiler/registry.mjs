// The figures of the book, found and not listed: every file of web/figures that exports `figure`. As an esbuild plugin
// it answers the import of 'figures:registry'.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of the figures, sorted. @param {string} web the folder web */
export async function figureNames(web) {
  const folder = join(web, 'figures');
  const names = [];
  for (const file of (await readdir(folder)).sort()) {
    if (!file.endsWith('.ts')) continue;
    if (/^export const figure\b/m.test(await readFile(join(folder, file), 'utf8'))) names.push(file.slice(0, -3));
  }
  return names;
}

/** @param {string} web @returns {import('esbuild').Plugin} */
export function figureRegistry(web) {
  return {
    name: 'figures:registry',
    setup(build) {
      build.onResolve({ filter: /^figures:registry$/ }, ({ path }) => ({ path, namespace: 'figures' }));
      build.onLoad({ filter: /.*/, namespace: 'figures' }, async () => {
        const lines = (await figureNames(web)).map((name) => `  ${JSON.stringify(name)}: () => import('./figures/${name}.ts'),`);
        return { contents: `export default {\n${lines.join('\n')}\n};`, loader: 'js', resolveDir: web };
      });
    },
  };
}
