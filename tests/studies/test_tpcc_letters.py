"""`waltax tpcc`: the letters of tpcc-mysql size the workload of a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest
from sweeping import Said, said
from waltax.runners.campaign import Campaign
from waltax.studies import devices, frame
from waltax.studies.request import Request


def _tpcc(*words: object) -> Said:
    return said(frame.command("tpcc"), *words)


def _planned(tmp_path: Path, engine: str = "rocksdb", profile: str = "quick") -> Campaign:
    request = Request(
        results=tmp_path / "results",
        data_dir=tmp_path / "data",
        engine=engine,
        profile=profile,
        own={"warehouses": 10, "connections": 20, "rampup": 5.0, "measure": 60.0},
    )
    (campaign,) = devices.TPCC.campaigns(request)
    return campaign


def test_warehouses_connections_and_times_go_where_a_campaign_has_them(tmp_path: Path) -> None:
    campaign = _planned(tmp_path)
    profile, section = campaign.profile, campaign.profile.workload("tpcc")
    assert (profile.name, campaign.recipe.workloads) == ("quick-w10-c20", ("tpcc",))
    assert section.load == {"warehouses": 10}
    assert section.data_mb == 9 + round((260 - 9) * 2.5 + 0.5)
    assert {cell.threads for cell in campaign.cells} == {20}
    # A session of a cell takes as long as one run of tpcc_start.
    assert (profile.timing.settle_s, profile.timing.rounds_per_session) == (5, 6)
    assert profile.timing.measure_s == 10


@pytest.mark.parametrize("engine", ["rocksdb", "myrocks"])
def test_terminals_of_a_profile_stay_a_multiple_of_the_connections(
    tmp_path: Path, engine: str
) -> None:
    assert _planned(tmp_path, engine, "paper").profile.workload("tpcc").run["terminals"] == 20


def test_letters_are_typed_as_for_tpcc_start(tmp_path: Path) -> None:
    places = (f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data", "--device=nvme")
    done = _tpcc("-w", 2, "-c", 3, "-r", 1, "-l", 2, "--profile", "ci", "--plan", *places)
    assert done.code == 0, done.text
    assert "tpcc, 3 threads: 2 warehouses; a terminal for each thread" in done.text
    assert "rocksdb-tpcc-ci-w2-c3-nvme-sync-t3" in done.text
