// The two copies that readers take of the book: the one that their browser keeps, and the zip for classrooms.

import { createHash } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { zipSync } from 'fflate';

const web = dirname(fileURLToPath(import.meta.url));

/** Files below `site` with their content, in the order of their places; without maps, which only developers ask for, and the zip. */
async function filesIn(site) {
  const places = (await readdir(site, { recursive: true })).map((place) => place.replaceAll('\\', '/')).sort();
  const files = [];
  for (const place of places) {
    if (/\.(map|zip)$/.test(place) || (await stat(join(site, place))).isDirectory()) continue;
    files.push({ place, content: await readFile(join(site, place)) });
  }
  return files;
}

/** What no page of the book fetches: figures in pages of others, the picture of the README, and the service worker itself. */
const isOfOthers = (place) => /^(embed\.js|book\.png|service-worker\.js|assets\/embed-[^/]*)$/.test(place);
/** The name changes with the content, so that what the page has fetched already is the same. */
const isNamedByContent = (place) => /^assets\/.*-[0-9A-Z]{8}\.\w+$|^models\/little-/.test(place);

/**
 * The service worker, which knows every file of the site with its hash. `common`: esbuild's options for browser scripts.
 * While a site is written on (`empty`) it keeps nothing, so that each reload shows what was written.
 */
export async function writeServiceWorker(site, common, empty) {
  const kept = empty ? [] : (await filesIn(site)).filter(({ place }) => !isOfOthers(place));
  const files = kept.map(({ place, content }) => {
    const hash = createHash('sha256').update(content);
    const integrity = `sha256-${hash.copy().digest('base64')}`;
    return { url: place, revision: isNamedByContent(place) ? null : hash.digest('hex').slice(0, 16), integrity };
  });
  const bytes = kept.reduce((sum, { content }) => sum + content.length, 0);
  await esbuild.build({
    ...common,
    format: 'iife',
    target: 'es2022',
    minify: true,
    entryPoints: [join(web, 'reader/service-worker.ts')],
    outfile: join(site, 'service-worker.js'),
    define: { 'process.env.NODE_ENV': '"production"', EDITION: JSON.stringify({ files, bytes }) },
  });
}

/** lookback.zip: the site in a folder `book`, with what serves it on a machine that has Python 3 or Node.js. */
export async function writeZip(site) {
  const entries = {};
  for (const { place, content } of await filesIn(site)) entries[`lookback/book/${place}`] = content;
  const text = (name) => readFile(join(web, 'launcher', name), 'utf8');
  const { outputFiles } = await esbuild.build({
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node18',
    minify: true,
    write: false,
    logLevel: 'warning',
    entryPoints: [join(web, 'serve.mjs')],
  });
  const utf8 = (words) => new TextEncoder().encode(words);
  const program = (content) => [content, { attrs: 0o100755 << 16 }];
  entries['lookback/READ ME FIRST.txt'] = utf8((await text('read-me-first.txt')).replaceAll('\n', '\r\n'));
  entries['lookback/serve.mjs'] = outputFiles[0].contents;
  entries['lookback/serve.py'] = program(utf8(await text('serve.py')));
  entries['lookback/start.sh'] = program(utf8(await text('start.sh')));
  entries['lookback/start.bat'] = utf8((await text('start.bat')).replaceAll('\n', '\r\n'));
  // The earliest time that a zip can tell, on every clock: the same site gives the same bytes.
  const zip = zipSync(entries, { level: 6, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 });
  await writeFile(join(site, 'lookback.zip'), zip);
}
