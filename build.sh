#!/usr/bin/env bash
# Builds, tests and serves Lookback. ./build.sh help lists the verbs.
set -euo pipefail
cd "$(dirname "$0")"

help() {
  cat <<'HELP'
./build.sh serve [--port N]   builds everything and serves the book on http://localhost:8000
./build.sh test               builds and runs every test; ends with "N passed, N failed"
./build.sh test --full        the same and the long ones, with GPT-2 small's real sizes
./build.sh dist               builds the static site in web/dist, and a zip of it with a launcher
./build.sh inside [OPTIONS]   looks inside a model: --model DIR --text "…" (--help for more)
./build.sh claims DIR          computes anew, from GPT-2's weights in DIR, what the book records about it
./build.sh train [OPTIONS]    trains the little model from nothing, or goes on where it was stopped (about half an hour)
./build.sh train --report     what the little model has learned, measured; kept in web/public/models/little/report.md
./build.sh bench --peers […]   the engine in Chromium beside other engines (half an hour, 3 GB; options: tests/bench/peers)
./build.sh bench [--quick]    how fast the core is here, natively and as WebAssembly, as ratios within one run
./build.sh clean              removes everything that was built
HELP
}

say() { part=$*; printf '\033[1m▸ %s\033[0m\n' "$*"; }
stop() { printf '%s\n' "$*" >&2; exit 2; }

# ---------------------------------------------------------------------------------------------- what must be installed

have() { command -v "$1" >/dev/null 2>&1; }
is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }

# Debian packages that are missing, for the given purposes.
missing_packages() {
  local package
  for package in cmake ninja-build libeigen3-dev doctest-dev nlohmann-json3-dev libcli11-dev; do
    is_installed "$package" || echo "$package"
  done
  have g++ || echo g++
  have emcc || echo emscripten
  have npm || echo npm
  have node || echo nodejs
  if [ "${1:-}" = test ]; then chromium_path >/dev/null || echo chromium; fi
}

install_missing() {
  have dpkg-query || stop "This script installs its tools on Debian and Ubuntu; elsewhere see the table in README.md."
  local missing apt
  missing=$(missing_packages "${1:-}" | xargs)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then apt="apt-get"
  elif have sudo && sudo -n true 2>/dev/null; then apt="sudo apt-get"
  else stop "Missing packages. Install them with: sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
  fi
  say "Installing $missing"
  $apt update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $apt install -y -qq --no-install-recommends $missing >build/install.log 2>&1 ||
    { tail -5 build/install.log >&2; stop "apt-get could not install: $missing (build/install.log)"; }
}

# Firefox and WebKit for the tests, where the distribution has them as packages; without them their tests say so.
install_more_browsers() {
  local missing="" package
  for package in firefox-esr webkit2gtk-driver xvfb xauth; do is_installed "$package" || missing="$missing $package"; done
  [ -n "$missing" ] && [ "$(id -u)" = 0 ] || return 0
  say "Installing$missing"
  # shellcheck disable=SC2086
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >build/install-browsers.log 2>&1 ||
    echo "  Not installed (build/install-browsers.log); tests in Firefox and WebKit are skipped."
}

# What some tests are run with, where root may install it; without it they say so.
install_wanted() { # log, packages
  local log=$1 missing="" package
  shift
  for package in "$@"; do is_installed "$package" || missing="$missing $package"; done
  [ -n "$missing" ] && [ "$(id -u)" = 0 ] || return 0
  say "Installing$missing"
  # shellcheck disable=SC2086
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 || true
}

# Node 20 or newer; Debian 12 has 18, so a newer one comes from npm into build/node.
use_node() {
  local version=22.23.5 system
  case "$(uname -m)" in x86_64) system=linux-x64 ;; aarch64) system=linux-arm64 ;; *) system= ;; esac
  if ! node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' 2>/dev/null; then
    [ -n "$system" ] || stop "Node.js 20 or newer is needed; $(node --version 2>/dev/null || echo none) was found."
    if [ ! -x "build/node/node_modules/node-$system/bin/node" ]; then
      say "Installing Node.js $version in build/node"
      npm install --silent --no-save --prefix build/node "node-$system@$version"
    fi
    export PATH="$PWD/build/node/node_modules/node-$system/bin:$PATH"
  fi
  # Debian's emcc needs Debian's acorn, which another Node.js does not find by itself.
  if [ -d /usr/share/nodejs/acorn ]; then export NODE_PATH=/usr/share/nodejs; fi
}

