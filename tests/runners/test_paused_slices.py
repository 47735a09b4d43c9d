"""A program that a signal stops for a moment within a slice leaves that slice disturbed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil


def _is_paused(row: dict[str, Any]) -> bool:
    return bool(row.get("programs_stopped")) and "paused" in row["disturbed"]


def _stop_for_a_moment(campaign: int, program: str) -> None:
    """Each process of the nvram cell's `program` that is awake, which only its slice is."""
    with contextlib.suppress(psutil.Error, ProcessLookupError):
        for child in psutil.Process(campaign).children():
            words = child.cmdline()
            ours = words and Path(words[0]).name == program and "-nvram-" in " ".join(words)
            if ours and child.status() != psutil.STATUS_STOPPED:
                os.kill(child.pid, signal.SIGSTOP)
                time.sleep(0.5)
                os.kill(child.pid, signal.SIGCONT)


def _paused_cells(waltax: Any, program: str, *words: object) -> set[str]:
    campaign = waltax.start(*words)
    waltax.wait_for_rows(campaign, 2)
    while campaign.poll() is None and not any(map(_is_paused, waltax.rows())):
        _stop_for_a_moment(campaign.pid, program)
    out, err = campaign.communicate(timeout=300)
    assert campaign.returncode == 0, out + err
    return {row["cell"] for row in waltax.rows() if _is_paused(row)}


def test_a_driver_that_is_stopped_for_half_a_second_is_told(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    profile = tiny(measure_s="1.0", time_budget_s="8.0")
    paused = _paused_cells(waltax, "linkbench", "--profile", profile)
    assert paused == {"rocksdb-linkbench-tiny-nvram-sync-t2"}


def test_a_server_that_is_stopped_for_half_a_second_is_told(
    served: Any, tiny_of: Callable[..., Path]
) -> None:
    profile = tiny_of("myrocks", measure_s="1.0", time_budget_s="8.0")
    devices = ("--engine", "myrocks", "--device", "nvme", "--device", "nvram")
    paused = _paused_cells(served, "mariadbd", *devices, "--profile", profile)
    assert paused == {"myrocks-linkbench-tiny-nvram-sync-t2"}


def test_a_campaign_that_nobody_stops_has_no_such_slice(measured: Any) -> None:
    assert not any(map(_is_paused, measured.waltax.rows()))
