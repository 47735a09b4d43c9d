"""What benchmarks on servers leave behind: nothing, however they end."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from waltax.base.folders import folder
from waltax.runners import campaign, workspace
from waltax.runners.campaign import Recipe

from bench.homes import server as server_home


def test_a_folder_is_gone_after_the_benchmark_and_after_sigterm(place: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with server_home.home("test", place) as home:
        assert home.parent == place
    assert not home.exists()
    with pytest.raises(KeyboardInterrupt), server_home.home("test", place) as home:
        os.kill(os.getpid(), signal.SIGTERM)
    assert not home.exists()
    assert signal.getsignal(signal.SIGTERM) == before


def _leftover(path: Path) -> Path:
    """A folder of a benchmark that nobody holds."""
    folder.make(path, "bench").release()
    return path


def test_the_folder_of_a_killed_benchmark_goes_with_the_next_and_a_held_one_stays(
    place: Path,
) -> None:
    killed = _leftover(place / "waltax-bench-other-0")
    with server_home.home("held", place) as held, server_home.home("test", place):
        assert not killed.exists()
        assert held.exists()


def test_campaigns_sweep_up_after_killed_benchmarks_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "SHM", place / "memory")
    one = campaign.new(Recipe("rocksdb", ("linkbench",), "ci", ("nvme",)), place, place / "data")
    left = []
    for parent in (place / "data" / "work", place / "memory"):
        parent.mkdir(parents=True)
        left.append(_leftover(parent / "waltax-bench-test-0"))
    assert workspace.sweep(one) == []
    assert not any(path.exists() for path in left)