# npm packages of a folder, when its lock file is newer than what is there.
npm_packages() {
  if [ ! -e "$1/node_modules/.package-lock.json" ] || [ "$1/package-lock.json" -nt "$1/node_modules/.package-lock.json" ]; then
    say "Installing npm packages of $1"
    npm ci --loglevel=error --no-audit --no-fund --prefix "$1" >build/npm.log 2>&1 ||
      { cat build/npm.log >&2; stop "npm could not install the packages of $1."; }
    touch "$1/node_modules/.package-lock.json"
  fi
}

chromium_path() {
  local name
  for name in ${CHROMIUM:-} chromium chromium-browser google-chrome chromium-headless-shell; do have "$name" && { command -v "$name"; return 0; }; done
  return 1
}

# Chromium without its windows, where the distribution has it: the same engine, and tests take two thirds of the time.
test_browser() {
  if [ -z "${CHROMIUM:-}" ] && have chromium-headless-shell; then command -v chromium-headless-shell; else chromium_path; fi
}

prepare() {
  mkdir -p build
  install_missing "${1:-}"
  use_node
  # Emscripten starts Python for each file: the interpreter itself, not a version manager's script that looks for it.
  export EMSDK_PYTHON="${EMSDK_PYTHON:-$(python3 -c 'import sys; print(sys.executable)')}"
  # Emscripten compiles its system libraries once; keep them here when its own place may not be written.
  if [ -z "${EM_CACHE:-}" ] && ! [ -w "$(dirname "$(readlink -f "$(command -v emcc)")")" ]; then
    export EM_CACHE="$PWD/build/emscripten-cache"
  fi
}

# ------------------------------------------------------------------------------------------------------------ building

configure() { # folder, then cmake's arguments; through emcmake when the folder is a wasm one
  local folder=$1
  shift
  [ -f "$folder/build.ninja" ] && return 0
  case "$folder" in
    build/wasm*) emcmake cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$folder.log" 2>&1 ;;
    *) cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$folder.log" 2>&1 ;;
  esac || { tail -20 "$folder.log" >&2; stop "Configuring $folder failed ($folder.log)"; }
}

compile() { # folder, targets
  local folder=$1
  shift
  # A line that counts on a terminal; in a log, only what goes wrong.
  if [ -t 1 ]; then NINJA_STATUS="  [%f of %t] " cmake --build "$folder" --target "$@"
  else cmake --build "$folder" --target "$@" -- --quiet
  fi
}

build_native() { say "Native program"; configure build/native; compile build/native "$@"; }
# The program that trains: wider vectors where the processor has them. By defined arithmetic the bits stay the same.
build_trainer() {
  local wide=OFF
  if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo; then wide=ON; fi
  say "Training program"; configure build/train -DLOOKBACK_AVX2=$wide; compile build/train lookback
}
build_wasm() {
  say "WebAssembly, one thread"; configure build/wasm -DLOOKBACK_THREADS=OFF; compile build/wasm "$@"
  say "WebAssembly, threads"; configure build/wasm-threads -DLOOKBACK_THREADS=ON; compile build/wasm-threads "$@"
}
build_site() {
  npm_packages web
  build_native lookback
  build_wasm engine
  say "Chapters and pages"
  node web/build.mjs
}

# ------------------------------------------------------------------------------------------------------------- testing

passed=0 failed=0 failures=""

count() { # passed, failed
  passed=$((passed + $1))
  failed=$((failed + $2))
  [ "$2" = 0 ] || failures="$failures  $2 of: $part"$'\n'
}

check() { # what, then a command: one test
  local what=$1
  shift
  if "$@" >build/check.log 2>&1; then count 1 0; else count 0 1; cat build/check.log; printf 'FAILED: %s\n' "$what"; fi
}

