from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError, in_words, naming


def _words(act: Callable[[], object]) -> str:
    try:
        act()
    except OSError as error:
        return in_words(error)
    raise AssertionError("it went well")


def test_the_folder_that_is_missing_is_named_and_not_only_a_file_in_it(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    told = _words((gone / "deep" / "file").read_text)
    assert told == f"{gone} is missing (looked for deep/file in it)"
    assert _words(lambda: os.stat(os.fsencode(gone / "x"))).startswith(f"{gone} is missing")  # noqa: PTH116


def test_a_file_that_is_missing_in_its_folder_is_named_with_the_reason(tmp_path: Path) -> None:
    assert _words((tmp_path / "no").read_text) == f"{tmp_path}/no: No such file or directory"


def test_of_a_rename_or_a_link_both_names_are_looked_at(tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    here.touch()
    told = f"{gone} is missing (looked for x in it)"
    assert _words(lambda: here.rename(gone / "x")) == told
    assert _words(lambda: os.link(here, gone / "x")) == told
    (tmp_path / "folder").mkdir()
    told = _words(lambda: here.rename(tmp_path / "folder"))
    assert told == f"{here} to {tmp_path}/folder: Is a directory"


def test_an_error_without_a_file_says_what_was_being_done_and_who_may_have_lied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act() -> None:
        proc.any_ended([0], 1.0)  # no process has that number

    monkeypatch.delenv("LD_PRELOAD", raising=False)
    where = r"base/proc\.py:\d+: handles\.append\(os\.pidfd_open\(pid\)\)"
    assert re.fullmatch(f"{where}: Invalid argument", _words(act))
    monkeypatch.setenv("LD_PRELOAD", "x.so")
    liar = "; LD_PRELOAD=x.so may have answered for the kernel: unset it"
    assert _words(act).endswith(f"Invalid argument{liar}")


def test_an_error_without_a_file_or_of_ours_has_its_own_words() -> None:
    assert in_words(OSError(5, "Input/output error")) == "input/output: Input/output error"
    assert in_words(OSError("odd")) == "odd"
    assert in_words(WaltaxError("a: b")) == "a: b"


def test_a_file_that_fills_its_disk_is_named_and_one_that_has_a_name_keeps_it(
    tmp_path: Path,
) -> None:
    def fill() -> None:
        with naming(tmp_path / "mine"):
            Path("/dev/full").write_text("x")

    def miss() -> None:
        with naming(tmp_path / "mine"):
            (tmp_path / "other").read_text()

    assert _words(fill) == f"{tmp_path}/mine: No space left on device"
    assert _words(miss) == f"{tmp_path}/other: No such file or directory"
