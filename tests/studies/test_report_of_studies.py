"""`waltax report` on a study's campaign: its table, and what the study's own command draws."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from sweeping import said
from waltax import cli
from waltax.runners.recipe import campaign_file

pytestmark = pytest.mark.drawn

_GOLDEN = Path(__file__).parents[1] / "golden"


def _copy(swept: tuple[Path, str], to: Path) -> Path:
    (found,) = swept[0].glob("results/2*")
    copy = to / found.name
    shutil.copytree(found, copy)
    for file in copy.glob("curve.*"):
        file.unlink()
    return copy


def test_the_report_of_a_latency_sweep_draws_its_curve_again(
    swept: tuple[Path, str], tmp_path: Path
) -> None:
    campaign = _copy(swept, tmp_path)
    done = said(cli.cli, "report", campaign)
    assert done.code == 0, done.text
    assert "against off, the WAL costs" in done.flowing
    assert "curve.json, curve.csv, curve.png" in done.flowing
    assert (campaign / "curve.png").exists()


def test_of_a_sweep_that_was_broken_off_the_table_stands_and_the_rest_is_told(
    swept: tuple[Path, str], tmp_path: Path
) -> None:
    campaign = _copy(swept, tmp_path)
    rows = (campaign / "rows.jsonl").read_text().splitlines(keepends=True)
    few = [line for line in rows if json.loads(line)["device"] in ("off", "nvme")]
    (campaign / "rows.jsonl").write_text("".join(few))
    done = said(cli.cli, "report", campaign)
    assert done.code == 0, done.text
    assert "the WAL costs" in done.flowing
    assert "No report of sweep-latency: " in done.flowing


@pytest.mark.parametrize(
    ("command", "recorded", "says"),
    [
        ("sweep knobs", "knobs", "manual-flush"),
        ("sweep sizes", "sizes", "fillrandom"),
        ("sweep threads", "threads", "with 2 clients"),
    ],
)
def test_the_own_command_of_a_study_reports_a_campaign_again(
    command: str, recorded: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WALTAX_FORMATS", "terminal json")
    campaign = tmp_path / "20260101-recorded"
    campaign.mkdir()
    for name in ("rows.jsonl", "campaign.json"):
        shutil.copy(_GOLDEN / recorded / name, campaign)
    done = said(cli.cli, *command.split(), f"--campaign={campaign}")
    assert done.code == 0, done.text
    assert says in done.flowing


@pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        ({"kind": "paper", "knobs": ["fsync"]}, "paper"),
        ({"knobs": ["fsync"]}, ""),
        ([], ""),
    ],
)
def test_a_campaign_is_of_the_kind_that_it_keeps(tmp_path: Path, recipe: object, kind: str) -> None:
    (tmp_path / "campaign.json").write_text(json.dumps(recipe))
    assert campaign_file.told(tmp_path).kind == kind


def test_rows_without_a_campaign_are_of_no_kind(tmp_path: Path) -> None:
    assert campaign_file.told(tmp_path).kind == ""
    assert campaign_file.told(tmp_path / "rows.jsonl").kind == ""
