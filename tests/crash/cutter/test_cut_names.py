"""Which names a cut leaves, as a journal orders them and as POSIX promises them."""

from __future__ import annotations

from pathlib import Path

from story import ROOT, Story
from waltax.crash.log import Kind

_SEEDS = range(60)


def test_a_journal_brings_the_name_of_a_file_that_was_synced(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"x")
    story.fdatasync("a")
    assert story.after("dropped", "journal") == {"a": b"x"}
    assert story.after("dropped", "strict") == {}
    story.sync_folder()
    assert story.after("dropped", "strict") == {"a": b"x"}


def test_a_journal_keeps_the_order_of_names(tmp_path: Path) -> None:
    story = Story(tmp_path)
    for name in ("a", "b", "c"):
        story.create(name)
    story.sync("b")
    assert set(story.after("dropped")) == {"a", "b"}
    found = {"".join(sorted(story.after("sectors", seed=seed))) for seed in _SEEDS}
    assert found == {"ab", "abc"}


def test_strict_names_come_in_any_order(tmp_path: Path) -> None:
    story = Story(tmp_path)
    for name in ("a", "b"):
        story.create(name)
    found = {"".join(sorted(story.after("prefix", "strict", seed=seed))) for seed in _SEEDS}
    assert found == {"", "a", "b", "ab"}


def test_a_name_that_came_after_the_moment_is_never_there(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    then = story.now
    story.create("b")
    for names in ("journal", "strict"):
        for seed in _SEEDS:
            assert "b" not in story.after("prefix", names, seed=seed, moment=then)


def test_a_name_that_was_replaced_is_the_old_file_or_the_new(tmp_path: Path) -> None:
    story = Story(tmp_path, {"CURRENT": b"1"})
    story.create("new")
    story.write("new", 0, b"2")
    story.sync("new")
    story.rename("new", "CURRENT")
    for names in ("journal", "strict"):
        found = {story.after("sectors", names, seed=seed)["CURRENT"] for seed in _SEEDS}
        assert found == {b"1", b"2"}
    story.sync_folder()
    for names in ("journal", "strict"):
        assert story.after("dropped", names) == {"CURRENT": b"2"}


def test_fdatasync_brings_no_rename_of_a_file_that_did_not_grow(tmp_path: Path) -> None:
    story = Story(tmp_path, {"1.log": b"old!"})
    story.rename("1.log", "2.log")
    story.write("2.log", 0, b"new!")
    story.fdatasync("2.log")
    assert story.after("dropped") == {"1.log": b"new!"}
    story.sync("2.log")
    assert story.after("dropped") == {"2.log": b"new!"}


def test_fdatasync_of_a_file_that_grew_brings_all_names_before_it(tmp_path: Path) -> None:
    story = Story(tmp_path, {"log": b"", "x": b""})
    story.rename("x", "y")
    story.write("log", 0, b"new")
    story.fdatasync("log")
    assert set(story.after("dropped")) == {"log", "y"}


def test_a_removal_that_is_not_durable_leaves_the_file_with_its_content(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"still here"})
    story.call(Kind.UNLINK, "a")
    assert story.after("dropped") == {"a": b"still here"}
    assert story.after("kill") == {}


def test_names_may_be_there_without_their_content(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"x")
    assert story.after("empty") == {"a": b""}
    assert story.after("nameless") == {}


def test_what_lies_in_a_folder_whose_name_was_lost_is_lost(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.call(Kind.MKDIR, "sub")
    story.create("sub/a")
    story.sync_folder("sub")
    assert story.after("dropped", "strict") == {}
    story.sync_folder()
    assert story.after("dropped", "strict") == {"sub/a": b""}


def test_a_file_of_two_names_is_one(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": b"x"})
    story.call(Kind.LINK, "a", other=str(ROOT / "b"))
    story.write("a", 0, b"y")
    assert story.after("kill") == {"a": b"y", "b": b"y"}
    assert story.after("empty") == {"a": b"x", "b": b"x"}
    assert (story.last / "a").samefile(story.last / "b")


def test_a_sync_of_everything_makes_everything_durable(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.create("a")
    story.write("a", 0, b"x")
    story.call(Kind.SYNC_ALL)
    for names in ("journal", "strict"):
        assert story.after("dropped", names) == {"a": b"x"}
