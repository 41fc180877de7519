#!/usr/bin/env python3
"""Serves the book in the folder beside this file: python3 serve.py [--port 8000] [--host 127.0.0.1]"""

import argparse
import errno
import html
import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BOOK = Path(__file__).resolve().parent / 'book'

# Isolation is what allows several threads; a page without it runs on one.
HEADERS = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
}

TYPES = {
    '.html': 'text/html;charset=utf-8',
    '.js': 'text/javascript;charset=utf-8',
    '.mjs': 'text/javascript;charset=utf-8',
    '.css': 'text/css;charset=utf-8',
    '.json': 'application/json',
    '.txt': 'text/plain;charset=utf-8',
    '.wasm': 'application/wasm',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.woff2': 'font/woff2',
    '.zip': 'application/zip',
    '': 'application/octet-stream',
}


class Handler(SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version = 'lookback'
    sys_version = ''

    # What the machine believes about endings does not count: some take .js for plain text.
    def guess_type(self, path):
        return TYPES.get(Path(path).suffix.lower(), TYPES[''])

    def end_headers(self):
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def list_directory(self, path):
        self.send_error(404)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # On Windows a port that is in use could be taken a second time.
    allow_reuse_address = sys.platform != 'win32'


class Parser(argparse.ArgumentParser):
    def error(self, message):
        sys.exit(stop(f'{message[0].upper()}{message[1:]}. Use --port NUMBER and --host ADDRESS.', 2))


def stop(sentence, code=1):
    print(sentence, file=sys.stderr)
    return code


def main():
    parser = Parser(description=__doc__, add_help=True)
    parser.add_argument('--port', default='8000')
    parser.add_argument('--host', default='127.0.0.1')
    options = parser.parse_args()
    if not re.fullmatch(r'\d{1,5}', options.port) or int(options.port) > 65535:
        return stop(f'--port must be a whole number from 0 to 65535, not "{options.port}".', 2)
    port = int(options.port)
    if not (BOOK / 'index.html').is_file():
        return stop(f'There is no book in {BOOK}: unpack the whole zip first.')

    # Scripts need the policy too: a worker takes it from its own response.
    page = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', (BOOK / 'index.html').read_text('utf-8'))
    if page:
        HEADERS['Content-Security-Policy'] = html.unescape(page.group(1))

    try:
        server = Server((options.host, port), partial(Handler, directory=str(BOOK)))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return stop(f'Port {port} is in use: choose another one with --port NUMBER.')
        if error.errno == errno.EACCES:
            return stop(f'Port {port} needs more rights: choose one above 1023 with --port NUMBER.')
        return stop(f'The server does not start: {error}.')
    name = 'localhost' if options.host == '127.0.0.1' else options.host
    print(f'The book is open at http://{name}:{server.server_address[1]}/ (end with Ctrl+C).', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


sys.exit(main())
