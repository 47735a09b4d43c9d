"""`waltax paper`: its plan, its campaigns, and the table that can be had again from rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from sweeping import Said, said
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.runners import plan as runners_plan
from waltax.runners.campaign import Campaign
from waltax.studies import devices, frame
from waltax.studies.request import Request


def _paper(*words: object) -> Said:
    return said(frame.command("paper"), *words)


def _planned(tmp_path: Path, *workloads: str, scale: float = 0.01) -> Sequence[Campaign]:
    request = Request(
        results=tmp_path / "results",
        data_dir=tmp_path / "data",
        engine="myrocks",
        workloads=workloads,
        own={"scale": scale},
    )
    return devices.PAPER.campaigns(request)


def test_the_plan_tells_time_disk_and_memory_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners_plan, "require_room", lambda _: None)  # it is any machine's
    folders = (f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data")
    done = _paper("--plan", *folders)
    assert done.code == 0, done.text
    for expected in (
        "linkbench, 10 threads: 10,000,000 ids",
        "tpcc, 10 threads: 100 warehouses",
        "myrocks-linkbench-paper-off-off-t10",
        "myrocks-tpcc-paper-ssd-sync-t10",
        "8 cells take turns: at most ",
        "disk    at most ",
        "memory  at most ",
    ):
        assert expected in done.text, expected
    assert list(tmp_path.iterdir()) == []


def test_a_plan_without_room_is_refused_behind_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = Mock(side_effect=UsageError("too small"))
    monkeypatch.setattr(runners_plan, "require_room", refused)
    folders = (f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data")
    done = CliRunner().invoke(frame.command("paper"), ["--plan", *folders])
    assert str(done.exception) == "too small"
    assert "8 cells take turns: at most " in done.output


def test_a_scaled_plan_writes_nothing_either(tmp_path: Path) -> None:
    folders = (f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data")
    done = _paper("--plan", "--scale=0.01", *folders)
    assert "profile paper-x0.01" in done.text
    assert "at most 10.0 min of slices" in done.text
    assert "1 warehouse; a terminal for each thread; threads that share a warehouse" in done.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scale", ["0", "2", "tiny"])
def test_a_scale_that_is_none_is_refused(scale: str) -> None:
    done = _paper("--plan", f"--scale={scale}")
    assert done.code == 2
    assert "--scale" in done.text


def test_the_campaign_has_the_paper_s_cells_under_the_scaled_name(tmp_path: Path) -> None:
    planned = _planned(tmp_path)
    cells = {cell.id for campaign in planned for cell in campaign.cells}
    assert cells == {
        f"myrocks-{workload}-paper-x0.01-{device}-t10"
        for workload in ("linkbench", "tpcc")
        for device in ("off-off", "ssd-sync", "nvme-sync", "nvram-sync")
    }


@pytest.mark.nightly
@pytest.mark.usefixtures("no_floors")
def test_the_paper_s_experiment_runs_small_and_ends_with_both_tables(place: Path) -> None:
    folders = [f"--results={place}/results", f"--data-dir={place}/data"]
    argv = ["--scale=0.0001", "--workload=linkbench", "--share-machine", *folders]
    done = CliRunner().invoke(frame.command("paper"), argv, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "server: MariaDB " in done.output
    assert " 66.0 " in done.output  # what the paper has for ssd
    (profile,) = place.glob("results/profiles/myrocks-paper-x0.0001-*.toml")
    assert profiles.load(str(profile), "myrocks")
