#!/bin/sh
# Sets up all that waltax needs: Debian packages, the Python environment, the
# C++ build. Every step looks first and does nothing when it is done already.
#
#   setup.sh [PACKAGE...]   with names: these Debian packages and nothing else
#   setup.sh --tools        what developers need besides, for tests and lint
#   setup.sh --tests        the C++ tests, which take as long as the programs
#   setup.sh --programs NAME...
#                           these C++ programs and nothing else; with FRESH=yes all of
#                           their objects anew
#   setup.sh --build        the C++ programs and nothing else
#   setup.sh --ours FOLDER KIND
#                           nothing but this folder, marked as one that waltax may remove
#   setup.sh --known GOAL... NAME=TEXT...
#                           nothing; refuses what `make` was given and no goal takes
#   setup.sh --stray GOAL WORD
#                           nothing; says what to type for a word that is no target
#
#   BUILD_DIR        where CMake builds (default build/release)
#   ROCKSDB_ROOT     another RocksDB to build against (default: Debian's)
#   WALTAX_INSTALLED=yes
#                    the C++ programs of a package, at its first use: Debian packages that are
#                    missing are named, and not installed
#   WERROR=1         a warning of the compiler ends the build, as CI has it
#   ANY_RELEASE=yes  installs packages where it was never tried, too
set -eu
cd "$(dirname "$0")"

BUILD_DIR=${BUILD_DIR:-build/release}
PACKAGES=${*:-"g++ cmake ninja-build pkgconf python3-venv librocksdb-dev rocksdb-tools fio
  e2fsprogs libcli11-dev nlohmann-json3-dev libfmt-dev libgtest-dev
  mariadb-server mariadb-plugin-rocksdb libmariadb-dev libhiredis-dev"}
# Debian asks this program, when there is one, whether a package's service may
# be started.
POLICY=${POLICY:-/usr/sbin/policy-rc.d}
OS_RELEASE=${OS_RELEASE:-/etc/os-release}
EVERY=15
OURS='#!/bin/sh
# of waltax: while it installs mariadb-server
exit 101'

say() { printf 'setup: %s\n' "$*" >&2; }

refuse() {
  say "$1"
  exit 2
}

# What a signal ends among our programs would tell of it as of a failure.
interrupted() {
  trap '' HUP INT QUIT TERM
  # It has a group of its own only once setsid has begun.
  [ -z "${build:-}" ] || kill -- "-$build" 2>/dev/null || kill "$build" 2>/dev/null || :
  say "interrupted; type the same again, and it goes on from there"
  exit 130
}
trap interrupted HUP INT QUIT TERM

# Of what was typed, waltax knows what its commands take. Where there is none
# yet, a variable must be the flag or argument of any command, and a word one
# that ships: that finds what is misspelt before minutes of set-up, after which
# waltax is asked.
known() {
  if [ -x .venv/bin/waltax ]; then
    said=$(.venv/bin/waltax --known "$@" 2>&1) || [ $? != 2 ] || {
      printf '%s\n' "$said" >&2
      exit 2
    }
    return 0
  fi
  goal=$1
  for word; do
    name=${word%%=*}
    case "$word" in ARGS=*) continue ;; *=*) ;; *) continue ;; esac
    flag=$(printf %s "$name" | tr A-Z_ a-z-)
    grep -rqF --include='*.py' --exclude-dir=tests --exclude-dir=.venv --exclude-dir=build \
      -e "\"--$flag\"" -e "argument(\"$flag\"" -e "metavar=\"$name\"" . ||
      untaken "no command takes it; leave it out"
    ships "${word#*=}"
  done
}

untaken() {
  printf '%s\n' "make $goal: $word: $1" >&2
  exit 2
}

# Of the variable $name. Paths, and what a shell reads otherwise, are for waltax.
ships() {
  words=$1
  case "$name" in
    DEVICE) names=$(cd devices; echo *.toml) ;;
    PROFILE) names=$(cd profiles; echo *.toml | sed 's/[a-z]*-\([^ ]*\)/& \1/g') ;;
    ENGINE) names=$(sed -n 's/^    "\(.*\)": .*ENGINE.*/\1/p' engines/__init__.py) ;;
    WORKLOAD)
      names=$(sed -n 's/^    \([a-z]*\)[.]WORKLOADS,/\1/p' workloads/__init__.py
        cd workloads/mix/files; echo *) ;;
    *) return 0 ;;
  esac
  case "$words" in *[!a-zA-Z0-9\ -]*) return 0 ;; esac
  names=$(echo $names | sed 's/[.]toml//g')
  for one in $words; do
    of=$one
    [ "$name" != WORKLOAD ] || of=${one%%-*}  # ycsb-a is of ycsb
    case " $names " in *" $one "* | *" $of "*) ;; *) untaken "it is none of $names" ;; esac
  done
}

