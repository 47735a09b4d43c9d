"""Presets of `waltax try` are whole, and give way to what is typed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from sweeping import Said, said
from waltax.studies import frame, program_line


def _try(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--plan")
    return said(frame.command("try"), *places, "--device=nvme", *words)


def test_ours_are_db_bench_and_servers() -> None:
    assert program_line.PRESETS == ("db_bench", "innodb", "myrocks", "redis")


@pytest.mark.parametrize("name", ["db_bench", "redis"])
def test_a_shipped_preset_is_planned_with_the_words_behind_it(tmp_path: Path, name: str) -> None:
    done = _try(tmp_path, f"--preset={name}", "--", "--one", "two words")
    assert done.code == 0, done.text
    assert shlex.join(["--one", "two words"]) in done.text
    assert "{words}" not in done.text
    for mode in ("sync", "flush", "off"):
        assert f"program-command-quick-nvme-{mode}-t1 " in done.text


def test_an_option_that_is_typed_replaces_what_a_preset_says(tmp_path: Path) -> None:
    words = ("--log=*.log", "--off=", "--flush=writer none")
    done = _try(tmp_path, "--preset=db_bench", *words, "--", "9")
    assert done.code == 0, done.text
    assert "its log: *.log" in done.flowing
    assert "nvme-flush-t1 " in done.text
    assert "nvme-off-t1 " not in done.text


def test_an_unknown_name_is_answered_with_those_there_are(tmp_path: Path) -> None:
    done = _try(tmp_path, "--preset=db_bensh", "--", "9")
    assert done.code == 2
    assert "'db_bensh' is not one of 'db_bench', 'innodb', 'myrocks', 'redis'" in done.flowing
