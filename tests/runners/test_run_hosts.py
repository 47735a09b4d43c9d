"""Campaigns over workers of this machine, of which some die: real dask, real drivers."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import small_hosts as small
from waltax.row import Row


def _seed(folder: Path) -> int:
    kept: dict[str, int] = json.loads((folder / "campaign.json").read_text())
    return kept["seed"]


def _hosts_by_session(rows: list[Row]) -> dict[int, set[str]]:
    hosts: dict[int, set[str]] = {}
    for row in rows:
        hosts.setdefault(row["session"], set()).add(row["host"])
    return hosts


@pytest.mark.nightly  # tests/runners/hosts/test_sessions.py has workers that die, without dask
def test_a_campaign_outlives_a_worker_and_then_its_scheduler_and_loses_and_doubles_no_row(
    waltax: Any, tiny: Callable[..., Path], tmp_path: Path, shared_data: Path
) -> None:
    profile = tiny(min_sessions=6, time_budget_s=0.8)
    measured = ("--share-machine", "--profile", profile, "--device", "nvme")
    with small.dask(tmp_path / "dask", shared_data, "one", "two") as dask:
        campaign = waltax.start("--hosts", dask.address, *measured)
        waltax.wait_for_rows(campaign, 2)
        first = waltax.rows()[-1]["host"]
        dask.kill(first)
        waltax.wait_for_rows(campaign, len(waltax.rows()) + 1)
        dask.scheduler.kill()
        said, errors = campaign.communicate(timeout=120)
    assert campaign.returncode == 1, said + errors
    assert f"host {first} is left out: its worker has gone" in said
    assert "the scheduler at tcp://127.0.0.1:" in errors
    folder, before = waltax.folder(), waltax.rows()

    alone = waltax.run("--resume", folder)
    assert alone.returncode == 2
    assert "was measured on hosts" in alone.stderr
    with small.dask(tmp_path / "again", shared_data, "one") as dask:
        done = waltax.run("--share-machine", "--resume", folder, "--hosts", dask.address)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = waltax.rows()
    assert rows[: len(before)] == before
    assert (small.lost(rows, _seed(folder)), small.doubled(rows)) == (0, 0)
    assert [row["slice"] for row in rows] == list(range(len(rows)))
    by_session = _hosts_by_session(rows)
    assert all(len(hosts) == 1 for hosts in by_session.values())
    hosts = {one["name"]: one for one in json.loads((folder / "hosts.json").read_text())}
    assert hosts["one"]["doctor"]
    checks = [json.loads(line) for line in (folder / "checks.jsonl").read_text().splitlines()]
    assert {check["host"] for check in checks} <= {"one", "two"}


def test_ctrl_c_ends_a_session_after_its_slice_keeps_its_rows_and_says_how_to_go_on(
    waltax: Any, tiny: Callable[..., Path], tmp_path: Path, shared_data: Path
) -> None:
    with small.dask(tmp_path / "dask", shared_data, "one") as dask:
        campaign = waltax.start(
            *("--hosts", dask.address, "--share-machine", "--device", "nvme"),
            *("--profile", tiny(time_budget_s="600.0", min_sessions=999)),
        )
        waltax.wait_for_rows(campaign, 1)
        before = len(waltax.rows())
        campaign.send_signal(signal.SIGINT)
        said, errors = campaign.communicate(timeout=120)
        assert campaign.returncode == 130, said + errors
    again = f"--resume {shlex.quote(str(waltax.folder()))}"
    assert f"{Path(again).name} --hosts {dask.address}" in said
    rows = waltax.rows()
    assert len(rows) >= before
    assert (small.lost(rows, _seed(waltax.folder())), small.doubled(rows)) == (0, 0)
    assert not [*shared_data.glob(f"work/{waltax.folder().name}*")]
