"""Rungs of two logs: what each one's syncs cost, and what one sync less a commit would give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rungs import OFF, rung_row
from synthetic import noise, published
from waltax import row
from waltax.analysis import reports
from waltax.analysis.report import Table
from waltax.analysis.results import ladder as sentences
from waltax.analysis.results.ladder import Ladder, ladders
from waltax.row import Row
from waltax.runners.recipe.comparison import second_ladder

SERVED = replace(OFF, engine="innodb")
TIMES_US = {"delayed": 90.0, "both-syncs-free": 50.0, "binlog-sync-free": 100.0}
TIMES_US |= {"wal-sync-free": 120.0, "device": 250.0}


def _rows(device: str, times_us: dict[str, float], engine: str = "innodb") -> list[Row]:
    """Three sessions of four rounds."""
    wobble = noise(0.005, seed=5)
    return [
        rung_row(cell, 4e6 / times_us[cell.rung or _name(cell.durability)] * wobble(), *slot)
        | {"binlog_digest": device, "campaign": device, "device_kind": "measured"}
        for slot in [(session, round_) for session in range(3) for round_ in range(4)]
        for cell in second_ladder(replace(SERVED, engine=engine), [device])
    ]


def _name(durability: str) -> str:
    return "device" if durability == "sync" else durability


def _only(rows: list[Row]) -> Ladder:
    (one,) = ladders(rows)
    return one


def test_the_ladder_leads_from_no_log_s_syncs_to_both() -> None:
    one = _only(_rows("nvme", TIMES_US))
    assert list(one.rungs) == ["both-syncs-free", "binlog-sync-free", "device"]
    added = [round(step.added_us.value or 0) for step in one.steps]
    assert all(abs(us - wanted) < 3 for us, wanted in zip(added, (50, 150), strict=True))
    assert "from both-syncs-free to nvme" in sentences.title(one)
    assert sentences.verdict(one).split(": ")[2].startswith("device (")


def test_either_log_s_syncs_left_out_gain_their_share() -> None:
    gains = _only(_rows("nvme", TIMES_US)).gains
    values = {name: round(gain.value or 0, 1) for name, gain in gains.items()}
    assert values == {"both-syncs-free": 5.0, "wal-sync-free": 2.1, "binlog-sync-free": 2.5}


def test_a_factor_follows_where_the_whole_interval_does() -> None:
    rows = _rows("fast", TIMES_US | {"device": 130.0}) + _rows("slow", TIMES_US | {"device": 450.0})
    said = sentences.one_sync_less(ladders(rows))
    assert "gives 1.3" in said
    assert "(fast (emulated)) to 4.5" in said
    assert "over 2 devices (kind measured); a factor of 2 follows on slow (emulated); " in said
    assert said.endswith("a factor of 4 follows on slow (emulated)")
    none = sentences.one_sync_less(ladders(_rows("fast", TIMES_US | {"device": 130.0})))
    assert none.endswith("a factor of 2 follows on none; a factor of 4 follows on none")


def test_a_factor_within_the_interval_cannot_be_told() -> None:
    said = sentences.one_sync_less(ladders(_rows("nvme", TIMES_US | {"device": 200.0})))
    assert "a factor of 2 follows on none, and cannot be told on nvme (emulated)" in said


def test_each_device_of_myrocks_has_a_baseline_with_its_own_binlog(tmp_path: Path) -> None:
    times, folders = TIMES_US | {"off": 60.0}, [tmp_path / "nvme", tmp_path / "ssd"]
    for folder in folders:
        folder.mkdir()
        for one in _rows(folder.name, times, "myrocks"):
            row.append(folder / "rows.jsonl", one)
    both, alone = reports.why(folders), published(reports.why(folders[:1]))
    assert "one sync less a commit, the binlog's, gives 2.5" in alone
    assert "from both-syncs-free to nvme" in alone
    (said,) = both.verdicts
    assert "over 2 devices" in said
    (table,) = [part for part in both.parts if isinstance(part, Table)]
    assert [line[0] for line in table.rows] == ["nvme (emulated)", "ssd (emulated)"]
