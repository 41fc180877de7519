#!/bin/sh
# What watches the core beside its tests: tests/checks/run.sh [CHECK …], of
#   sanitizers  all of core_tests with AddressSanitizer and UndefinedBehaviorSanitizer
#   valgrind    core_tests of build/native under memcheck: values that nobody set, which the sanitizers do not see
#   tidy        clang-tidy over core and wasm, with the checks of .clang-tidy
#   cppcheck    over core, wasm and tests/core, without what cppcheck.txt excuses
# A tool that is not installed is skipped. Everything that is made lies in build/checks and build/sanitize.
set -eu
cd "$(dirname "$0")/../.."
made=build/checks
jobs=$(getconf _NPROCESSORS_ONLN)

# Left out under valgrind, where all is thirty times slower: what trains, makes texts of the little language by the
# thousand, or repeats one thing a million times; the sanitizers run these too. And what limits the memory of its own
# process, which valgrind does not outlive.
left_out='practice:*,gradients*,language*,*little*,a report is*,cases are right*,looks and layers*,a word that never ends*'
left_out="$left_out,safetensors: unreasonable*,bpe: the time*,storages: a model*,loader: memory that is refused*"

sanitizers() {
  # -O1 compiles quickly, and without NDEBUG the assertions of Eigen and nlohmann-json watch too.
  cmake -S . -B build/sanitize -G Ninja -DLOOKBACK_SANITIZE=ON -DCMAKE_CXX_FLAGS_RELEASE=-O1 &&
    ninja -C build/sanitize -j "$jobs" core_tests && build/sanitize/core_tests --no-colors=true
}

memcheck() {
  valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    build/native/core_tests --no-colors=true "--test-case-exclude=$left_out"
}

# Each file by itself, as the native build compiles it; those of wasm with the flags of Emscripten.
tidy() {
  cmake -S . -B $made/database -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON || return 1
  tidied='clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option'
  status=0
  # shellcheck disable=SC2086
  find core -name '*.cpp' | sort | xargs -P "$jobs" -n 1 $tidied -p $made/database || status=1
  if flags=$(em++ --cflags); then
    for file in wasm/*.cpp; do
      # shellcheck disable=SC2086
      $tidied "$file" -- $flags -std=c++20 -msimd128 -fwasm-exceptions -I. -isystem $made/database/headers || status=1
    done
  else
    echo "wasm was left out: em++ was not found"
  fi
  return $status
}

suspects() {
  cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --language=c++ --std=c++20 -I. \
    --suppress=missingIncludeSystem --suppressions-list=tests/checks/cppcheck.txt -j "$jobs" core wasm tests/core
}

passed=0 failed=0

check() { # name, program that it needs, function
  if ! command -v "$2" > $made/"$1".log 2>&1; then echo "skipped $1: $2 was not found"; return 0; fi
  if "$3" > $made/"$1".log 2>&1; then
    passed=$((passed + 1))
    echo "passed  $1"
  else
    failed=$((failed + 1))
    echo "FAILED  $1: read $made/$1.log"
  fi
}

mkdir -p $made
[ $# -gt 0 ] || set -- sanitizers valgrind tidy cppcheck
for name; do
  case $name in
    sanitizers) check sanitizers g++ sanitizers ;;
    valgrind)
      if [ -x build/native/core_tests ]; then check valgrind valgrind memcheck
      else echo "skipped valgrind: build/native/core_tests is not there; ./build.sh test builds it"; fi ;;
    tidy) check tidy clang-tidy tidy ;;
    cppcheck) check cppcheck cppcheck suspects ;;
    *) echo "tests/checks/run.sh: there is no check $name" >&2; exit 2 ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