# Runs a doctest program and adds its counts. Its own last lines are shown.
doctest() {
  local what=$1 line
  shift
  say "$what"
  if "$@" --no-colors=true >build/doctest.log 2>&1; then :; fi
  grep -E 'skipped:|MESSAGE' build/doctest.log | sed 's/^.*MESSAGE: /  /' | sort -u || true
  line=$(grep -E '^\[doctest\] test cases:' build/doctest.log || true)
  if [ -z "$line" ]; then cat build/doctest.log; count 0 1; return; fi
  [[ $line =~ ([0-9]+)\ passed.*\ ([0-9]+)\ failed ]]
  [ "${BASH_REMATCH[2]}" = 0 ] || cat build/doctest.log
  echo "  $line"
  count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
}

# Runs one vitest project and adds its counts.
vitest() {
  local what=$1 project=$2
  say "$what"
  rm -f build/vitest.json
  (cd tests && npx vitest run --project "$project" --reporter=default --reporter=json --outputFile.json=../build/vitest.json) || true
  if [ ! -s build/vitest.json ]; then count 0 1; return; fi
  # shellcheck disable=SC2046
  count $(node -p 'const r = JSON.parse(fs.readFileSync("build/vitest.json")); `${r.numPassedTests} ${r.numFailedTests + (r.success || r.numFailedTests ? 0 : 1)}`')
}