# What to type for a word that is no target: the name of the release before, or a value that has
# lost its variable.
stray() {
  first=$1 word=$2 type="make help"
  case "$word" in
    sweep) type="make sweep-latency" ;;
    gate) type="make compare A=results/OLD B=results/NEW GATE=1" ;;
    recovery-modes | receipts-modes) type="make receipts RECOVERY_MODES=1" ;;
    devices-compare) type="make devices" ;;
    uninstall) type="make clean, and remove this folder" ;;
    serve) type="make try PRESET=innodb DEVICE=nvme" ;;
    releases) type='make run RELEASE="7.9.2 10.10.1"' ;;
    *[!a-zA-Z0-9-]*) ;;
    *)
      new=$(sed -n "/^MOVED/,/^}/s/^    \"$word\": \"\([a-z ]*\)\",/\1/p" commands.py | tr ' ' -)
      [ -z "$new" ] || type="make $new"
      goal=$first
      [ "$first" != "$word" ] || goal=run
      [ -z "$(ls "${word%%-*}/main.cc" \
        workloads/mix/files/"${word%%-*}" workloads/mix/files/"$word.toml" 2>/dev/null)" ] || type="make $goal WORKLOAD=$word"
      [ ! -e "engines/$word.py" ] || type="make $goal ENGINE=$word"
      [ ! -e "profiles/$word.toml" ] || type="make $goal PROFILE=$word"
      [ ! -e "devices/$word.toml" ] || type="make $goal DEVICE=$word" ;;
  esac
  printf '%s\n' "make $first: $word: it is no target; type $type" >&2
  exit 2
}

