"""Campaigns over workers of this machine, of which some die: real dask, real drivers."""

from __future__ import annotations

import contextlib
import json
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import small_hosts as small
from waltax.row import Row


def _family(campaign: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(campaign.pid).children(recursive=True)


def _kill(family: list[psutil.Process], *words: str) -> None:
    """The one whose command line has these words."""
    for one in family:
        with contextlib.suppress(psutil.Error):  # drivers come and go
            if all(word in " ".join(one.cmdline()) for word in words):
                one.kill()
                return
    raise AssertionError(f"none of {family} is {words}")


def _listening(family: list[psutil.Process]) -> set[str]:
    found = set()
    for one in family:
        with contextlib.suppress(psutil.Error):
            found |= {
                connection.laddr.ip
                for connection in one.net_connections()
                if connection.status == psutil.CONN_LISTEN
            }
    return found


def _all_ended(family: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(family, timeout=10)[1]


def _wait_for_another(waltax: Any, host: str) -> None:
    until_s = time.monotonic() + 60
    while waltax.rows()[-1]["host"] == host and time.monotonic() < until_s:
        time.sleep(0.02)


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
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    words = (
        "--hosts",
        "local:2",
        "--profile",
        tiny(min_sessions=3, time_budget_s=0.8),
        "--device",
        "nvme",
    )
    campaign = waltax.start(*words)
    waltax.wait_for_rows(campaign, 2)
    family, first = _family(campaign), waltax.rows()[-1]["host"]
    assert _listening(family) == {"127.0.0.1"}
    _kill(family, "distributed.cli.dask_worker", first)
    _wait_for_another(waltax, first)
    _kill(family, "distributed.cli.dask_scheduler")
    said, errors = campaign.communicate(timeout=120)
    assert campaign.returncode == 1, said + errors
    assert f"host {first} is left out: its worker has gone, in session " in said
    assert "the scheduler at tcp://127.0.0.1:" in errors
    folder, before = waltax.folder(), waltax.rows()
    assert "--hosts local:2" in said
    assert _all_ended(family)

    alone = waltax.run("--resume", folder)
    assert alone.returncode == 2
    assert "was measured on hosts" in alone.stderr
    done = waltax.run("--resume", folder, "--hosts", "local:1")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = waltax.rows()
    assert rows[: len(before)] == before
    assert (small.lost(rows, _seed(folder)), small.doubled(rows)) == (0, 0)
    assert [row["slice"] for row in rows] == list(range(len(rows)))
    by_session = _hosts_by_session(rows)
    assert all(len(hosts) == 1 for hosts in by_session.values())
    assert {host for hosts in by_session.values() for host in hosts} == {"local-1", "local-2"}
    hosts = {one["name"]: one for one in json.loads((folder / "hosts.json").read_text())}
    assert hosts["local-1"]["doctor"]
    assert hosts["local-2"]["lost"] == "its worker is not there any more"
    checks = [json.loads(line) for line in (folder / "checks.jsonl").read_text().splitlines()]
    assert {check["host"] for check in checks} <= {"local-1", "local-2"}
    assert [*(folder / "hosts" / "local-1").glob("*.options")]


def test_ctrl_c_ends_the_workers_after_their_slice_and_says_how_to_go_on(
    waltax: Any, tiny: Callable[..., Path], shared_data: Path
) -> None:
    campaign = waltax.start(
        "--hosts", "local:1", "--profile", tiny(time_budget_s="60.0"), "--device", "nvme"
    )
    waltax.wait_for_rows(campaign, 1)
    family = _family(campaign)
    campaign.send_signal(signal.SIGINT)
    said, errors = campaign.communicate(timeout=120)
    assert campaign.returncode == 130, said + errors
    again = f"--resume {shlex.quote(str(waltax.folder()))}"
    assert f"{Path(again).name} --hosts local:1" in said
    assert _all_ended(family)
    assert not [*shared_data.glob(f"work/{waltax.folder().name}*")]
