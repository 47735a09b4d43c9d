"""What the report says of hosts: the typical one, each, and which were lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from host_rows import KEPT, campaign, host_rows
from synthetic import make_rows, report, steady
from waltax.analysis import reports
from waltax.analysis.gate import difference

_ALIKE = {"h1": 0.40, "h2": 0.42, "h3": 0.39, "h4": 0.405, "h5": 0.395, "h6": 0.41}
_FEW = {"h1": 0.4, "h2": 0.42}
_ODD = _ALIKE | {"h7": 0.6}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign over seven hosts, of which the last costs more."""
    return campaign(tmp_path_factory.mktemp("hosts") / "odd", host_rows(_ODD), KEPT)


@pytest.fixture(scope="module")
def said(odd: Path) -> str:
    return report(odd)


def test_the_typical_host_and_how_far_hosts_are_apart_are_said_first(said: str) -> None:
    assert "on the typical of 7 hosts." in said.splitlines()[0]
    assert "42 rounds in 14 sessions on 7 hosts, within this occasion" in said
    (line,) = [one for one in said.splitlines() if one.startswith("  nvme (emulated) costs")]
    assert re.search(r"on the typical of 7 hosts, 39\.2 to 59\.7 % on single ones", line)


def test_each_host_has_its_own_overhead(said: str) -> None:
    lines = [one.split() for one in said.splitlines() if one.strip().startswith("h7 ")]
    (line,) = [one for one in lines if one[1] == "nvme"]
    assert line[3:5] == ["2", "6"]
    assert float(line[5]) == pytest.approx(60.0, abs=1.0)


def test_lost_hosts_are_warned_of(said: str, odd: Path) -> None:
    assert "warning: host h9 was lost: its worker died in session 3" in said
    assert "host h9 was lost: its worker died in session 3" in reports.devices([odd]).warnings


_WRONG = {"cpu_model": "x", "cores": 2, "memory_gib": "much", "kernel": []}


@pytest.mark.parametrize(
    "kept",
    [
        *(None, {}, "x", [{"name": "h1", "machine": _WRONG}]),
        [1, {"name": 3, "doctor": "x", "machine": []}],
    ],
)
def test_a_file_of_hosts_that_is_not_there_or_broken_takes_nothing_from_the_report(
    kept: object, tmp_path: Path
) -> None:
    found = reports.devices([campaign(tmp_path / "a", host_rows(_FEW), kept)])
    assert {one["host"] for one in (found.content or {})["hosts"]} == set(_FEW)


def test_programs_get_every_host_and_rows_keep_theirs(odd: Path) -> None:
    content = json.loads(json.dumps(reports.devices([odd]).content))
    assert {one["host"] for one in content["hosts"]} == set(_ODD)
    far = [one["host"] for one in content["hosts"] if one["overhead"] > one["typical"] + 0.1]
    assert far == ["h7"]
    assert content["hosts_lost"] == {"h9": "its worker died in session 3"}
    assert content["cells"][1]["hosts"] == 7


def test_a_campaign_without_hosts_says_nothing_of_them(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "a", make_rows(3, 4, steady(off=1000.0, nvme=600.0)))
    found = reports.devices([folder])
    assert not [name for name in found.content or {} if "hosts" in name]
    assert not [part for part in found.parts if "ost" in getattr(part, "title", "")]


@pytest.mark.usefixtures("said")
def test_the_page_shows_the_hosts(odd: Path) -> None:
    assert "host by host" in (odd / "report.html").read_text()


def test_two_campaigns_over_hosts_are_compared() -> None:
    slower = {host: cost + 0.2 for host, cost in _ALIKE.items()}
    found = {
        one.result.device: one.points
        for one in difference.compared(host_rows(_ALIKE), host_rows(slower))
        if one.points.value is not None
    }
    assert found["nvme"].value == pytest.approx(0.2, abs=0.01)
    assert found["nvme"].low is not None
    assert found["nvme"].low > 0.1
