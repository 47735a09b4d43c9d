"""The log of a disk is read as it was written, or refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from blocks import log
from blocks.log import Entry
from handmade import DISCARD, FLUSH, FUA, MARK, packed, sector
from waltax.base.errors import WaltaxError


def entries(tmp_path: Path, content: bytes) -> tuple[Entry, ...]:
    path = tmp_path / "log"
    path.write_bytes(content)
    return log.read(path)


def test_an_entry_has_its_place_its_data_and_what_it_flushes(tmp_path: Path) -> None:
    written, flushed, forced = entries(
        tmp_path, packed((3, sector("a") + sector("b"), 0), (0, b"", FLUSH), (7, sector("c"), FUA))
    )
    assert (written.offset, written.length) == (3 * 512, 2 * 512)
    assert bytes(written.data) == sector("a") + sector("b")
    assert (written.flush, written.fua) == (False, False)
    assert (flushed.flush, flushed.length) == (True, 0)
    assert (forced.flush, forced.fua, bytes(forced.data)) == (False, True, sector("c"))


def test_sectors_are_as_large_as_the_log_says(tmp_path: Path) -> None:
    [one] = entries(tmp_path, packed((2, b"x" * 4096, 0), block=4096))
    assert (one.offset, one.length, bytes(one.data)) == (8192, 4096, b"x" * 4096)


def test_a_discard_carries_no_data(tmp_path: Path) -> None:
    discarded, written = entries(
        tmp_path, packed((1, sector("-") * 9, DISCARD), (5, sector("a"), 0))
    )
    assert (discarded.length, bytes(discarded.data)) == (9 * 512, b"")
    assert bytes(written.data) == sector("a")


def test_a_mark_is_passed_over(tmp_path: Path) -> None:
    [one] = entries(tmp_path, packed((0, b"", MARK), (5, sector("a"), 0)))
    assert one.offset == 5 * 512


WHOLE = packed((3, sector("a"), 0), (0, b"", FLUSH))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be read as a block log"),
        (b"not a log" * 9, "found no block log, want what QEMU's blklogwrites wrote"),
        (WHOLE[:8] + b"\2" + WHOLE[9:], "found a block log of version 2"),
        (packed(block=1 << 20), "blocks of 1048576 bytes"),
        (WHOLE[:600], "ends within entry 0 of 2"),
        (WHOLE[:1100], "ends within entry 0 of 2"),
        (WHOLE[:-1], "ends within entry 1 of 2"),
        (packed((3, sector("a"), 64)), "entry 0 is none; the log is torn"),
    ],
)
def test_what_is_no_whole_log_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(WaltaxError, match="log: ") as refused:
        entries(tmp_path, content)
    assert words in str(refused.value)
