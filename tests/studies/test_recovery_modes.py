"""`waltax receipts --recovery-modes`: real logs that are damaged and opened in each mode."""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from small_profile import small_profile
from sweeping import said
from waltax import cli

_TOLERATE, _ABSOLUTE = "kTolerateCorruptedTailRecords", "kAbsoluteConsistency"
_IN_TIME, _SKIP = "kPointInTimeRecovery", "kSkipAnyCorruptedRecords"
_MODES = (_TOLERATE, _ABSOLUTE, _IN_TIME, _SKIP)


def _typed(folder: Path, engine: str, *words: str) -> tuple[int, str]:
    flags = ("--results", folder / "results", "--data-dir", folder / "data", "--share-machine")
    what = ("--profile", small_profile(folder, engine), "--engine", engine)
    how = ("--workload", "linkbench", "--cuts", "1", "--states", "1", "--seconds", "2")
    done = said(cli.cli, "receipts", "--recovery-modes", *what, *how, *flags, *words)
    return done.code, done.flowing


Found = dict[str, dict[str, dict[str, Any]]]


def _found(folder: Path) -> Found:
    """What each damage came to in each mode."""
    (results,) = (folder / "results").iterdir()
    rows = [json.loads(line) for line in (results / "recovery-modes.jsonl").open()]
    by_damage = groupby(rows, itemgetter("damage"))
    return {name: {one["mode"]: one for one in of} for name, of in by_damage}


@pytest.mark.parametrize("engine", ["rocksdb", pytest.param("myrocks", marks=pytest.mark.nightly)])
def test_modes_differ_in_what_they_open_and_not_in_what_was_synced(
    place: Path, engine: str
) -> None:
    code, text = _typed(place, engine, "--wal", "sync", "--seed", "2")
    assert code == 0, text
    found = _found(place)
    assert all(tuple(of) == _MODES for of in found.values())
    assert list(found) == ["killed", "torn", "sectors", "changed"]
    # A hole in what was unsynced is no torn tail, which is all that the first mode tolerates, and
    # the last reads on behind it.
    whole = [found[damage][mode] for damage in ("killed", "torn") for mode in (_TOLERATE, _SKIP)]
    for one in (*whole, *(found[damage][_IN_TIME] for damage in ("killed", "torn", "sectors"))):
        assert (one["opens"], one["consistent"], one["lost"]) == (True, True, 0)
    changed = found["changed"]
    assert [changed[mode]["opens"] for mode in _MODES] == [False, False, True, True]
    assert changed[_IN_TIME]["consistent"]
    assert 0 < changed[_IN_TIME]["lost"] < changed[_IN_TIME]["acknowledged"]
    assert "point in time (2) opens 4 of 4 logs" in text
    (results,) = (place / "results").iterdir()
    assert (results / "receipts.json").is_file()
    assert list((place / "data" / "work").iterdir()) == []


def test_innodb_has_no_such_modes(tmp_path: Path) -> None:
    code, text = _typed(tmp_path, "innodb")
    assert (code, "--recovery-modes: found with --engine innodb, which has none" in text) == (
        2,
        True,
    )
