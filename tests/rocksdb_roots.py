"""Folders with RocksDB's headers and library, as --build takes them, made of Debian's."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from waltax.base import home
from waltax.engines.builds import driver_builds
from waltax.engines.builds.build import Named
from waltax.engines.builds.inspection import look

HEADERS = Path("/usr/include/rocksdb")
LIBRARY = next(Path("/usr/lib").glob("*/librocksdb.so")).resolve()


def debians(root: Path) -> Path:
    """A copy of its library, which a test may replace, and a link to its headers."""
    (root / "lib").mkdir(parents=True)
    (root / "include").mkdir()
    (root / "include/rocksdb").symlink_to(HEADERS)
    copy = root / "lib" / LIBRARY.name
    shutil.copy2(LIBRARY, copy)
    # By the loader's name, with which a program asks for it, and by the linker's.
    for name in (_soname(LIBRARY), "librocksdb.so"):
        if name != copy.name:
            (root / "lib" / name).symlink_to(copy.name)
    return root


@contextlib.contextmanager
def linked() -> Iterator[tuple[Path, Path]]:
    """Two of them, with mix linked to both; they stay, so that this is compiled once.

    Who has them may replace their libraries: tests of another process wait.
    """
    folder = home.place("build") / "builds-of-tests"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        roots = (folder / "a", folder / "b")
        for root in roots:
            if not root.exists():
                debians(root)
            build = look("rocksdb", [Named(root.name, str(root))])[root.name]
            driver_builds.make(build, ["mix"], print)
        yield roots


def _soname(library: Path) -> str:
    said = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True)
    return said.stdout.partition("Library soname: [")[2].partition("]")[0]


def own_headers(root: Path) -> Path:
    """Copies in place of the link, which a test may change."""
    (root / "include/rocksdb").unlink()
    shutil.copytree(HEADERS, root / "include/rocksdb")
    return root


def library_of(root: Path, source: str) -> None:
    """Put what is compiled of C++ text in the place of the library."""
    for path in (root / "lib").iterdir():
        path.unlink()
    out = root / "lib/librocksdb.so"
    argv = ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(out)]
    subprocess.run(argv, input=source, text=True, check=True)
