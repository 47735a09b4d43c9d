"""A disk under the results that fails in a campaign: the place is named, and no row is lost."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax import row

ROWS = 3  # that are kept before the disk fails
Tiny = Callable[..., Path]


class _FailingDisk:
    """In place of `os` in `row`: one of its calls fails, a first write after half of its bytes."""

    def __init__(self, call: str, error: int) -> None:
        self._call, self._error, self._halved = call, error, False

    def __getattr__(self, name: str) -> Any:
        if name == self._call == "write":
            return self._write
        return self._fail if name == self._call else getattr(os, name)

    def _write(self, descriptor: int, line: bytes) -> int:
        if self._halved:
            self._fail()
        self._halved = True
        return os.write(descriptor, line[: len(line) // 2])

    def _fail(self, *_: object) -> None:
        raise OSError(self._error, os.strerror(self._error))


def _run_named(waltax: Any, profile: Path, why: str) -> bytes:
    """Run a campaign whose disk fails; what its rows are then."""
    done = waltax.run("--profile", profile)
    path = waltax.folder() / "rows.jsonl"
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{path}: cannot append the row: {why}" in done.stderr
    assert "not kept: rocksdb-linkbench-tiny-" in done.stderr
    assert f"--resume {waltax.folder()}" in done.stderr
    left: bytes = path.read_bytes()
    assert left.count(b"\n") == ROWS
    assert left.endswith(b"\n")
    return left


def _require_resumed(waltax: Any, left: bytes) -> None:
    done = waltax.run("--resume", waltax.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert (waltax.folder() / "rows.jsonl").read_bytes().startswith(left)
    places = [row["slice"] for row in waltax.rows()]
    assert places == list(range(len(places)))
    assert len(places) > ROWS


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("write", errno.ENOSPC),
        ("write", errno.EIO),
        ("fsync", errno.EIO),
        ("open", errno.EROFS),
    ],
)
@pytest.mark.usefixtures("at_once")
def test_a_row_that_cannot_be_kept_is_told_and_the_campaign_goes_on_later(
    waltax: Any, tiny: Tiny, at_row: Any, call: str, error: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        at_row(ROWS, lambda: patch.setattr(row, "os", _FailingDisk(call, error)))
        left = _run_named(waltax, tiny(min_sessions=2), os.strerror(error))
    _require_resumed(waltax, left)


@pytest.mark.usefixtures("at_once")
def test_a_row_of_which_half_fits_leaves_no_half_line(waltax: Any, tiny: Tiny, at_row: Any) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit() -> None:
        """The size of any file, at which the kernel cuts a write."""
        size = (waltax.folder() / "rows.jsonl").stat().st_size + 100
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))

    at_row(ROWS, limit)
    try:
        left = _run_named(waltax, tiny(min_sessions=2), os.strerror(errno.EFBIG))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    _require_resumed(waltax, left)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts: only root may")
@pytest.mark.usefixtures("at_once")
def test_results_that_become_read_only_are_named(waltax: Any, tiny: Tiny, at_row: Any) -> None:
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
    shut = lambda: subprocess.run(["sh", "-c", script, waltax.folder()], check=True)  # noqa: E731
    at_row(ROWS, shut)
    try:
        left = _run_named(waltax, tiny(min_sessions=2), os.strerror(errno.EROFS))
    finally:
        subprocess.run(["umount", "--lazy", waltax.folder()], check=False)
    _require_resumed(waltax, left)
