#!/bin/sh
# Sets up all that waltax needs: Debian packages, the Python environment, the
# C++ build. Every step looks first and does nothing when it is done already.
#
#   setup.sh [PACKAGE...]   with names: these Debian packages and nothing else
#
#   BUILD_DIR     where CMake builds (default build/release)
#   ROCKSDB_ROOT  another RocksDB to build against (default: Debian's)
set -eu
cd "$(dirname "$0")"

BUILD_DIR=${BUILD_DIR:-build/release}
PACKAGES=${*:-"g++ cmake ninja-build python3-venv librocksdb-dev rocksdb-tools fio
 libcli11-dev nlohmann-json3-dev libfmt-dev libgtest-dev zlib1g-dev
 mariadb-server mariadb-plugin-rocksdb libmariadb-dev"}
# Debian asks this program, when there is one, whether a package's service may
# be started.
POLICY=${POLICY:-/usr/sbin/policy-rc.d}

say() { printf 'setup: %s\n' "$*" >&2; }

packages() {
  missing=
  there=$(dpkg-query -W -f='${Package}=${db:Status-Status}\n' $PACKAGES 2>/dev/null || :)
  for package in $PACKAGES; do
    case "$there" in
      *"$package=installed"*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  install="apt-get install -y --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
  else
    say "Debian packages are missing and this is not root. Have them installed:"
    say "  sudo apt-get update && sudo $install"
    exit 1
  fi
  say "installing$missing"
  mkdir -p build
  case "$missing" in *\ mariadb-server*) start_no_server ;; esac
  if ! { $as_root apt-get update &&
         $as_root env DEBIAN_FRONTEND=noninteractive $install; } >build/apt.log 2>&1
  then
    tail -5 build/apt.log >&2
    say "apt-get failed; its whole output is in build/apt.log"
    exit 1
  fi
  [ -n "${new_server:-}" ] || return 0
  $as_root rm -f "$POLICY"
  $as_root update-rc.d mariadb disable >>build/apt.log 2>&1
}

# waltax runs servers of its own. The system's, which Debian would start here
# and at each boot, would take CPU and memory from what is measured. A policy
# that is there already is its administrator's and stays as it is.
start_no_server() {
  [ ! -e "$POLICY" ] || return 0
  trap '$as_root rm -f "$POLICY"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\n# of waltax: while it installs mariadb-server\nexit 101\n' |
    $as_root tee "$POLICY" >/dev/null
  $as_root chmod 755 "$POLICY"
  new_server=yes
}

# The lock holds exact versions and hashes of every Python package, uv's too:
# pip brings uv, and uv brings the rest (in two seconds instead of thirty).
environment() {
  want=$(cat requirements.lock pyproject.toml | sha256sum)
  [ "$(cat .venv/waltax.lock 2>/dev/null)" != "$want" ] || return 0
  say "creating the Python environment in .venv"
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  rm -rf .venv
  $python -m venv .venv
  mkdir -p build/types
  awk '/^[^ ]/ { keep = /^uv==/ } keep' requirements.lock >build/uv.lock
  .venv/bin/pip install --quiet --disable-pip-version-check \
    --require-hashes -r build/uv.lock
  .venv/bin/uv pip install --quiet --python .venv/bin/python \
    --require-hashes -r requirements.lock
  .venv/bin/uv pip install --quiet --python .venv/bin/python \
    --no-deps --no-build-isolation --editable .
  ln -sfn ../.. build/types/waltax  # mypy finds the package by this name
  .venv/bin/python -m compileall -q .venv/lib . -x 'build|data|results' || true
  printf '%s' "$want" >.venv/waltax.lock
}

build() {
  mkdir -p build
  if [ ! -e "$BUILD_DIR/build.ninja" ]; then
    say "building the C++ programs in $BUILD_DIR, which takes a minute"
    cmake -S . -B "$BUILD_DIR" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DROCKSDB_ROOT="${ROCKSDB_ROOT:-}" >/dev/null
  fi
  # Ninja prints errors among its progress, so all of it waits for a failure.
  if ! cmake --build "$BUILD_DIR" >build/build.log 2>&1; then
    cat build/build.log >&2
    say "the C++ build failed, see above"
    exit 1
  fi
}

packages
[ $# = 0 ] || exit 0
# Neither needs the other. Ninja heeds Ctrl-C in the background, too, and pip would not.
build &
build=$!
trap wait EXIT
environment
wait $build
