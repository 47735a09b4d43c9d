"""The benchmark of what the tap does beside a log: its plan, its figures, its refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax import devices
from waltax.analysis.results import panels
from waltax.devices.resolve import SHM
from waltax.row import Row
from waltax.runners import campaign

from bench.emulated import placebo


def test_two_cells_without_a_log_differ_in_the_model_alone(tmp_path: Path) -> None:
    found = devices.load("nvram").model
    assert found is not None
    recipe = campaign.Recipe("rocksdb", ("tpcc",), "ci", ("off", "off"), "sync")
    plan = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    planned = placebo.with_model(plan, found.tap_model(), 30.0)
    off, other = (planned.placements[cell.id] for cell in planned.cells)
    assert {cell.durability for cell in planned.cells} == {"off"}
    assert (off.model, off.wal_root) == (None, None)
    assert (other.model, other.wal_root, other.emulated) == (found.tap_model(), SHM, True)
    assert planned.profile.timing.time_budget_s == 30.0


def _slice(replica: str, share: float, session: int, round_: int, server: bool) -> Row:
    columns = {"cpu_user_s": 1.0 * share, "cpu_system_s": 0.5 * share, "slice_requests": 1000}
    if server:
        columns |= {"cpu_server_user_s": 3.0, "cpu_server_system_s": 1.0}
    return {
        **{"engine": "myrocks", "profile": "ci", "throughput_unit": "requests/s"},
        **{"campaign": "planted", "schema": 1, "slice": 0, "status": "ok", "failure": None},
        **{"session": session, "round": round_, "threads": 10, "replica": replica, "warnings": []},
        **{"cell": f"off{replica}", "workload": "tpcc", "device": "off", "durability": "off"},
        **{"emulated": bool(replica), "device_kind": "none", "throughput": 1000.0 / share},
        **columns,
    }


@pytest.mark.parametrize("server", [True, False])
def test_ratios_are_of_the_cell_with_the_model_over_the_one_without(server: bool) -> None:
    rows = [
        _slice(replica, share, session, round_, server)
        for session in range(3)
        for round_ in range(4)
        for replica, share in (("", 1.0), ("r2", 0.8))
    ]
    (panel,) = panels(rows)
    wanted = {
        "throughput": "1.250 [1.250, 1.250]",
        "client CPU per request": "0.800 [0.800, 0.800]",
        "server CPU per request": "1.000 [1.000, 1.000]",
    }
    if not server:
        del wanted["server CPU per request"]
    assert placebo.ratios(panel) == wanted


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine=myrocks"], "db_bench takes neither --engine nor --threads"),
        (["--device=off"], "--device: found off, which has no model; name another"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], said: str) -> None:
    done = CliRunner().invoke(placebo.main, words)
    assert done.exit_code == 2
    assert said in done.output
