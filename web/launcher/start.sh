#!/bin/sh
# Serves the book on this machine. Another port: ./start.sh --port 8080
cd "$(dirname "$0")" || exit 1
if command -v python3 >/dev/null 2>&1; then exec python3 serve.py "$@"; fi
if command -v node >/dev/null 2>&1; then exec node serve.mjs "$@"; fi
echo "The book needs Python 3 or Node.js on this machine; neither was found." >&2
exit 1
