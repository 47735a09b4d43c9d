"""`waltax sweep threads`: its plan, and a small sweep over clients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax.runners import campaign
from waltax.studies import frame, sweeps

pytestmark = pytest.mark.drawn


def _waltax(*words: object) -> Said:
    return sweeping.said(frame.command("sweep threads"), *words)


def test_each_number_of_clients_has_its_own_off_and_all_take_turns() -> None:
    done = _waltax("--plan")
    assert done.code == 0, done.text
    cells = {line.split()[0] for line in done.text.splitlines() if line.startswith("  rocksdb-")}
    assert cells == {
        f"rocksdb-linkbench-sweep-threads-{device}-t{threads}"
        for device in ("off-off", "ssd-sync", "nvme-sync", "nvram-sync")
        for threads in (1, 2, 4, 8, 16, 32)
    }


@pytest.mark.parametrize("threads", ["4", "4,4", "0,2", "two,4", "1,,2", "1,4096"])
def test_numbers_of_clients_that_are_none_are_refused(threads: str) -> None:
    done = _waltax("--plan", f"--threads={threads}")
    assert done.code == 2
    assert f"--threads: found '{threads}'" in done.text
    assert "1,2,4,8,16,32" in done.text


def test_a_latency_sweep_is_not_continued_as_one_over_clients(tmp_path: Path) -> None:
    points = ("sync-0us", "sync-50us")
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "quick", points, kind="sweep-latency")
    begun = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    begun.save()
    done = _waltax("--resume", begun.folder)
    assert done.code == 2
    assert "is of another command; type: waltax sweep latency --resume" in done.text


@pytest.mark.nightly
def test_a_sweep_over_clients_ends_with_its_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sweeps, "STUDY", ("ssd",))
    folders = [f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data", "--share-machine"]
    done = _waltax("--profile", sweeping.profile(tmp_path), "--threads=4,1", *folders)
    assert done.code == 0, done.text
    (folder,) = tmp_path.glob("results/2*")
    (sweep,) = json.loads((folder / "threads.json").read_text())["sweeps"]
    assert {point["threads"] for point in sweep["points"]} == {1, 4}
    assert "with 4 clients" in done.flowing
    assert (folder / "threads.png").stat().st_size > 0
