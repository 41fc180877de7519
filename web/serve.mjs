// Serves the built site on this machine, with the headers that a good host would set.
//
//   node serve.mjs [--port 8000] [--host 127.0.0.1] [--dir web/dist]

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sirv from 'sirv';

const here = dirname(fileURLToPath(import.meta.url));
/** In the zip of the book this program lies beside a folder `book`. */
const site = existsSync(join(here, 'book')) ? 'book' : 'dist';

function stop(sentence, code = 1) {
  console.error(sentence);
  process.exit(code);
}

function readOptions() {
  try {
    const texts = { port: '8000', host: '127.0.0.1', dir: join(here, site) };
    return parseArgs({ options: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { type: 'string', default: text }])) }).values;
  } catch (error) {
    return stop(`${error.message.split('\n')[0].replace(/\.?$/, '.')} Use --port NUMBER, --host ADDRESS and --dir FOLDER.`, 2);
  }
}

const options = readOptions();
const port = Number(options.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) stop(`--port must be a whole number from 0 to 65535, not "${options.port}".`, 2);
const folder = resolve(options.dir);
if (!existsSync(join(folder, 'index.html'))) stop(`There is no site in ${folder}: build it first.`);

// Isolation is what allows several threads; a page without it runs on one.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Figures in pages of others fetch scripts, fonts, the engine and the little model from here.
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

// Scripts need the policy too: a worker takes it from its own response.
const page = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;
const policy = page.exec(readFileSync(join(folder, 'index.html'), 'utf8'))?.[1].replaceAll('&#x27;', "'");
if (policy) headers['Content-Security-Policy'] = policy;

// In `dev` mode sirv looks at the disk for each request, so a new build is served without a restart.
const files = sirv(folder, {
  dev: true,
  etag: true,
  setHeaders(response, path) {
    if (path.endsWith('.wasm')) response.setHeader('Content-Type', 'application/wasm');
    if (path.endsWith('.mjs')) response.setHeader('Content-Type', 'text/javascript;charset=utf-8');
    if (path.endsWith('.safetensors')) response.setHeader('Content-Type', 'application/octet-stream');
    // The little model's folder is named after its content.
    response.setHeader('Cache-Control', /\/models\/little-\w+\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  },
});

const server = createServer((request, response) => {
  // Before sirv answers: its 304 would go without them, and WebKit starts no worker whose 304 lacks the isolation's header.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  files(request, response, () => {
    response.writeHead(404, { 'Content-Type': 'text/plain;charset=utf-8' }).end('There is no such page in the book.\n');
  });
});
server.on('error', (error) => {
  if (error.code === 'EADDRINUSE') stop(`Port ${port} is in use: choose another one with --port NUMBER.`);
  if (error.code === 'EACCES') stop(`Port ${port} needs more rights: choose one above 1023 with --port NUMBER.`);
  stop(`The server does not start: ${error.message}.`);
});
const name = options.host === '127.0.0.1' ? 'localhost' : options.host;
server.listen(port, options.host, () => console.log(`The book is open at http://${name}:${server.address().port}/ (end with Ctrl+C).`));
