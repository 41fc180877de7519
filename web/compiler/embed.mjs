// The style sheet of figures in pages of others, as one text: the book's, without what only its pages have. As an esbuild
// plugin it answers the import of 'styles:embed'.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

/** Sheets that say nothing about figures. A shadow tree brings no fonts. */
const ofPages = ['temml/dist/Temml-Local.css', './fonts.css', './layout.css', './notes.css', './questions.css', './around.css', './offline.css'];

/** @param {string} web the folder web @returns {Promise<string>} */
export async function embedSheet(web) {
  const book = await readFile(join(web, 'styles/book.css'), 'utf8');
  const sheets = Array.from(book.matchAll(/@import '([^']+)';/g), ([, sheet]) => sheet).filter((sheet) => !ofPages.includes(sheet));
  const contents = [...sheets, './embed.css'].map((sheet) => `@import '${sheet}';`).join('\n');
  const stdin = { contents, loader: 'css', resolveDir: join(web, 'styles') };
  const { outputFiles } = await esbuild.build({ stdin, bundle: true, write: false, logLevel: 'warning' });
  const { code } = await esbuild.transform(ofOneRoom(outputFiles[0].text), { loader: 'css', minify: true });
  return code.trim();
}

/**
 * `:root` is the figure's room, rem are px, as the letters of the page around may have any size, and widths of the screen
 * are widths of the room. @param {string} sheet @returns {string}
 */
export function ofOneRoom(sheet) {
  return sheet
    .replace(/:root\b/g, '.embed')
    .replace(/(\d*\.?\d+)rem\b/g, (_, number) => `${Number((Number(number) * 16).toFixed(3))}px`)
    .replace(/@media (\((?:min|max)-width: \d+px\))(?= *\{)/g, '@container $1');
}

/** @param {string} web @returns {import('esbuild').Plugin} */
export function embedStyles(web) {
  return {
    name: 'styles:embed',
    setup(build) {
      build.onResolve({ filter: /^styles:embed$/ }, ({ path }) => ({ path, namespace: 'styles' }));
      build.onLoad({ filter: /.*/, namespace: 'styles' }, async () => ({ contents: `export default ${JSON.stringify(await embedSheet(web))};`, loader: 'js' }));
    },
  };
}