# Runs a script that says how each of its parts went and ends with "N passed, N failed", and adds its counts.
script() { # log, command
  local log=$1
  shift
  "$@" >"$log" 2>&1 || true
  if [[ $(tail -1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    grep -E '^(passed|FAILED|skipped) ' "$log" | sed 's/^/  /' || true
    count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  else
    tail -20 "$log"
    count 0 1
  fi
}

# The core on made-up files and inputs, with sanitizers: a minute for each kind of input, five with --full, from another seed.
fuzz() {
  say "Fuzzing"
  install_wanted build/install-fuzzing.log clang libclang-rt-dev
  if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o build/fuzzing-works >build/fuzzing-works.log 2>&1; then
    echo "  skipped: clang++ with libFuzzer and AddressSanitizer was not found (build/fuzzing-works.log)"
    return
  fi
  if [ "${1:-}" = --full ]; then export SECONDS_EACH=300 SEED=0; fi
  script build/fuzz.log tests/fuzz/run.sh
}

# The core under sanitizers and valgrind, and read by clang-tidy and cppcheck.
checks() {
  say "Sanitizers, valgrind, clang-tidy and cppcheck"
  install_wanted build/install-checks.log valgrind clang-tidy cppcheck
  script build/checks.log tests/checks/run.sh
}

run_tests() {
  if [ "${1:-}" = --full ]; then export FULL=1; fi  # long walks through every page
  mkdir -p build
  install_wanted build/install-shell.log chromium-headless-shell
  prepare test
  install_more_browsers
  build_native lookback core_tests
  npm_packages web
  npm_packages tests
  say "What another GPT-2 tokenizer makes of generated strings"
  check "the tokenizer oracle" node tests/web/tokenizer_oracle.mjs build/tokenizer-oracle.bin
  doctest "Core, native" build/native/core_tests
  build_wasm engine
  compile build/wasm-threads core_tests
  doctest "Core, WebAssembly with threads under Node" node build/wasm-threads/core_tests.js
  if [ "${1:-}" = --full ]; then
    compile build/wasm core_tests
    doctest "Core, WebAssembly with one thread under Node" node build/wasm/core_tests.js
  else
    echo "  skipped: the same with one thread, without --full; the engine of one thread runs in the tests below"
  fi
  fuzz "${1:-}"
  if [ "${1:-}" = --full ]; then checks; fi
  say "Types"
  check "types of web" npx --prefix web tsc --noEmit -p web
  check "types of tests" npx --prefix web tsc --noEmit -p tests
  say "Chapters and pages"
  check "the site builds" node web/build.mjs
  vitest "Web" web
  CHROMIUM=$(test_browser)
  export CHROMIUM
  vitest "Browser" browser
  vitest "The same in Chromium, Firefox and WebKit" engines
  if [ "${1:-}" = --full ]; then vitest "GPT-2 small's sizes" full; fi
  printf %s "$failures"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# ------------------------------------------------------------------------------------------------------------ measuring

# The engine beside its peers: their harness gets ours as one more adapter, in both precisions that peers offer.
bench_peers() {
  prepare test
  build_site
  local folder=build/bench models=${PEERS_DIR:-${TMPDIR:-/tmp}/peers} config
  rm -rf "$folder"
  mkdir -p "$folder" "$models"
  npx --prefix web esbuild tests/bench/adapter.ts --bundle --format=esm --outfile="$folder/adapter.mjs" --log-level=error
  cp web/dist/assets/worker*.js "$folder"  # with the parts that it imports
  cp -r web/dist/wasm "$folder/wasm"
  cp -r web/dist/models/gpt2 "$folder/gpt2"
  config='{"model_type": "gpt2", "activation_function": "gelu_new", "n_layer": 12, "n_head": 12, "n_embd": 768, "n_positions": 1024, "vocab_size": 50257}'
  echo "$config" >"$models/config.json"
  CHROMIUM=$(chromium_path)
  PEERS_DIR=$models tests/bench/peers/run.sh --chromium "$CHROMIUM" --versus lookback \
    --add "lookback=$PWD/$folder/adapter.mjs@gpt2.safetensors" \
    --add "lookback-int8=$PWD/$folder/adapter.mjs@gpt2.safetensors,{\"precision\":\"int8\"}" "$@"
}

bench() {
  [ $# = 0 ] || [ "$1" = --peers ] || { [ $# = 1 ] && [ "$1" = --quick ]; } || stop "build.sh bench takes --quick, or --peers and its options, not \"$*\"."
  if [ "${1:-}" = --peers ]; then shift; bench_peers "$@"; return; fi
  prepare test
  npm_packages tests
  build_native core_bench
  build_site
  say "WebAssembly, threads"; compile build/wasm-threads core_bench
  CHROMIUM=$(chromium_path)
  export CHROMIUM
  say "Native"; build/native/core_bench "$@"
  say "WebAssembly in Chromium"; node tests/bench/in-chromium.mjs build/wasm-threads "$@"
  say "The page in Chromium"; (cd tests && npx vitest run --project bench --reporter=dot)
}

# ------------------------------------------------------------------------------------------------------------ training

little=web/public/models/little

train() {
  prepare
  build_trainer
  if [ "${1:-}" = --report ]; then
    [ $# = 1 ] || stop "build.sh train --report takes nothing more, not \"$2\"."
    build/train/lookback report --model "$little" | tee build/report.md
    mv build/report.md "$little/report.md"
    return
  fi
  # A state that is left there is of a training that was stopped; its end removes it, but no call for help does.
  build/train/lookback train --out "$little" --state build/train/state "$@"
  case " $* " in *" --help "* | *" -h "*) ;; *) rm -f build/train/state ;; esac
}

# --------------------------------------------------------------------------------------------------------------- verbs

nothing_more() { # the verb, then its arguments
  [ $# -le 1 ] || stop "build.sh $1 takes no arguments, not \"$2\"."
}

case "${1-help}" in
  serve) shift; prepare; build_site; exec node web/serve.mjs "$@" ;;
  test)
    [ $# = 1 ] || { [ $# = 2 ] && [ "$2" = --full ]; } || stop "build.sh test takes --full, once, or nothing."
    run_tests "${2:-}" ;;
  dist) nothing_more "$@"; prepare; build_site ;;
  inside) shift; prepare; build_native lookback >/dev/null; exec build/native/lookback inside "$@" ;;
  bench) shift; bench "$@" ;;
  claims)
    [ $# = 2 ] || stop "build.sh claims: one folder was expected, with GPT-2's config.json, model.safetensors, vocab.json and merges.txt."
    prepare; build_native lookback >/dev/null
    exec build/native/lookback claims --model "$2" --claims chapters/recorded.json ;;
  train) shift; train "$@" ;;
  clean) nothing_more "$@"; rm -rf build web/dist web/dist.new web/build web/node_modules tests/node_modules ;;
  help | -h | --help) nothing_more "$@"; help ;;
  *) help >&2; stop "build.sh: there is no verb \"$1\"." ;;
esac
