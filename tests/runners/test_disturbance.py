"""Which slices count as disturbed, and what is done about them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_cells import FakeCells
from waltax.profiles.model import Disturbed
from waltax.runners import disturbance

_RULE = Disturbed()
_QUIET = {
    "cores": 2,
    "warmup_s": 0.2,
    "measure_s": 0.4,
    "machine_elapsed_s": 0.61,
    "cpu_foreign_s": 0.01,
    "steal_s": 0.0,
    "psi_memory_some_s": 0.0,
    "cgroup_throttled_s": 0.0,
}


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("cpu_foreign_s", 0.3, "foreign CPU"),
        ("steal_s", 0.15, "steal"),  # of 1.22 s of two CPUs
        ("psi_memory_some_s", 0.1, "memory short"),
        ("cgroup_throttled_s", 0.1, "throttled"),
        ("machine_elapsed_s", 3.0, "paused"),
    ],
)
def test_each_disturbance_is_named(column: str, value: float, reason: str) -> None:
    assert disturbance.reasons(_RULE, _QUIET) == []
    assert disturbance.reasons(_RULE, {**_QUIET, column: value}) == [reason]


@pytest.mark.parametrize("column", ["cpu_foreign_s", "steal_s"])
def test_a_few_ticks_of_the_kernel_s_clock_do_not_disturb_a_short_run(column: str) -> None:
    run = {**_QUIET, "warmup_s": 0.0, "machine_elapsed_s": 0.08}
    assert disturbance.reasons(_RULE, {**run, column: 0.03}) == []
    assert disturbance.reasons(_RULE, {**run, column: 0.05}) != []


def test_what_a_slice_s_own_requests_waited_for_is_no_pause_and_what_waltax_waited_is() -> None:
    waited = {**_QUIET, "machine_elapsed_s": 3.0, "driven_s": 2.9, "overtime_s": 2.5}
    assert disturbance.reasons(_RULE, waited) == []
    assert disturbance.reasons(_RULE, {**waited, "machine_elapsed_s": 4.0}) == ["paused"]


def test_an_emulated_device_that_was_late_disturbs_its_own_slice() -> None:
    late = {
        "tap_syncs": 1000,
        "tap_wanted_ns": 100e6,
        "tap_achieved_ns": 150e6,
        "tap_wanted_sync_us_p50": 100.0,
        "tap_sync_us_p50": 150.0,
        "sched_wait_s": 0.0,
    }
    assert disturbance.reasons(_RULE, {**_QUIET, **late}) == ["late emulation"]


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert disturbance.reasons(_RULE, {}) == []


def test_a_whole_run_may_take_as_long_as_it_takes() -> None:
    assert disturbance.reasons(_RULE, {**_QUIET, "warmup_s": 0.0, "machine_elapsed_s": 9.0}) == []


def test_a_machine_that_is_always_disturbed_gives_a_result_with_a_doubt(
    waltax: Any, tiny: Callable[..., Path], at_once: FakeCells
) -> None:
    at_once.machine = {"machine_busy_cpu_s": 9.0}
    done = waltax.run("--profile", tiny(time_budget_s=1.5))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = waltax.rows()
    assert all(row["disturbed"] == ["foreign CPU"] for row in rows)
    # Its two rounds, and one more.
    assert {row["round"] for row in rows if row["session"] == 0} == {0, 1, 2}
    assert "too many to leave out" in done.stdout
    summary = json.loads((waltax.folder() / "summary.json").read_text())
    assert all(cell["overhead"] is not None for cell in summary["cells"])
