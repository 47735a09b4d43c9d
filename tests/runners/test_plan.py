"""What is refused before anything is made, with what was found and what to type instead."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from waltax import analysis
from waltax.base.errors import UsageError
from waltax.base.folders import places
from waltax.runners import campaign, loop, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.driver import life
from waltax.runners.local import Local


def _campaign(folder: Path, engine: str = "rocksdb", *names: str, **more: Any) -> Campaign:
    recipe = Recipe(engine, ("linkbench",), "quick", names or ("nvme",), **more)
    return campaign.new(recipe, folder / "results", folder / "data")


@pytest.mark.parametrize(
    ("one", "words"),
    [
        ({"names": ("off",)}, "--device: found off alone, .*type --device nvme"),
        ({"engine": "innodb", "durability": "delayed"}, "--wal: found delayed alone .*--wal sync"),
    ],
)
def test_a_baseline_alone_is_no_campaign(one: dict[str, Any], words: str, tmp_path: Path) -> None:
    engine, names = one.pop("engine", "rocksdb"), one.pop("names", ())
    alone = _campaign(tmp_path, engine, *names, **one)
    with pytest.raises(UsageError, match=words):
        plan.require_sense(alone)
    with pytest.raises(UsageError, match=words):
        loop.measure(alone, analysis.estimate, print, Local(share_machine=True))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("names", [("off", "off"), ("nvme",), ("off", "nvme")])
def test_two_cells_are_a_campaign(names: tuple[str, ...], tmp_path: Path) -> None:
    plan.require_sense(_campaign(tmp_path, "rocksdb", *names))


@pytest.mark.parametrize("flag", ["--results", "--data-dir"])
@pytest.mark.parametrize("below", ["", "not/there/yet"])
def test_what_is_no_directory_is_no_place(flag: str, below: str, tmp_path: Path) -> None:
    places = {"--results": tmp_path, "--data-dir": tmp_path, flag: Path("/dev/null", below)}
    one = campaign.new(Recipe("rocksdb", (), "quick", ("nvme",)), *places.values())
    with pytest.raises(UsageError, match=f"{flag}: /dev/null is no directory; name another with"):
        plan.require_sense(one)


def test_a_read_only_place_is_refused_by_its_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", Mock(return_value=False))  # as root, too
    with pytest.raises(UsageError, match=f"--data-dir: {tmp_path} is read-only, or not writable"):
        places.require_writable("--data-dir", tmp_path / "data")


@pytest.mark.parametrize(
    ("free_mib", "words"),
    [
        ({"data": 100}, r"--data-dir: .*/data: 100 MiB free, but the campaign may need \d"),
        ({"results": 1}, "--results: .*/results: 1 MiB free, but the campaign may need 8; "),
        ({"shm": 1}, r"/dev/shm: 1 MiB free, .*mount -o remount,size=\d+m /dev/shm"),
    ],
)
def test_a_full_disk_is_refused_by_its_flag(
    free_mib: dict[str, int], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = _campaign(tmp_path)
    for name in ("data", "results"):
        (tmp_path / name).mkdir()

    def usage(folder: Path) -> Any:
        return Mock(total=1 << 50, free=free_mib.get(Path(folder).name, 1 << 20) << 20)

    monkeypatch.setattr(plan, "shutil", Mock(spec=shutil, disk_usage=usage))
    monkeypatch.setattr("psutil.virtual_memory", lambda: Mock(available=1 << 40))
    with pytest.raises(UsageError, match=words):
        plan.require_room(one)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("floppy", '--device: unknown device "floppy"; valid names are'),
        ("", "--device: found no name; type one of .*nvme"),
    ],
)
def test_a_device_that_is_none_is_told_by_its_flag(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=words):
        _campaign(tmp_path, "rocksdb", name)


def test_a_campaign_that_ends_before_its_first_row_leaves_no_folder(
    tmp_path: Path, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe("rocksdb", ("linkbench",), str(tiny()), ("nvme",))
    one = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    monkeypatch.setattr(life, "prepare", Mock(side_effect=UsageError("no such driver")))
    with pytest.raises(UsageError, match="no such driver"):
        loop.measure(one, analysis.estimate, print, Local(share_machine=True))
    assert not (tmp_path / "results").exists()
    one.save()
    with pytest.raises(UsageError, match="no such driver"):  # one that was begun stays
        loop.measure(one, analysis.estimate, print, Local(share_machine=True))
    assert (one.folder / "campaign.json").exists()
