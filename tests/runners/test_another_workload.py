"""What another workload takes: a record in the table, and a program that speaks as all do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from waltax import analysis, workloads
from waltax.analysis import reports, writers
from waltax.base import home
from waltax.runners import campaign, lives, loop, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.local import Local
from waltax.workload import Scale, Unit, Workload

_NOOP = Workload(
    name="noop",
    title="Nothing at all",
    unit=Unit("nothings/s", 1.0, "nothing"),
    section="linkbench",  # whose size it borrows, so that no profile knows of it
    writes=(),
    says=("mood",),
    scale=Scale("maxid1"),
    clone_growth=1.0,
    data=lambda _: "nothing",
    loaded=lambda _: "nothing",
)


@pytest.fixture
def noop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The workload in the table, and its program where the built ones are."""
    monkeypatch.setitem(workloads.WORKLOADS, "noop", _NOOP)
    monkeypatch.setitem(workloads.UNITS, _NOOP.unit.name, _NOOP.unit)
    built = tmp_path / "build"
    built.mkdir()
    for path in home.programs().iterdir():
        (built / path.name).symlink_to(path)
    program = built / "noop"
    source = (Path(__file__).parent / "noop_program.py").read_text()
    program.write_text(f"#!{sys.executable}\n{source}")
    program.chmod(0o755)
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(built))


@pytest.fixture
def planned(tmp_path: Path, tiny: Callable[..., Path]) -> Callable[..., Campaign]:
    """A campaign of it on nvme; nothing is written yet."""

    def make(**recipe: Any) -> Campaign:
        profile = str(tiny(rounds_per_session=1, time_budget_s=0.01))
        asked = Recipe("rocksdb", ("noop",), profile, ("nvme",), seed=7, **recipe)
        return campaign.new(asked, tmp_path / "results", tmp_path / "data")

    return make


@pytest.mark.usefixtures("noop")
def test_it_is_planned_prepared_measured_and_reported(
    planned: Callable[..., Campaign], tmp_path: Path
) -> None:
    one = planned()
    assert plan.plan(one).disk_mib == 2 + 2 * 2
    assert lives.of(one).words(one.of_workload("noop")) == "nothing"
    said: list[str] = []
    outcome = loop.measure(one, analysis.estimate, said.append, Local(share_machine=True))
    assert outcome.progress.failures == {}
    assert "session 1: the check passed on 2 cells" in said
    assert any("loaded nothing; checking it" in line for line in said)
    rows = outcome.progress.rows
    assert {row["cell"].removeprefix("rocksdb-noop-tiny-") for row in rows} == {
        *("off-off-t2", "nvme-sync-t2")
    }
    assert all((row["mood"], row["pauses"], row["wal_bytes"]) == ("calm", 1, 0) for row in rows)
    assert "unsaid" not in rows[0]
    with (tmp_path / "report").open("w") as file:
        writers.publish(reports.devices([one.folder]), Console(file=file, width=120))
    text = (tmp_path / "report").read_text()
    assert "Nothing at all" in text
    assert "nothings/s" in text
