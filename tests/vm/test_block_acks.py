"""What had been acknowledged is read out of the disk's own log."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from blocks.acks import AckDisk
from blocks.log import Entry
from blocks.replay import SECTOR, Region
from handmade import flush
from waltax.base.errors import WaltaxError

_BEGINS = 64 * SECTOR
_SIZE = 1 << 20


@pytest.fixture
def base(tmp_path: Path) -> Path:
    image = tmp_path / "base"
    image.write_bytes(bytes(_SIZE))
    argv = ["mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^has_journal", str(image)]
    subprocess.run(argv, check=True)
    return image


def told(base: Path, room: Path, text: str) -> list[Entry]:
    """What a disk is told when the file gets this content: the sectors that it changes."""
    image, content = room / "changed", room / "content"
    image.write_bytes(base.read_bytes())
    content.write_text(text)
    argv = ["debugfs", "-w", "-R", f"write {content} acks", str(image)]
    subprocess.run(argv, check=True, capture_output=True)
    before, after = memoryview(base.read_bytes()), memoryview(image.read_bytes())
    return [
        Entry(_BEGINS + at, SECTOR, False, False, after[at : at + SECTOR])
        for at in range(0, _SIZE, SECTOR)
        if before[at : at + SECTOR] != after[at : at + SECTOR]
    ]


def disk(base: Path, log: list[Entry], room: Path) -> AckDisk:
    return AckDisk(base, log, Region(_BEGINS, _SIZE), "acks", room)


def test_acknowledgements_are_those_that_stand_before_the_cut(base: Path, tmp_path: Path) -> None:
    one, three = (told(base, tmp_path, "1 2 3 4\n" * count) for count in (1, 3))
    log = [flush(), *one, flush(), *three, flush()]
    acks = disk(base, log, tmp_path)
    span = acks.span()
    known = {
        0,
        1 + len(one),
        len(log),
        *(end - 1 for end in (span[0], span[-1])),
        span[0],
        span[-1],
    }
    counts = {cut: len(acks.before(cut)) for cut in sorted({*known, *range(0, len(log), 5)})}
    assert list(counts.values()) == sorted(counts.values())
    assert counts[0] == 0
    assert counts[1 + len(one)] == 1
    assert acks.before(len(log)) == [b"1 2 3 4\n"] * 3
    assert (counts[span[0] - 1], counts[span[0]]) == (0, 1)
    assert (counts[span[-1] - 1], counts[span[-1]]) == (1, 3)


def test_a_line_that_is_not_whole_is_none(base: Path, tmp_path: Path) -> None:
    log = told(base, tmp_path, "1 2 3 4\n1 2 5")
    assert disk(base, log, tmp_path).before(len(log)) == [b"1 2 3 4\n"]
    zeros = told(base, tmp_path, "1 2 3 4\n\0\0\0\0\0\0\0\n1 2 3 4\n")
    assert disk(base, zeros, tmp_path).before(len(zeros)) == [b"1 2 3 4\n"]


def test_what_is_elsewhere_on_the_disk_is_no_acknowledgement(base: Path, tmp_path: Path) -> None:
    log = [
        Entry(one.offset - _BEGINS, one.length, False, False, one.data)
        for one in told(base, tmp_path, "1 2 3 4\n")
        if one.offset - _BEGINS + SECTOR <= _BEGINS
    ]
    assert disk(base, log, tmp_path).before(len(log)) == []


def test_a_log_without_any_is_refused(base: Path, tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="no acknowledgement; record a longer run"):
        disk(base, [flush()], tmp_path).span()
