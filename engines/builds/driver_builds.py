"""Driver programs linked to a build of RocksDB, made on demand in a folder for each build.

setup.sh makes them, like the usual ones. A driver that finds another release of the library than
the headers were of says so when it starts.
"""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ...base import home, proc
from ...base.errors import UsageError
from ...base.folders import machine
from .build import Build

_SETUP = home.ROOT / "setup.sh"
_STAMP = "made-of"  # file in the folder: what its objects were compiled against
# Texts that give the reason, the surest first: a linker's last error says nothing.
_TELLING = ("undefined reference", "error:", "CMake Error", "cannot be built with", "ld: ")
_LOOK_S = 0.2


def make(build: Build, programs: Sequence[str], say: Callable[[str], None]) -> None:
    """Make the programs that are missing for a build, with progress to `say`.

    Errors: UsageError for a build that cannot be linked to.
    """
    assert build.programs is not None
    with _alone(build.programs):
        stamp, path = _made_of(build), build.programs / _STAMP
        fresh = not path.exists() or path.read_text() != stamp
        _setup(build, programs, say, fresh=fresh)
        path.write_text(stamp)


def _made_of(build: Build) -> str:
    """Return a digest that differs when objects must be recompiled, regardless of file times.

    A shared library is loaded when a program starts; an archive is part of the program.
    """
    content = hashlib.sha256()
    for header in sorted((build.root / "include" / "rocksdb").rglob("*.h")):
        content.update(f"{header.relative_to(build.root)}\n".encode() + header.read_bytes())
    content.update(" ".join(build.files).encode())
    content.update((build.digest if build.linked_in else "").encode())
    return content.hexdigest()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, since two campaigns may want the same programs."""
    with machine.open_lock(folder.with_name(f"{folder.name}.lock")) as handle:
        while not machine.try_lock(handle):
            time.sleep(_LOOK_S)
        yield


def _setup(
    build: Build, programs: Sequence[str], say: Callable[[str], None], *, fresh: bool
) -> None:
    """Run setup.sh. Errors: UsageError with the first error of the compiler or the linker."""
    env = {"BUILD_DIR": str(build.programs), "ROCKSDB_ROOT": str(build.root)}
    lines: list[str] = []
    with proc.launched_group(
        ["/bin/sh", _SETUP, "--programs", *programs],
        env=env | {"FRESH": "yes" if fresh else ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stderr is not None
        for line in child.stderr:
            lines.append(line.decode(errors="replace").rstrip())
            if lines[-1].startswith("setup: built ") or lines[-1].startswith("setup: building "):
                say(f"build {build.name}: {lines[-1].removeprefix('setup: ')}")
        code = child.wait()
    if code:
        raise UsageError(*_failed(build, lines))


def _failed(build: Build, output: Sequence[str]) -> tuple[str, ...]:
    assert build.programs is not None
    log = build.programs.with_name(f"{build.programs.name}.log")
    log.write_text("\n".join(output) + "\n")
    telling = [line.strip() for word in _TELLING for line in output if word in line]
    why = telling[0] if telling else proc.last_words("\n".join(output))
    return (
        f"--build {build.name}={build.root}: no driver can be compiled and linked against it: "
        f"{why}",
        f"in full: {log}",
    )
