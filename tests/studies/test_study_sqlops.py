"""`waltax sweep statements` on real servers, with ramps of a second."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sweeping import said
from waltax import cli
from waltax.studies import statements

pytestmark = pytest.mark.drawn


def _typed(folder: Path, *words: str) -> tuple[int, str]:
    flags = ("--results", folder / "results", "--data-dir", folder / "data", "--share-machine")
    small = ("--scale", "0.0001", "--rounds", "2")
    done = said(cli.cli, "sweep", "statements", *small, *flags, *words)
    return done.code, done.flowing


@pytest.mark.nightly
def test_both_engines_take_turns_in_a_closed_loop_and_under_the_studys_arrivals(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "_SHORTEST_RAMP_S", 1.0)
    code, text = _typed(place, "--statements", "update-hot,insert", "--seed", "3")
    assert code == 0, text
    (folder,) = (place / "results").iterdir()
    lines = [json.loads(line) for line in (folder / "statements.jsonl").open()]
    slices = [one for one in lines if one["way"] in ("closed", "arrivals")]
    modes = {
        "innodb": {"delayed", "flush", "sync"},
        "myrocks": {"off", "flush", "sync"},
    }
    for engine, wanted in modes.items():
        mine = [one for one in slices if one["engine"] == engine]
        assert {one["durability"] for one in mine if one["way"] == "closed"} == wanted
        for one in (row for row in mine if row["durability"] == "sync"):
            assert one["tap_syncs"] > 0
        (ten, other) = [
            one
            for one in mine
            if (one["way"], one["workload"]) == ("arrivals", "sqlops-update-hot")
        ]
        # Ten threads a second, each with one update, and no sooner.
        assert ten["requests"] == other["requests"] == ten["threads"] == 10
        assert ten["measure_s"] >= 0.9
        assert ten["pool"] == 10
        inserts = [
            one for one in mine if (one["way"], one["workload"]) == ("arrivals", "sqlops-insert")
        ]
        assert [one["requests"] for one in inserts] == [2000, 2000]
        for one in inserts:
            parts = one["connection_wait_us_mean"] + one["service_us_mean"]
            assert 0 < one["service_us_mean"] < parts <= 1.05 * one["latency_us_mean"]
    referring = [one for one in lines if one["way"] == "foreign"]
    assert [(one["engine"], one["workload"]) for one in referring] == [
        ("innodb", "sqlops-insert")
    ] * 2
    assert "inserts on innodb whose three courses are foreign keys" in text
    filled = {one["engine"]: one for one in lines if one["way"] == "filled"}
    assert all(one["schema_bytes"] / one["table_rows"] > 20 for one in filled.values())
    sizes = {
        (one["engine"], one["compression_ratio"]): one["file_bytes"]
        for one in lines
        if one["way"] == "loaded"
    }
    assert sizes["myrocks", 0.1] < sizes["myrocks", 0.3] < sizes["myrocks", 1.0]
    assert "arrival-limited" in text
    assert (folder / "insert-rate.png").stat().st_size > 0
    assert list((place / "data" / "work").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said_"),
    [
        (("--scale", "0"), "--scale"),
        (("--statements", "select-all"), "--statements: found 'select-all'"),
        (("--device", "off"), "--device: found off, which writes no log"),
        (("--profile", "huge"), "--profile: found 'huge' with --engine"),
        (("--rounds", "1"), "--rounds"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_loaded(
    place: Path, words: tuple[str, ...], said_: str
) -> None:
    code, text = _typed(place, *words)
    assert code == 2
    assert said_ in text
    assert not (place / "results").exists()
    assert not (place / "data").exists()
