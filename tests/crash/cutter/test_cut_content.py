"""Which bytes a cut leaves: what was synced always, of the rest what a disk may have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from story import Story
from waltax.base.errors import WaltaxError
from waltax.crash.cutter import history
from waltax.crash.cutter.content import STRATEGIES
from waltax.crash.log import Kind

_SEEDS = range(200)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_was_synced_is_there_in_every_state(tmp_path: Path, strategy: str) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"durable")
    story.fdatasync("a")
    story.write("a", 7, b" and not")
    for seed in range(20):
        assert story.after(strategy, seed=seed)["a"].startswith(b"durable")


def test_nothing_else_is_there_when_it_is_dropped_and_all_when_it_is_kept(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"durable")
    story.fdatasync("a")
    story.write("a", 7, b" and not")
    assert story.after("dropped")["a"] == b"durable"
    assert story.after("kept")["a"] == story.after("kill")["a"] == b"durable and not"


def test_a_sync_covers_what_ended_before_it_began(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1")
    late = story.write("a", 1, b"2", ends=story.now + 40)
    sync = story.sync("a")
    assert sync.begin < (late.end or 0)
    story.now += 100
    assert story.after("dropped")["a"] == b"1..."


def test_a_sync_that_has_not_returned_covers_nothing(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1")
    sync = story.sync("a")
    assert story.after("dropped", moment=sync.begin)["a"] == b"...."
    assert story.after("dropped")["a"] == b"1..."


def test_a_started_write_back_covers_nothing(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1")
    story.call(Kind.SYNC_RANGE, file="a", length=4)
    assert story.after("dropped")["a"] == b"...."


def test_a_write_that_is_durable_by_itself_needs_no_sync(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1", flags=1)
    story.write("a", 1, b"2")
    assert story.after("dropped")["a"] == b"1..."


def test_what_came_after_the_moment_is_not_there(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1")
    then = story.now
    story.write("a", 1, b"2")
    assert story.after("kill", moment=then)["a"] == b"1..."


def test_a_recycled_file_gets_its_old_bytes_back_and_keeps_its_length(tmp_path: Path) -> None:
    story = Story(tmp_path, {"1.log": b"old " * 300})
    story.rename("1.log", "2.log")
    story.sync_folder()
    story.write("2.log", 0, b"new " * 200)
    assert story.after("dropped") == {"2.log": b"old " * 300}
    story.fdatasync("2.log")
    assert story.after("dropped") == {"2.log": b"new " * 200 + b"old " * 100}


def test_a_preallocated_file_keeps_its_length(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.call(Kind.ALLOCATE, file="a", length=4096)
    story.sync("a")
    story.write("a", 0, b"x" * 700)
    assert story.after("dropped")["a"] == bytes(4096)
    assert story.after("kept")["a"] == b"x" * 700 + bytes(3396)


def test_a_truncation_that_was_not_synced_may_not_have_happened(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"content"})
    story.call(Kind.TRUNCATE, file="a", offset=0)
    assert story.after("dropped")["a"] == b"content"
    assert story.after("kept")["a"] == b""


def test_a_prefix_ends_anywhere_and_tears_a_sector(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b""})
    data = bytes(range(1, 251)) * 6
    for at in range(0, 1500, 100):
        story.write("a", at, data[at : at + 100])
    found = {story.after("prefix", seed=seed)["a"] for seed in _SEEDS}
    assert all(data.startswith(one) for one in found)
    assert any(len(one) % 512 and len(one) % 100 for one in found)
    assert min(map(len, found)) < 200
    assert max(map(len, found)) > 1300


def test_any_sectors_are_there_and_none_is_half_a_sector(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"o" * 2048})
    story.write("a", 0, b"n" * 2048)
    found = {story.after("sectors", seed=seed)["a"] for seed in _SEEDS}
    assert len(found) == 16
    for one in found:
        assert all(len(set(one[at : at + 512])) == 1 for at in range(0, 2048, 512))


def test_a_sector_that_is_there_has_its_own_bytes(tmp_path: Path) -> None:
    """Also where a write begins and ends within one."""
    old, new = b"." * 2048, bytes(range(250)) * 6
    story = Story(tmp_path, {"a": old})
    story.write("a", 100, new)
    whole = old[:100] + new + old[1600:]
    for seed in range(50):
        found = story.after("sectors", seed=seed)["a"]
        for at in range(0, 2048, 512):
            assert found[at : at + 512] in (old[at : at + 512], whole[at : at + 512])


def test_a_sector_never_has_a_later_write_without_the_earlier(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"." * 512})
    story.write("a", 0, b"1")
    story.write("a", 1, b"2")
    found = {story.after("sectors", seed=seed)["a"][:2] for seed in _SEEDS}
    assert found == {b"..", b"1.", b"12"}


def test_a_file_may_have_grown_without_its_last_sectors(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b""})
    for at in range(4):
        story.write("a", at * 512, b"n" * 512)
    found = {story.after("sectors", seed=seed)["a"] for seed in _SEEDS}
    assert bytes(512) + b"n" * 1536 in found
    assert b"n" * 512 in found
    assert b"" in found


def test_a_write_under_way_may_be_there_in_part_and_is_never_certain(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"...."})
    story.write("a", 0, b"1234", ends=-1)
    assert story.after("kept")["a"] == story.after("dropped")["a"] == b"...."
    found = {story.after("prefix", seed=seed)["a"] for seed in _SEEDS}
    assert found == {b"....", b"1...", b"12..", b"123.", b"1234"}


def test_a_file_that_no_memory_holds_is_refused_by_its_size(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.call(Kind.TRUNCATE, file="a", offset=1 << 60)
    with pytest.raises(WaltaxError, match=r"a file of 1,152,921,504,606,846,976 bytes"):
        story.after("kept")


def test_a_change_of_a_file_that_nothing_names_is_a_torn_log(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"1")
    torn = replace(story.log, calls=story.log.calls[-1:])
    with pytest.raises(WaltaxError, match=r"WRITE of file 1, which no record before it names"):
        history.of(torn, {})
