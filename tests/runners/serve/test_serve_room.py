"""Whether there is room for the servers."""

from __future__ import annotations

import shutil
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from waltax.errors import WaltaxError
from waltax.runners.campaign import Campaign
from waltax.runners.serve import asked, room

_Usage = namedtuple("_Usage", "total used free")
_Memory = namedtuple("_Memory", "available")
Plan = Callable[..., Campaign]


@pytest.fixture
def campaign(tmp_path: Path) -> Plan:
    """Of a server per device and its baseline, none of which is made."""

    def make(engine: str = "myrocks", *devices: str) -> Campaign:
        wanted = asked.Asked(engine, "quick", devices or ("nvme",), None, None, False, 1)
        return asked.to_measure(wanted, tmp_path / "results", tmp_path)

    return make


def test_every_server_has_a_cache_and_every_emulated_one_a_log_in_memory(campaign: Plan) -> None:
    one, two = (
        room.needs(campaign("myrocks", *names), "empty") for names in (["ssd"], ["ssd", "nvme"])
    )
    assert two.emulated == 2 * one.emulated > 0
    server = two.memory - one.memory - one.emulated
    assert one.memory == 2 * server + one.emulated
    assert server > 100


def test_clones_of_innodb_are_copies(campaign: Plan) -> None:
    def data(engine: str) -> float:
        planned = campaign(engine)
        return room.needs(planned, "linkbench").disk - room.needs(planned, "empty").disk

    assert data("innodb") > 3 * data("myrocks")


def test_a_data_directory_of_the_user_counts_with_its_files(campaign: Plan, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with (tmp_path / "mine" / "a.sst").open("wb") as file:
        file.truncate(300 << 20)
    planned = campaign()
    more = room.needs(planned, str(tmp_path / "mine")).disk - room.needs(planned, "empty").disk
    assert more == 300


def test_too_little_memory_is_refused_with_both_figures(
    campaign: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.require(campaign(), "empty")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: _Memory(1 << 20))
    with pytest.raises(WaltaxError, match=r"^1 MiB of memory available, but .* of 2 servers"):
        room.require(campaign(), "empty")


def test_too_small_a_disk_is_refused_by_name(
    campaign: Plan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usage = shutil.disk_usage
    monkeypatch.setattr(
        shutil,
        "disk_usage",
        lambda path: _Usage(9, 9, 1 << 20) if path == tmp_path else usage(path),
    )
    with pytest.raises(WaltaxError, match=rf"{tmp_path}: 1 MiB free, but .* --data-dir"):
        room.require(campaign(), "empty")
