"""Which files of an engine a process really mapped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rocksdb_roots import LIBRARY, debians
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.engines.builds import mapped_files
from waltax.engines.builds.build import Build, sha256_of
from waltax.engines.builds.mapped_files import Mapped


def _build(files: dict[str, str], *, linked_in: bool = False) -> Build:
    return Build("new", Path("/opt/new"), files, "7.8.3", "", linked_in=linked_in)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return debians(tmp_path / "a") / "lib" / LIBRARY.name


@pytest.fixture
def process(library: Path) -> Iterator[int]:
    """A program that has the copy loaded, whatever its command line and environment suggest."""
    code = f"import ctypes; ctypes.CDLL({str(library)!r}); print(flush=True); input()"
    argv = ["/usr/bin/python3", "-c", code]
    with proc.launched_group(argv, stdin=-1, stdout=-1, env={"LD_LIBRARY_PATH": "/usr/lib"}) as it:
        assert it.stdout is not None
        it.stdout.readline()
        yield it.pid


def test_the_library_that_was_loaded_is_found_with_its_digest(library: Path, process: int) -> None:
    sha256 = hashlib.sha256(library.read_bytes()).hexdigest()
    assert mapped_files.of_process(process, "rocksdb") == Mapped(
        {str(library): sha256}, linked_in=False
    )


def test_a_program_without_a_library_of_the_engine_is_named_itself() -> None:
    seen = mapped_files.of_process(os.getpid(), "rocksdb")
    assert seen is not None
    assert seen.linked_in
    assert list(seen.files) == [str(Path("/proc/self/exe").resolve())]


@pytest.mark.parametrize("replaces", [True, False])
def test_a_library_that_was_replaced_or_removed_is_found_out(
    library: Path, process: int, *, replaces: bool
) -> None:
    library.unlink()
    if replaces:
        library.write_bytes(b"another")
    with pytest.raises(WaltaxError, match=f"{library} was replaced or removed while it was in use"):
        mapped_files.of_process(process, "rocksdb")


def test_a_file_that_is_written_anew_in_its_place_has_another_digest(tmp_path: Path) -> None:
    path = tmp_path / "librocksdb.so"
    path.write_bytes(b"one")
    stat = path.stat()
    first = sha256_of(path)
    path.write_bytes(b"two")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # as who hides it would
    assert sha256_of(path) != first


def test_a_process_that_does_not_have_the_build_in_it_contradicts_its_label() -> None:
    build = _build({"/opt/new/librocksdb.so": "aa"})
    mapped_files.require(build, Mapped({"/opt/new/librocksdb.so": "aa"}, linked_in=False), None)
    with pytest.raises(
        WaltaxError, match=r"build new: the process mapped /usr/lib/x\.so, not /opt"
    ):
        mapped_files.require(build, Mapped({"/usr/lib/x.so": "aa"}, linked_in=False), None)
    with pytest.raises(WaltaxError, match=r"build new: /opt/new/librocksdb\.so was replaced"):
        mapped_files.require(build, Mapped({"/opt/new/librocksdb.so": "bb"}, linked_in=False), None)
    seen = Mapped({"/opt/new/librocksdb.so": "aa"}, linked_in=False)
    with pytest.raises(WaltaxError, match="was replaced during the campaign"):  # and resumed since
        mapped_files.require(build, seen, {"/opt/new/librocksdb.so": "cc"})


def test_an_archive_is_in_the_program_which_must_stay_what_it_was() -> None:
    build = _build({"/opt/new/librocksdb.a": "aa"}, linked_in=True)
    program = Mapped({"/build/mix": "11"}, linked_in=True)
    mapped_files.require(build, program, None)
    mapped_files.require(build, program, {"/build/mix": "11"})
    with pytest.raises(WaltaxError, match="build new: /build/mix was replaced during the campaign"):
        mapped_files.require(build, program, {"/build/mix": "22"})
    with pytest.raises(WaltaxError, match=r"mapped /usr/lib/librocksdb\.so, not /opt/new/"):
        mapped_files.require(build, Mapped({"/usr/lib/librocksdb.so": "1"}, linked_in=False), None)
