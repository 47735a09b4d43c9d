#!/bin/sh
# Is a revision of this repository slower than another, where every sync takes the same time?
#
#   gate.sh BASE NEW BUILD LOG COMMAND [OPTION OF waltax try...]     # such as --metric
#
# BUILD and COMMAND are lines of the shell: one builds the program here, the other runs it for a
# second or more. LOG names the files that it syncs (`waltax try --log`). The disk of a shared
# runner never takes part: the log lies in memory, and each sync takes what steady.toml says.
# Exits with 0 within the noise, 3 slower, 4 cannot tell, 1 failed.
set -eu
base=$(git rev-parse --verify --end-of-options "$1^{commit}")
new=$(git rev-parse --verify --end-of-options "$2^{commit}")
build=$3 log=$4 command=$5
shift 5
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${WALTAX_OUT:-$PWD/../waltax-gate}
# An interval rests on the number of sessions: three would leave it twice as wide as eight.
for side in base new; do
  eval "revision=\$$side"
  git -c advice.detachedHead=false checkout -q "$revision"
  sh -ec "$build"
  "${WALTAX:-waltax}" try --log "$log" --device "$here/steady.toml" --results "$out/$side" \
    --data-dir "$out/data" --profile ci \
    --rounds 3 --sessions 8 "$@" -- "$command" </dev/null
done
"${WALTAX:-waltax}" compare "$out"/base/* "$out"/new/* --gate --allow program --on throughput \
  --device steady --min-effect "${WALTAX_MIN_EFFECT:-2}" --markdown
