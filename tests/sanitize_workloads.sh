#!/bin/sh
# Loads, runs and checks both workloads with the programs of a sanitizer build:
# ten threads on RocksDB with a synced WAL and, for TPC-C, on the memory store.
# Fails when a program does, or when a sanitizer reports anything.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export TSAN_OPTIONS="suppressions=\"$root/tests/tsan.supp\" halt_on_error=0 exitcode=66"
export ASAN_OPTIONS="detect_leaks=1 exitcode=66"
export UBSAN_OPTIONS="print_stacktrace=1 halt_on_error=0"

seconds=10
session='{"cmd":"run","warmup_s":0,"measure_s":'$seconds'}
{"cmd":"check"}
{"cmd":"quit"}'

fail() {
  echo "$step: $1" >&2
  cat "$work/err" >&2
  exit 1
}

# Runs a program; its events go to $work/out. A sanitizer that goes on after a
# report shows it on stderr, where the programs themselves are silent.
run() {
  step=$1
  shift
  printf '%s\n' "$session" | "$@" >"$work/out" 2>"$work/err" ||
    fail "exit code $?: $(tail -n 1 "$work/out")"
  [ ! -s "$work/err" ] || fail "a report of the sanitizer, or a message"
  echo "$step: clean"
}

# The session's check must have been made, and have found nothing.
consistent() {
  grep -q '"event":"check".*"ok":true' "$work/out" ||
    fail "no check, or not consistent: $(grep '"event":"check"' "$work/out")"
}

links="--db=$work/links --maxid1=10001 --degree-cap=1000"
run 'linkbench load' "$build/linkbench" load $links --threads=2
run 'linkbench run' "$build/linkbench" run $links --threads=10 --durability=sync
consistent
run 'linkbench check' "$build/linkbench" check $links --threads=2

tpcc="--db=$work/tpcc"
run 'tpcc load' "$build/tpcc" load $tpcc --warehouses=1 --threads=2
run 'tpcc run' "$build/tpcc" run $tpcc --threads=10 --durability=sync \
  --ack-log="$work/acks"
consistent
run 'tpcc check' "$build/tpcc" check $tpcc --threads=2 --acks="$work/acks"
run 'tpcc run in memory' "$build/tpcc" run --store=memory --threads=10
consistent
