#!/bin/sh
# Loads, runs and checks the workloads with the programs of a sanitizer build:
# ten threads on RocksDB with a synced WAL and, for TPC-C, on the memory store;
# or one of them on a server, by the statements of its SQL store.
# Fails when a program does, or when a sanitizer reports anything.
#
#   sanitize_workloads.sh BUILD_DIR
#   with_server.py ENGINE -- sanitize_workloads.sh BUILD_DIR WORKLOAD
set -eu

[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: $0 BUILD_DIR [WORKLOAD]" >&2; exit 2; }
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export TSAN_OPTIONS="suppressions=\"$root/tests/tsan.supp\" halt_on_error=0 exitcode=66"
export ASAN_OPTIONS="detect_leaks=1 exitcode=66"
export UBSAN_OPTIONS="print_stacktrace=1 halt_on_error=0"

seconds=5
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
  # Said of any fiber; driver/fiber.cc tells the sanitizer of each switch.
  sed -i "/WARNING: ASan doesn't fully support makecontext/d" "$work/err"
  [ ! -s "$work/err" ] || fail "a report of the sanitizer, or a message"
  echo "$step: clean"
}

# The session's check must have been made, and have found nothing.
consistent() {
  grep -q '"event":"check".*"ok":true' "$work/out" ||
    fail "no check, or not consistent: $(grep '"event":"check"' "$work/out")"
}

# What the program is told of a mix of ours.
describe() {
  "$root/.venv/bin/waltax" workload "$root/workloads/mix/files/$1.toml" --json >"$work/mix.json"
}

# One workload on a server.
served() {
  place="--store=$WALTAX_SERVER_ENGINE --socket=$WALTAX_SERVER_SOCKET"
  on="$1 on $WALTAX_SERVER_ENGINE"
  case $1 in
    linkbench) size="--maxid1=2001 --degree-cap=200"; graph=$size ;;
    tpcc) size=--warehouses=1; graph= ;;
    mix) describe shop; size="--file=$work/mix.json --scale=.01"; graph=$size ;;
  esac
  run "$on: load" "$build/$1" load $place $size --threads=2
  run "$on: run" "$build/$1" run $place $graph --threads=10
  consistent
  run "$on: check" "$build/$1" check $place $graph --threads=2
}

if [ $# -eq 2 ]; then
  served "$2"
  exit 0
fi

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

for name in ycsb/a ycsb/d ycsb/e ycsb/f kv/overwrite kv/optimistic kv/2pc shop outbox queue; do
  mix="--db=$work/$(basename $name) --file=$work/mix.json --scale=.02"
  describe $name
  run "mix load $name" "$build/mix" load $mix --threads=2
  run "mix run $name" "$build/mix" run $mix --threads=10 --durability=sync
  consistent
  run "mix check $name" "$build/mix" check $mix --threads=2
done

describe ycsb/f
nodes="--file=$work/mix.json --scale=.02 --nodes=2"
for node in 0 1; do
  run "mix load node $node" "$build/mix" load --db="$work/node$node" $nodes --node=$node --threads=2
done
run 'mix run on two nodes' "$build/mix" run --db="$work/node0" --db="$work/node1" $nodes \
  --threads=10 --durability=sync
consistent
