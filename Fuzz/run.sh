#!/usr/bin/env bash
# Fuzzes one target for so many seconds, then adds to Tests/Corpus/TARGET the inputs that reach something new.
#
#   Fuzz/run.sh reference 300
#
# With FUZZ_PLANT=1 the target has a fault in it and starts without the corpus: the run must then find the fault.
# The target is built with the address and the undefined behaviour sanitizer, as 'make sanitize' builds the tests.
# An input that breaks something is kept in Fuzz/findings; the exit status is libFuzzer's, 0 when nothing broke.
set -euo pipefail
target=${1:?usage: Fuzz/run.sh TARGET SECONDS}
seconds=${2:?usage: Fuzz/run.sh TARGET SECONDS}
cd "$(dirname "${BASH_SOURCE[0]}")"

# A plan made before does not notice files that came to or went from the product since; a newer manifest makes a new plan.
touch Package.swift
flags=(-c release --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined
  -Xswiftc -enable-testing -Xswiftc -use-ld=lld)
swift build "${flags[@]}" --product "fuzz-$target"
binary=$(swift build "${flags[@]}" --show-bin-path)/fuzz-$target

corpus=../Tests/Corpus/$target
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
mkdir -p findings "$corpus"
folders=("$fresh" "$corpus")
[ -z "${FUZZ_PLANT:-}" ] || folders=("$fresh")
dictionary=()
[ ! -f "$target.dict" ] || dictionary=("-dict=$target.dict")

# Swift's own crash report would take the signal before libFuzzer can keep the input.
export SWIFT_BACKTRACE=enable=no

# The time of an input is that of a clock on the wall, on a machine that may have others to serve.
limits=(-timeout=30 -rss_limit_mb=3072)

# Inputs may be long from the beginning: what begins with two whole scripts does nothing with a short one.
"$binary" -max_total_time="$seconds" "${limits[@]}" -max_len=2048 -len_control=0 -print_final_stats=1 \
  -artifact_prefix=findings/ "${dictionary[@]}" "${folders[@]}"

# Without counters an input is new when it reaches an edge that no other does, so the corpus stays small.
"$binary" -merge=1 -use_counters=0 "${limits[@]}" "$corpus" "$fresh"
