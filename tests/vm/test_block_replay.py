"""What was flushed is on the medium in every state; of the rest, what a disk may have written."""

from __future__ import annotations

import shutil
from pathlib import Path
from unittest import mock

import pytest
from blocks import replay
from blocks.log import Entry
from blocks.replay import STRATEGIES, BlockCut, Region
from handmade import flush, letters, write_of
from waltax.base import proc

_SEEDS = range(25)
_SECTORS = 8


def after(
    tmp_path: Path, log: list[Entry], strategy: str, entries: int | None = None, seed: int = 0
) -> str:
    base, image = tmp_path / "base", tmp_path / "image"
    base.write_bytes(bytes(_SECTORS * 512))
    count = len(log) if entries is None else entries
    replay.write(base, log, BlockCut(count, strategy, seed), image)
    return letters(image)


def states(tmp_path: Path, log: list[Entry], strategy: str) -> set[str]:
    """Of all seeds; without a process for each copy, which takes most of the time."""
    with mock.patch.object(proc, "run", lambda argv: shutil.copyfile(*argv[-2:])):
        return {after(tmp_path, log, strategy, seed=seed) for seed in _SEEDS}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_was_flushed_is_there_in_every_state(tmp_path: Path, strategy: str) -> None:
    log = [write_of(0, "ab"), flush(), write_of(4, "cd")]
    assert all(state.startswith("ab..") for state in states(tmp_path, log, strategy))


def test_what_was_not_flushed_is_dropped_or_kept(tmp_path: Path) -> None:
    log = [write_of(0, "ab"), flush(), write_of(1, "c"), write_of(4, "d")]
    assert after(tmp_path, log, "dropped") == "ab......"
    assert after(tmp_path, log, "kept") == "ac..d..."


def test_nothing_is_durable_without_a_flush(tmp_path: Path) -> None:
    assert after(tmp_path, [write_of(0, "ab")], "dropped") == "." * _SECTORS


def test_a_flush_covers_nothing_that_comes_after_the_cut_or_with_it(tmp_path: Path) -> None:
    log = [write_of(0, "a"), flush()]
    assert after(tmp_path, log, "dropped", entries=1) == "." * _SECTORS
    data = write_of(1, "b")
    with_data = [write_of(0, "a"), Entry(data.offset, data.length, True, False, data.data)]
    assert after(tmp_path, with_data, "dropped") == "a......."


def test_forced_access_makes_its_own_data_durable_and_no_other(tmp_path: Path) -> None:
    log = [write_of(0, "a"), write_of(1, "b", fua=True), write_of(2, "c")]
    assert after(tmp_path, log, "dropped") == ".b......"


def test_forced_data_is_not_undone_by_older_data_that_was_in_the_cache(tmp_path: Path) -> None:
    log = [write_of(0, "a"), write_of(0, "b", fua=True)]
    assert {*states(tmp_path, log, "writes"), after(tmp_path, log, "kept")} == {"b......."}


def test_writes_reach_the_medium_whole_and_in_any_order(tmp_path: Path) -> None:
    log = [write_of(0, "ab"), write_of(4, "cd")]
    assert states(tmp_path, log, "writes") == {"........", "ab......", "....cd..", "ab..cd.."}


def test_sectors_reach_the_medium_each_by_itself(tmp_path: Path) -> None:
    assert states(tmp_path, [write_of(0, "ab")], "sectors") == {
        *("........", "a.......", ".b......", "ab......")
    }


def test_a_sector_that_was_written_twice_has_any_of_both(tmp_path: Path) -> None:
    log = [write_of(0, "a"), write_of(0, "b")]
    assert states(tmp_path, log, "sectors") == {"........", "a.......", "b......."}


def test_what_was_discarded_is_zeros(tmp_path: Path) -> None:
    discarded = Entry(512, 1024, False, False, memoryview(b""))
    log = [write_of(0, "abcd"), discarded]
    assert after(tmp_path, log, "kept") == "a..d...."


def test_equal_cuts_are_equal(tmp_path: Path) -> None:
    log = [write_of(at, "x") for at in range(_SECTORS)]
    assert after(tmp_path, log, "sectors", seed=7) == after(tmp_path, log, "sectors", seed=7)
    assert len(states(tmp_path, log, "sectors")) > len(_SEEDS) // 2


def test_a_region_has_as_many_entries_and_its_own_data(tmp_path: Path) -> None:
    log = [write_of(1, "abcd"), flush(), write_of(0, "xy"), write_of(6, "z", fua=True)]
    inner = replay.within(log, Region(2 * 512, 3 * 512))
    assert [(one.offset // 512, bytes(one.data)[::512]) for one in inner] == [
        *((0, b"bcd"), (0, b""), (0, b""), (4, b""))
    ]
    assert [one.flush for one in inner] == [False, True, False, False]
    assert after(tmp_path, inner, "dropped") == "bcd....."
