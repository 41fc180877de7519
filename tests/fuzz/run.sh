#!/bin/sh
# Fuzzes the core: tests/fuzz/run.sh [TARGET …]. SECONDS_EACH (60) is how long each target runs; two run at a time.
# SEED (1) makes a run repeatable, so that a change is judged by what it changed; 0 draws another one, for the long hunt.
# Needs clang++ with libFuzzer; on Debian 12: apt-get install --no-install-recommends clang libclang-rt-dev, and llvm for
# readable stacks. Everything that is made lies in build/fuzz, also the inputs that failed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$here/../.." && pwd)/build/fuzz

# One target, on a copy of its corpus, which grows.
if [ "${1:-}" = --one ]; then
  target=$2 grown=$build/grown/$2 found=$build/found/$2 log=$build/$2.log
  rm -rf "$grown" "$build/$target.passed"
  mkdir -p "$grown" "$found"
  cp "$here/corpus/$target/"* "$grown"
  longest=4096
  if [ "$target" = text ]; then longest=512; fi # a long text tells no more than a short one, and is slow
  status=0
  "$build/fuzz_$target" "$grown" -max_total_time="$SECONDS_EACH" -seed="$SEED" -timeout=60 -rss_limit_mb=2048 -max_len=$longest \
    -artifact_prefix="$found/" -print_final_stats=1 > "$log" 2>&1 || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$status" = 0 ]; then
    touch "$build/$target.passed"
    echo "passed  $target: $runs runs, 0 crashes"
  else
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    echo "FAILED  $target: ${runs:-some} runs, 1 crash; read $log, repeat: $build/fuzz_$target ${input:-$grown}"
  fi
  exit 0
fi

targets=${*:-safetensors ranges index config vocabulary text lesson}
export SECONDS_EACH="${SECONDS_EACH:-60}" SEED="${SEED:-1}"
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ > /dev/null
ninja -C "$build" --quiet
printf '%s\n' $targets | xargs -P 2 -I TARGET "$here/run.sh" --one TARGET
passed=0 failed=0
for target in $targets; do
  if [ -e "$build/$target.passed" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
