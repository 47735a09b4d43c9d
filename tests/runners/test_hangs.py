"""A driver or a server that hangs is named, in loads, checks and slices."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waltax import profiles
from waltax.base.errors import WaltaxError
from waltax.driver import client, patience
from waltax.driver.client import Driver, DriverFailed
from waltax.driver.patience import Patience
from waltax.engines.server.server import Server
from waltax.profiles import Profile
from waltax.runners.cells.driver import loading
from waltax.runners.cells.driver.process_cell import ProcessCell
from waltax.runners.cells.live import Event


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when on a second without progress is too long: where nothing hangs, it may be none."""
    return lambda: monkeypatch.setattr(patience, "STILL_S", 1.0)


def _small(name: str, engine: str) -> Profile:
    whole = profiles.load(name, engine)
    load = {"maxid1": 501, "degree_cap": 20}
    section = whole.workload("linkbench").model_copy(update={"load": load})
    return whole.model_copy(update={"linkbench": section})


def _program(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A build with a linkbench of these lines."""
    path = folder / "build" / "linkbench"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{text}\n")
    path.chmod(0o755)
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(path.parent))


_SAYS = """\
while True:
    print('{"event": "progress", "links": 7, "ids": 7, "seconds": %f}' % time.time(), flush=True)
    time.sleep(0.1)
"""
_IS_BUSY = """\
import time
end = time.time() + 3
while time.time() < end:
    pass
print('{"event": "loaded"}')
"""


def test_a_load_whose_program_is_stopped_ends_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: Callable[[], None]
) -> None:
    impatient()
    _program(tmp_path, monkeypatch, "os.kill(os.getpid(), signal.SIGSTOP)")
    named = (
        r"load of linkbench-501-\w+: no progress for 1 s: the driver, linkbench \(pid \d+\) is "
        r"stopped by a signal \(state T\); it was killed"
    )
    with pytest.raises(WaltaxError, match=named):
        loading.prepare(_small("quick", "rocksdb"), "linkbench", tmp_path, lambda _: None)


def test_a_load_that_only_says_that_time_passes_makes_no_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: Callable[[], None]
) -> None:
    impatient()
    _program(tmp_path, monkeypatch, _SAYS)
    with pytest.raises(WaltaxError, match="no progress for 1 s: the driver, linkbench"):
        loading.prepare(_small("quick", "rocksdb"), "linkbench", tmp_path, lambda _: None)


def test_a_load_that_is_busy_without_a_word_goes_on(tmp_path: Path) -> None:
    driver = Driver("x", [sys.executable, "-c", _IS_BUSY], log=tmp_path / "log")
    assert driver.wait_for("loaded", still_s=1.0) == {"event": "loaded"}
    driver.kill()


def test_new_figures_start_the_wait_anew_and_a_silence_has_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = iter([0.0, 7.0, 7.0, 8.0, 13.0])  # made, asked, heard, and asked twice
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: next(now_s)))
    waits = Patience(6.0)
    assert waits.over() == "no answer in 6 s"
    waits.hear({"event": "progress", "links": 1, "seconds": 1.0})
    assert waits.over() is None
    waits.hear({"event": "progress", "links": 1, "seconds": 2.0})
    assert waits.over() is not None


@pytest.mark.parametrize("phase", [pytest.param("load", marks=pytest.mark.nightly), "check"])
def test_a_server_that_is_stopped_while_it_is_loaded_or_checked_is_named(
    phase: str,
    reachable: Path,
    monkeypatch: pytest.MonkeyPatch,
    impatient: Callable[[], None],
) -> None:
    real, running = loading.server_to_load, []

    @contextlib.contextmanager
    def to_load(*words: Any) -> Iterator[Server]:
        with real(*words) as server:
            running.append(server)
            if phase == "load":
                server.freeze()
                impatient()
            yield server

    def say(what: str) -> None:
        if phase == "check" and what.endswith("checking it"):
            running[0].freeze()
            impatient()

    monkeypatch.setattr(loading, "server_to_load", to_load)
    named = (
        rf"{phase} of myrocks-linkbench-501-\w+: no progress for 1 s: the server, mariadbd "
        r"\(pid \d+\) is stopped by a signal \(state T\); it was killed"
    )
    with pytest.raises(DriverFailed, match=named):
        loading.prepare(_small("ci", "myrocks"), "linkbench", reachable / "hung", say)
    assert not running[0].is_alive()


def _stopped(monkeypatch: pytest.MonkeyPatch, waltax: Any, *words: object) -> str:
    """What a campaign says whose nvram cell has its engine stopped in its second slice."""
    real = ProcessCell._slice

    def stopping(self: ProcessCell, times: dict[str, float]) -> Event:
        if self.cell.device == "nvram" and self.slices == 1:
            os.kill(self.engine_pid, signal.SIGSTOP)
            monkeypatch.setattr(client, "_GRACE_S", 1.0)  # a minute is too long for a test
        return real(self, times)

    monkeypatch.setattr(ProcessCell, "_slice", stopping)
    done = waltax.run(*words)
    assert done.returncode == 1, done.stdout + done.stderr
    said: str = done.stdout
    return said


def test_a_driver_that_is_stopped_in_a_slice_is_named(
    waltax: Any, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = _stopped(monkeypatch, waltax, "--profile", tiny(time_budget_s=4.0), "--device", "nvram")
    assert re.search(
        r"FAILED rocksdb-linkbench-tiny-nvram-sync-t2: no answer in \d s: the driver, linkbench "
        r"\(pid \d+\) is stopped by a signal \(state T\); it was killed",
        out,
    ), out


@pytest.mark.nightly  # one that is stopped in a check is waited for by the same lines
def test_a_server_that_is_stopped_in_a_slice_is_named(
    served: Any, tiny_of: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tiny_of("myrocks", min_sessions="1", time_budget_s="6.0")
    words = ("--engine", "myrocks", "--device", "off", "--device", "nvram", "--profile", profile)
    out = _stopped(monkeypatch, served, *words)
    assert re.search(
        r"FAILED myrocks-linkbench-tiny-nvram-sync-t2: no answer in \d s: the server, mariadbd "
        r"\(pid \d+\) is stopped by a signal",
        out,
    ), out
