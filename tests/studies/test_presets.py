"""Presets of `waltax try`: ours are whole, a user's own is taken, and a wrong one is named."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from sweeping import Said, said
from waltax.studies import frame, own_program

MINE = """\
command = "writer {words}"
flush = "writer --nosync {words}"
log = ["wal/"]
metric = 'rows: ([0-9]+)'
"""


def _try(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--plan")
    return said(frame.command("try"), *places, "--device=nvme", *words)


def test_ours_are_db_bench_and_servers() -> None:
    assert own_program.PRESETS == ("db_bench", "innodb", "myrocks", "redis")


@pytest.mark.parametrize("name", ["db_bench", "redis"])
def test_a_shipped_preset_is_planned_with_the_words_behind_it(tmp_path: Path, name: str) -> None:
    done = _try(tmp_path, f"--preset={name}", "--", "--one", "two words")
    assert done.code == 0, done.text
    assert shlex.join(["--one", "two words"]) in done.text
    assert "{words}" not in done.text
    for mode in ("sync", "flush", "off"):
        assert f"program-command-quick-nvme-{mode}-t1 " in done.text


def test_a_user_s_own_file_is_a_preset_and_an_option_replaces_what_it_says(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    done = _try(tmp_path, f"--preset={path}", "--", "9")
    assert done.code == 0, done.text
    assert "'writer 9' in an empty folder; its log: wal/*" in done.flowing
    assert "nvme-flush-t1 " in done.text
    assert "nvme-off-t1 " not in done.text
    typed = _try(tmp_path, f"--preset={path}", "--log=*.log", "--off=writer none", "--", "9")
    assert "its log: *.log" in typed.flowing
    assert "nvme-off-t1 " in typed.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MINE.replace("metric", "metrik"), "mine.toml: metrik: unknown key"),
        (MINE.replace('["wal/"]', '"wal/"'), "mine.toml: log: found"),
        (MINE.replace("wal/", "/wal"), "--log: found '/wal', want a path or a pattern"),
        (MINE.replace("([0-9]+)", "[0-9]+"), "--metric: 'rows: [0-9]+' has 0 groups"),
        (MINE.replace("command", "#"), "mine.toml: command: "),
        ("command = ", "mine.toml: "),
    ],
)
def test_a_wrong_file_is_refused_by_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    done = _try(tmp_path, f"--preset={path}", "--", "9")
    assert done.code == 2
    assert words in done.flowing


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "dbbench",
            "--preset: found 'dbbench', want a TOML file of yours, or one of db_bench, ",
        ),
        ("db_bensh", "; did you mean db_bench?"),
    ],
)
def test_an_unknown_name_is_answered_with_those_there_are(
    tmp_path: Path, name: str, words: str
) -> None:
    done = _try(tmp_path, f"--preset={name}", "--", "9")
    assert done.code == 2
    assert words in done.flowing
