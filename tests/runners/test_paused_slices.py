"""A program that a signal stops for a moment within a slice leaves that slice disturbed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.runners.cells.driver.process_cell import ProcessCell
from waltax.runners.cells.live import Event


def _is_paused(row: dict[str, Any]) -> bool:
    return bool(row.get("programs_stopped")) and "paused" in row["disturbed"]


def _stop_for_a_moment(pid: int) -> None:
    time.sleep(0.1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.1)
    os.kill(pid, signal.SIGCONT)


def _paused_cells(monkeypatch: pytest.MonkeyPatch, waltax: Any, *words: object) -> set[str]:
    """The cells with a slice that is told to be paused, where nvram's engine was in its first."""
    real = ProcessCell._slice

    def paused(self: ProcessCell, times: dict[str, float]) -> Event:
        if self.cell.device != "nvram" or self.slices:
            return real(self, times)
        stops = threading.Thread(target=_stop_for_a_moment, args=(self.engine_pid,))
        stops.start()
        event = real(self, times)
        stops.join()
        return event

    monkeypatch.setattr(ProcessCell, "_slice", paused)
    done = waltax.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return {row["cell"] for row in waltax.rows() if _is_paused(row)}


def test_a_driver_that_is_stopped_for_a_moment_is_told_and_no_other(
    waltax: Any, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--profile", tiny(measure_s="0.3"), "--device", "nvram")
    assert _paused_cells(monkeypatch, waltax, *words) == {"rocksdb-linkbench-tiny-nvram-sync-t2"}


@pytest.mark.nightly  # the same lines count the stops of a driver
def test_a_server_that_is_stopped_for_a_moment_is_told(
    served: Any, tiny_of: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tiny_of("myrocks", measure_s="0.3", min_sessions="1")
    words = ("--engine", "myrocks", "--device", "off", "--device", "nvram", "--profile", profile)
    assert _paused_cells(monkeypatch, served, *words) == {"myrocks-linkbench-tiny-nvram-sync-t2"}