# CMake cannot write some characters of a path, Python's venv takes no colon,
# and the loader splits at it the list of folders in which it looks for the tap.
paths() {
  path "this folder" "$PWD" "clone waltax into another"
  case "$BUILD_DIR" in /*) folders= ;; *) folders=". build" ;; esac
  for folder in $folders "$BUILD_DIR"; do
    [ ! -e "$folder" ] || [ -w "$folder" ] ||
      refuse "this folder: $PWD: user $(id -u) may not write in it; clone waltax into one of theirs"
  done
  path BUILD_DIR "$BUILD_DIR" "name another"
  path ROCKSDB_ROOT "${ROCKSDB_ROOT:-}" "name a link to it"
}

path() {
  case "$2" in
    -*) refuse "$1: found $2, which looks like a flag; type ./$2" ;;
    *[\"\\\;#\|:]*)
      refuse "$1: found $2; a path with any of \" \\ ; # | : cannot be built with; $3" ;;
  esac
}

look_for() {
  missing=
  there=$(dpkg-query -W -f='${Package}=${db:Status-Status}\n' $PACKAGES 2>/dev/null || :)
  for package in $PACKAGES; do
    case "$there" in
      *"$package=installed"*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  install="apt-get install -y --no-install-recommends$missing"
}

packages() {
  look_for
  case "$PACKAGES" in *mariadb-server*) see_unfinished ;; esac
  [ -n "$missing${new_server:-}" ] || return 0
  [ -z "$missing" ] || supported
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
  elif [ -z "$missing" ]; then
    say "A set-up that was killed left $POLICY, which lets no service start."
    say "  sudo update-rc.d mariadb disable && sudo rm $POLICY"
    return 0
  else
    say "Debian packages are missing and this is not root. Have them installed:"
    have_installed
  fi
  ours build build
  [ -z "$missing" ] || get_missing
  [ -n "${new_server:-}" ] || return 0
  # The policy goes last: while it is there, this is not done.
  for service in $(sed -n 's/^\(mariadb\|etcd\)-server$/\1/p; /^postgresql$/p' .installed-packages); do
    $as_root update-rc.d "$service" disable >>build/apt.log 2>&1
  done
  $as_root rm -f "$POLICY"
}

have_installed() {
  say "  sudo apt-get update && sudo $install"
  exit 1
}

# Elsewhere packages have other names, or are too old, which would show after minutes.
supported() {
  found=$({ . "$OS_RELEASE"; } 2>/dev/null && echo "${ID:-?} ${VERSION_ID:-?} ${PRETTY_NAME:-a system without a name}") ||
    found="? ? no $OS_RELEASE"
  case "${ANY_RELEASE:-} $found" in
    yes\ * | ' debian 12 '* | ' debian 13 '*) return 0 ;;
  esac
  say "found ${found#* * }; waltax is set up on Debian 12 and 13 (bookworm, trixie)."
  say "Nothing was installed. To try it here all the same, type ANY_RELEASE=yes ${SET_UP:-make setup}; it wants:"
  refuse "$missing"
}

get_missing() {
  say "installing$missing"
  case "$missing " in *\ mariadb-server\ * | *\ etcd-server\ * | *\ postgresql\ *) start_no_server ;; esac
  if ! ($as_root apt-get update &&
        $as_root env DEBIAN_FRONTEND=noninteractive $install) >build/apt.log 2>&1
  then
    tail -5 build/apt.log >&2
    say "apt-get failed; its whole output is in build/apt.log"
    exit 1
  fi
  # So that whoever removes waltax knows them; not in build/, which `make clean` removes.
  printf '%s\n' $missing >>.installed-packages
}

# Whether a set-up of ours was killed before it removed its policy. Its content
# says so: one with any other is the administrator's.
see_unfinished() {
  [ "$(cat "$POLICY" 2>/dev/null)" != "$OURS" ] || new_server=yes
}

# waltax runs servers of its own. The system's, which Debian would start here
# and at each boot, would take CPU and memory from what is measured. A policy
# that is there already is its administrator's and stays as it is.
start_no_server() {
  [ -n "${new_server:-}" ] || [ ! -e "$POLICY" ] || return 0
  new_server=yes
  trap '$as_root rm -f "$POLICY" "$POLICY.waltax"' EXIT
  printf '%s\n' "$OURS" | $as_root tee "$POLICY.waltax" >/dev/null
  $as_root chmod 755 "$POLICY.waltax"
  $as_root mv "$POLICY.waltax" "$POLICY"
}

# A folder with the marker by which it is known that waltax made it, and may
# remove it (base/folders/folder.py), unless there is one already.
ours() {
  [ ! -e "$1" ] && [ ! -L "$1" ] || return 0
  half=$(mktemp -d "$(dirname "$1")/.waltax-half-XXXXXXXX")
  printf '{"made_by": "waltax", "kind": "%s", "inode": %s}\n' \
    "$2" "$(stat -c %i "$half")" >"$half/.waltax-owned"
  chmod 755 "$half"
  mv -T "$half" "$1"
}

# The lock holds exact versions and hashes of every Python package, uv's too:
# pip brings uv, and uv brings the rest (in two seconds instead of thirty).
environment() {
  want=$(cat requirements.lock pyproject.toml | sha256sum)
  [ "$(cat .venv/waltax.lock 2>/dev/null)" != "$want" ] || return 0
  say "creating the Python environment in .venv"
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  if ! $python -m base.folders.clean .venv; then
    say "move .venv away, or remove it: only one that waltax made is replaced"
    exit 1
  fi
  ours .venv environment
  $python -m venv .venv
  awk '/^[^ ]/ { keep = /^uv==/ } keep' requirements.lock >build/uv.lock
  # Not .venv/bin/pip, which not every path lets find its Python.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --require-hashes -r build/uv.lock
  .venv/bin/uv pip install --quiet --python .venv/bin/python \
    --require-hashes -r requirements.lock
  .venv/bin/uv pip install --quiet --python .venv/bin/python \
    --no-deps --no-build-isolation --editable .
  .venv/bin/python -m compileall -q .venv/lib . -x '^[.]/(build|data|results)/' || true
  printf '%s' "$want" >.venv/waltax.lock
}

# What tests and lint need besides, some 250 MB, a browser of 300 MB for the page's tests, and
# redis-tools, which has the server's program in it and brings no service (docs/getting-started.md).
# Tests look for processes by procps, and try the others, whose syncs strace counts, too. A PostgreSQL
# that is there already is its owner's, whose service stays as it is.
# The environment is made anew, and is without them, when what it holds has changed.
tools() {
  PACKAGES="chromium procps redis-tools strace curl etcd-client etcd-server lmdb-utils sqlite3 sysbench"
  ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || PACKAGES="$PACKAGES postgresql"
  packages
  mkdir -p build/types
  ln -sfn ../.. build/types/waltax  # mypy finds the package by this name
  want=$(sha256sum <requirements-dev.lock)
  [ "$(cat .venv/waltax-dev.lock 2>/dev/null)" != "$want" ] || return 0
  say "adding the tools for tests and lint to .venv"
  .venv/bin/uv pip install --quiet --python .venv/bin/python \
    --require-hashes -r requirements-dev.lock
  printf '%s' "$want" >.venv/waltax-dev.lock
}

build() {
  if [ -n "${WERROR:-}" ] || [ ! -e "$BUILD_DIR/build.ninja" ]; then
    say "building the C++ programs in $BUILD_DIR, which takes some minutes"
    configure
  fi
  compile all
}

configure() {
  cmake ${FRESH:+--fresh} -S . -B "$BUILD_DIR" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    ${WERROR:+-DCMAKE_COMPILE_WARNING_AS_ERROR=ON} -DROCKSDB_ROOT="${ROCKSDB_ROOT:-}" >/dev/null
}

# What `waltax --build` needs of a build, whose folder may have objects of what lay there before.
programs() {
  if [ -n "${FRESH:-}" ] || [ ! -e "$BUILD_DIR/build.ninja" ]; then
    say "building $* in $BUILD_DIR"
    configure
    [ -z "${FRESH:-}" ] || cmake --build "$BUILD_DIR" --target clean >/dev/null
  fi
  for name; do
    compile "$name"
  done
}

# A package brings its Python, whoever wants a server installs one, and two commands may be the
# first at once.
installed() {
  PACKAGES=$(printf '%s\n' $PACKAGES | grep -vE '^(python3-venv|libgtest-dev|mariadb-.*)$')
  [ -n "${ANY_RELEASE:-}" ] || look_for
  if [ -n "${missing:-}" ]; then
    supported
    say "the C++ programs are built at first use, and Debian packages are missing. Have them installed:"
    have_installed
  fi
  mkdir -p "$(dirname "${BUILD_DIR%/*}")"
  ours "${BUILD_DIR%/*}" build
  mkdir -p "$BUILD_DIR"
  exec 9>"$BUILD_DIR/lock"
  flock 9
  build
}

# A target of the build. Ninja prints errors among its progress, so all of it
# waits for a failure.
compile() {
  done=$({ { cmake --build "$BUILD_DIR" --target "$1" 2>&1 && echo yes >&3; } |
    tee "$BUILD_DIR/build.log" | thinned >&2; } 3>&1)
  if [ "$done" != yes ]; then
    cat "$BUILD_DIR/build.log" >&2
    say "the C++ build failed, see above"
    exit 1
  fi
}

# Of ninja's progress, "[12/80] Building ...", a line each EVERY seconds.
thinned() {
  next=$(($(date +%s) + EVERY))
  while IFS= read -r line; do
    case "$line" in \[*/*\]*) ;; *) continue ;; esac
    now=$(date +%s)
    [ "$now" -ge "$next" ] || continue
    say "built ${line%%]*}]"
    next=$((now + EVERY))
  done
}

case "${1:-}" in
  --known) shift; known "$@"; exit 0 ;;
  --stray) shift; stray "$@" ;;
  --tools) tools; exit 0 ;;
  --tests) compile tests/all; exit 0 ;;
  --programs) shift; paths; programs "$@"; exit 0 ;;
  --build) trap - HUP INT QUIT TERM; build; exit 0 ;;
  --ours) shift; ours "$@"; exit 0 ;;
esac
[ $# != 0 ] || paths
[ -z "${WALTAX_INSTALLED:-}" ] || { installed; exit 0; }
packages
[ $# = 0 ] || exit 0
ours build build
# Neither needs the other. What sh begins in the background is deaf to Ctrl-C, so that the build is
# a session of its own, which `interrupted` ends.
setsid sh ./setup.sh --build &
build=$!
trap wait EXIT
environment
wait $build
