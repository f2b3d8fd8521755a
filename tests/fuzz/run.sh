#!/usr/bin/env bash
# Fuzzes every target for some seconds (60 unless the first argument says otherwise). Runs on the
# stable toolchain: the coverage that libFuzzer reads is a pass of LLVM's own. Needs a C++ compiler.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}

host=$(rustc -vV | sed -n 's/^host: //p')
coverage=(
  -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares
)
# With a target named, build scripts are built without coverage.
RUSTFLAGS="${coverage[*]}" cargo build --release --target "$host"

for target in levels formats settings packs; do
  echo "fuzzing $target for $seconds s"
  found=target/found/$target
  mkdir -p "$found"
  "target/$host/release/$target" "$found" "corpus/$target" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=1024 -max_len=65536 -artifact_prefix="$found-" -verbosity=0 \
    -print_final_stats=1 2>&1 | grep -E "number_of_executed|peak_rss|SUMMARY|panicked|ERROR" || true
  if compgen -G "$found-*" > /dev/null; then
    echo "an input that fails: $(ls "$found"-*)"
    exit 1
  fi
done
