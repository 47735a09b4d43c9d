"""Where a resumed campaign finds its data, so that its rows are of one disk."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_cells import FakeCell, FakeCells
from waltax import row
from waltax.base import proc
from waltax.base.errors import UsageError, WaltaxError
from waltax.driver.client import DriverFailed
from waltax.runners import campaign, progress, record
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.live import Position
from waltax.studies import frame


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Begun with a folder that was typed as it is seen from where one stood."""
    monkeypatch.chdir(tmp_path)
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",))
    one = campaign.new(recipe, Path("results").absolute(), Path("elsewhere"))
    one.save()
    return one


def _resumed(monkeypatch: pytest.MonkeyPatch, *words: object) -> Campaign:
    """As `waltax run` has it from its command line."""
    resumed: list[Campaign] = []

    def keep(_study: object, _asked: object, campaigns: list[Campaign], _console: object) -> int:
        resumed.extend(campaigns)
        return 0

    monkeypatch.setattr(frame, "_measure", keep)
    with pytest.raises(SystemExit):
        frame.command("run").main([str(word) for word in words], standalone_mode=False)
    return resumed[0]


def test_the_data_stay_where_the_campaign_began(
    begun: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    assert _resumed(monkeypatch, "--resume", begun.folder).data_root == tmp_path / "elsewhere"
    same = ("--data-dir", tmp_path / "elsewhere")
    assert _resumed(monkeypatch, "--resume", begun.folder, *same).cells == begun.cells


def test_another_folder_is_refused_beside_resume(
    begun: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = rf"--data-dir: found {tmp_path}/other, but {begun.id} began in {tmp_path}/elsewhere"
    with pytest.raises(UsageError, match=words):
        _resumed(monkeypatch, "--resume", begun.folder, "--data-dir", tmp_path / "other")


def test_a_folder_that_is_no_campaign_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, found in ((tmp_path / "no", "no such folder"), (tmp_path, "no campaign.json")):
        with pytest.raises(UsageError, match=f"--resume: {folder}: {found}.*; type a campaign's"):
            _resumed(monkeypatch, "--resume", folder)
    (tmp_path / "campaign.json").write_text("{")
    with pytest.raises(UsageError, match=r"campaign\.json: no JSON"):
        _resumed(monkeypatch, "--resume", tmp_path)


def test_rows_that_were_changed_meanwhile_are_no_part_of_a_resumed_campaign(
    begun: Campaign,
) -> None:
    golden = Path(__file__).parent.parent / "golden" / "why" / "rows.jsonl"
    rows = map(json.loads, golden.read_text().splitlines())
    edited = next(one for one in rows if one["durability"] == "sync" and not one["rung"])
    edited |= {"commits": 9, "wal_syncs": 0, "tap_syncs": 0}
    begun.rows_path.write_text(json.dumps(edited) + "\n")
    with pytest.raises(WaltaxError, match=rf"{begun.rows_path}:1: .*restore the file"):
        progress.so_far(begun, print, on_hosts=False)


def _dies_once(at_once: FakeCells, how: str) -> None:
    """The driver of `nvme` dies in the second session."""

    def at_slice(fake: FakeCell, at: Position) -> None:
        if fake.cell.device == "nvme" and at.session == 1:
            at_once.at_slice = lambda _cell, _at: None
            raise DriverFailed(f"the driver died ({how}): silent")

    at_once.at_slice = at_slice


def test_a_cell_whose_program_was_killed_from_outside_is_measured_again_by_a_resume(
    waltax: Any, tiny: Callable[..., Path], at_once: FakeCells
) -> None:
    _dies_once(at_once, proc.how_ended(-signal.SIGKILL))
    # Of two devices, so that the others spend the budget.
    devices = ("--device", "nvme", "--device", "ssd")
    done = waltax.run("--profile", tiny(min_sessions=2), *devices)
    assert done.returncode == 1, done.stdout + done.stderr
    done = waltax.run("--resume", waltax.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nvme-sync-t2 is measured again: its program was killed" in done.stdout
    assert "FAILED" not in done.stdout
    mine = [(one["session"], one["status"]) for one in waltax.rows() if one["device"] == "nvme"]
    assert {session for session, status in mine if status == "ok"} >= {2, 3}
    assert [status for _, status in mine].count("failed") == 1
    numbers = [one["slice"] for one in waltax.rows()]
    assert numbers == list(range(len(numbers)))
    report = (waltax.folder() / "summary.json").read_text()
    assert "SIGKILL" not in report


@pytest.mark.parametrize("how", [proc.how_ended(1), proc.how_ended(-signal.SIGSEGV)])
def test_a_cell_that_failed_by_itself_stays_failed(
    waltax: Any, tiny: Callable[..., Path], at_once: FakeCells, how: str
) -> None:
    _dies_once(at_once, how)
    assert waltax.run("--profile", tiny(min_sessions=2)).returncode == 1
    before = waltax.rows()
    assert waltax.run("--resume", waltax.folder()).returncode == 1
    assert waltax.rows() == before


def test_rows_of_a_release_without_the_newer_axes_are_gone_on_with(begun: Campaign) -> None:
    cell = begun.cells[-1]
    old = record.failed(begun, cell, Position(0, 0, 0), "died")
    row.append(begun.rows_path, {name: old[name] for name in old if name not in ("options", "set")})
    assert progress.so_far(begun, lambda _: None, on_hosts=False).failures == {cell.id: "died"}
