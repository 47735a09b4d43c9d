"""`waltax recovery`: real engines that are killed and opened again, with a short log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sweeping import said
from waltax import cli
from waltax.profiles.model import FOLDER


def _typed(folder: Path, *words: str, engine: str = "rocksdb") -> tuple[int, str]:
    name = "ci.toml" if engine == "rocksdb" else f"{engine}-ci.toml"
    text = (FOLDER / name).read_text().replace('name = "ci"', 'name = "mine"')
    (folder / "mine.toml").write_text(text.replace("warehouses = 2", "warehouses = 1"))
    flags = ("--results", folder / "results", "--data-dir", folder / "data", "--share-machine")
    what = ("--profile", folder / "mine.toml", "--engine", engine)
    done = said(cli.cli, "recovery", *what, *flags, *words)
    return done.code, done.flowing


@pytest.mark.parametrize(("engine", "kills"), [("rocksdb", 2), ("myrocks", 1), ("innodb", 1)])
def test_all_of_the_log_is_replayed_and_nothing_of_it_is_lost(
    place: Path, engine: str, kills: int
) -> None:
    words = ("--logs", "1 4", "--kills", str(kills), "--openings", "2", "--seed", "3")
    code, text = _typed(place, *words, engine=engine)
    assert code == 0, text
    (folder,) = (place / "results").iterdir()
    rows = [json.loads(line) for line in (folder / "recovery.jsonl").open()]
    assert [(one["kill"], one["asked_bytes"] >> 20, one["opening"]) for one in rows] == [
        (kill, mib, opening) for kill in range(kills) for mib in (1, 4) for opening in range(2)
    ]
    assert [one["seed"] - 3 for one in rows] == [one["kill"] for one in rows]
    short, long = rows[0]["log_bytes"], rows[-1]["log_bytes"]
    assert short >= 1 << 20
    assert long >= 4 << 20
    for one in rows:
        assert one["engine"] == engine
        assert 0 < one["recovery_s"] <= one["open_s"]
        assert one["log_files"] >= 1
    found = json.loads((folder / "recovery.json").read_text())
    assert len(found["openings"]) == len(rows)
    assert (found["seconds_per_gib"]["low"] is None) == (kills == 1)
    assert "for each GiB of log" in text
    assert (folder / "recovery.png").stat().st_size > 0
    assert list((place / "data" / "work").iterdir()) == []


@pytest.mark.parametrize("text", ["0", "-4", "big", "", "70000", "1.5"])
def test_a_length_that_is_none_is_refused_before_anything_is_made(
    tmp_path: Path, text: str
) -> None:
    code, told = _typed(tmp_path, f"--logs={text}")
    assert code == 2
    assert "--logs: found" in told
    assert not (tmp_path / "results").exists()
