"""Campaigns that are not of the same thing are refused with the key and both values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from paired import MACHINE, pair, write
from waltax.analysis.gate.sameness import require_same
from waltax.analysis.results import read
from waltax.analysis.results.hosts import machine_of
from waltax.base.errors import UsageError


def _refusal(place: Path, allow: tuple[str, ...] = (), **new: Any) -> str:
    base, other = pair(place, **new)
    with pytest.raises(UsageError) as refused:
        require_same(base, other, allow)
    return str(refused.value)


def test_campaigns_of_one_recipe_may_be_compared(tmp_path: Path) -> None:
    assert require_same(*pair(tmp_path)) == []


@pytest.mark.parametrize(
    ("word", "new", "said"),
    [
        ("profile", {"profile_digest": "p2"}, "profile_digest p2, and p1"),
        ("device", {"placement_digest": "x"}, "placement_digest x, and "),
        ("program", {"driver_digest": "d2"}, "driver_digest d2, and d1"),
        ("program", {"versions": {"waltax": "0.1.0", "rocksdb": "9.0"}}, "rocksdb 9.0, and 7.8.3"),
        ("tool", {"tap_digest": "t2"}, "tap_digest t2, and t1"),
        ("tool", {"versions": {"waltax": "2", "rocksdb": "7.8.3"}}, "of waltax 2, and 0.1.0"),
    ],
)
def test_another_thing_of_the_same_name_is_refused_unless_allowed(
    tmp_path: Path, word: str, new: dict[str, Any], said: str
) -> None:
    refusal = _refusal(tmp_path, **new)
    assert said in refusal
    assert f"--allow {word}" in refusal
    base, other = read([tmp_path / "a"]), read([tmp_path / "b"])
    assert "differs, as allowed" in require_same(base, other, [word])[0]


def test_another_place_of_the_binlog_is_another_device(tmp_path: Path) -> None:
    base, new = (
        read([write(tmp_path / device, 1, binlog_device=device)]) for device in ("nvme", "ssd")
    )
    with pytest.raises(UsageError, match=r"binlog_device ssd, and nvme in A.*--allow device"):
        require_same(base, new)
    assert require_same(base, new, ["device"])


def test_another_workload_is_never_allowed(tmp_path: Path) -> None:
    allow = ("program", "profile", "device", "tool")
    refusal = _refusal(tmp_path, allow, throughput_unit="ops/s")
    assert "throughput_unit ops/s, and requests/s" in refusal
    assert "--allow" not in refusal


def test_without_a_common_cell_the_first_difference_is_named(tmp_path: Path) -> None:
    base = read([write(tmp_path / "a", 1)])
    new = read([write(tmp_path / "b", 1, workload="tpcc", cell="rocksdb-tpcc-quick-x-sync-t4")])
    with pytest.raises(UsageError, match="found workload tpcc, and linkbench in A"):
        require_same(base, new)


def test_what_one_campaign_does_not_say_does_not_differ(tmp_path: Path) -> None:
    assert require_same(*pair(tmp_path, isolation="SERIALIZABLE", driver_digest=None)) == []


def test_a_campaign_beside_itself_is_refused(tmp_path: Path) -> None:
    one = read([write(tmp_path / "a", 1)])
    with pytest.raises(UsageError, match="found A itself"):
        require_same(one, one)


def test_another_command_of_a_served_campaign_is_another_workload(tmp_path: Path) -> None:
    base, new = pair(tmp_path)
    for name, run in (("a", "sysbench x"), ("b", "sysbench y")):
        kept = {"command": {"run": run, "metric": "tps: (.*)"}}
        (tmp_path / name / "campaign.json").write_text(json.dumps(kept))
    with pytest.raises(UsageError, match=r"command\.run sysbench y, and sysbench x"):
        require_same(base, new)


def test_a_machine_is_known_where_all_rows_agree_on_it(tmp_path: Path) -> None:
    one = read([write(tmp_path / "a", 1)])
    assert one.machine is not None
    assert vars(one.machine) == MACHINE
    assert machine_of([*one.rows, {**one.rows[0], "kernel": "6.2"}]) is None
    assert machine_of([{**one.rows[0], "cpu_model": None}]) is None
