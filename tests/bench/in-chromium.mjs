// Runs the WebAssembly build of core_bench in Chromium and prints what it prints.
//
//   node in-chromium.mjs FOLDER [OPTIONS OF core_bench]     FOLDER holds core_bench.js; CHROMIUM names the browser
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';

const { chromium } = createRequire(join(import.meta.dirname, '../package.json'))('playwright-core');
const [folder, ...options] = process.argv.slice(2);
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

// Threads need an isolated page.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const page = `<!doctype html><title>core_bench</title><script>
  const say = (line) => console.log(line);
  var Module = { arguments: ${JSON.stringify(options)}, print: say, printErr: say, onExit: (code) => say('exit ' + code), onAbort: () => say('exit 1') };
</script><link rel="icon" href="data:,"><script src="core_bench.js" onerror="say('exit 1')"></script>`;
const server = createServer((request, response) => {
  const file = join(folder, basename(request.url));
  const isPage = request.url === '/';
  if (!isPage && !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { ...headers, 'Content-Type': isPage ? 'text/html' : (types[extname(file)] ?? 'application/octet-stream') });
  if (isPage) response.end(page);
  else createReadStream(file).pipe(response);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const tab = await browser.newPage();
  process.exitCode = await new Promise((ended) => {
    tab.on('console', (message) => {
      const line = message.text();
      const exit = /^exit (\d+)$/.exec(line);
      if (exit) ended(Number(exit[1]));
      else console.log(line);
    });
    tab.on('crash', () => ended(1));
    tab.on('pageerror', (problem) => (console.log(problem.message), ended(1)));
    void tab.goto(`http://127.0.0.1:${server.address().port}/`);
  });
} finally {
  await browser.close();
  server.close();
}
