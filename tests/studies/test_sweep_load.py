"""`waltax sweep load`: its plan, and a small sweep over load on a real engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax import row
from waltax.studies import frame, sweeps


def _waltax(*words: object) -> Said:
    return sweeping.said(frame.command("sweep load"), *words)


def test_each_load_has_its_own_off_and_all_take_turns() -> None:
    done = _waltax("--plan")
    assert done.code == 0, done.text
    cells = {line.split()[0] for line in done.text.splitlines() if line.startswith("  rocksdb-")}
    assert cells == {
        f"rocksdb-linkbench-sweep-load-{device}-t64-load{share}"
        for device in ("off-off", "ssd-sync", "nvme-sync", "nvram-sync")
        for share in (10, 30, 50, 80, 95)
    }
    assert "load: 50 % of what off can do" in done.text


@pytest.mark.parametrize("typed", ["50", "50,50", "0,50", "half,50", "10,,50", "10,900"])
def test_loads_that_are_none_are_refused(typed: str) -> None:
    done = _waltax("--plan", f"--load={typed}")
    assert done.code == 2
    assert f"--load: found '{typed}'" in done.text
    assert "10,30,50,80,95" in done.text


def test_a_bound_that_is_no_time_and_an_engine_without_off_are_refused() -> None:
    assert "0 is not in the range 1<=x<=1000000" in _waltax("--plan", "--p99-ms=0").text
    assert (
        "'innodb' is not one of 'rocksdb', 'myrocks'" in _waltax("--plan", "--engine=innodb").text
    )


def test_a_sweep_over_load_offers_shares_of_what_off_did_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sweeps, "STUDY", ("nvme",))
    monkeypatch.setenv("WALTAX_FORMATS", "terminal json")
    folders = [f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data", "--share-machine"]
    small = ["--profile", sweeping.profile(tmp_path), "--threads=4", "--load=10,20"]
    done = _waltax(*small, *folders)
    assert done.code == 0, done.text
    (folder,) = tmp_path.glob("results/2*")
    capacity = json.loads((folder / "capacity.json").read_text())
    assert len(capacity["slices"]) == 5
    rows = row.read(folder / "rows.jsonl")
    assert {r["load"] for r in rows} == {"10", "20"}
    for r in rows:
        assert r["rate"] == pytest.approx(int(r["load"]) / 100 * capacity["requests_per_s"])
        assert r["unserved"] >= 0
    (sweep,) = json.loads((folder / "load.json").read_text())["sweeps"]
    assert {(p["device"], p["load_percent"]) for p in sweep["points"]} == {
        (device, share) for device in ("off", "nvme") for share in (10, 20)
    }
    assert "requests/s in a closed loop, the median of 5 slices" in done.flowing
