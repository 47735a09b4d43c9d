"""A driver or a server that hangs is named, in loads, checks and slices."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax import profiles
from waltax.driver import patience
from waltax.driver.cells import loading
from waltax.driver.client import Driver, DriverFailed
from waltax.driver.patience import Patience
from waltax.errors import WaltaxError
from waltax.mariadb.server import Server
from waltax.profiles import Profile


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "STILL_S", 1.0)


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
end = time.time() + 4
while time.time() < end:
    pass
print('{"event": "loaded"}')
"""


def test_a_load_whose_program_is_stopped_ends_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, "os.kill(os.getpid(), signal.SIGSTOP)")
    named = (
        r"load of linkbench-501-\w+: no progress for 1 s: the driver, linkbench \(pid \d+\) is "
        r"stopped by a signal \(state T\); it was killed"
    )
    with pytest.raises(WaltaxError, match=named):
        loading.prepare(_small("quick", "rocksdb"), "linkbench", tmp_path, lambda _: None)


def test_a_load_that_only_says_that_time_passes_makes_no_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, _SAYS)
    with pytest.raises(WaltaxError, match="no progress for 1 s: the driver, linkbench"):
        loading.prepare(_small("quick", "rocksdb"), "linkbench", tmp_path, lambda _: None)


def test_a_load_that_is_busy_without_a_word_goes_on(tmp_path: Path) -> None:
    driver = Driver("x", [sys.executable, "-c", _IS_BUSY], log=tmp_path / "log")
    assert driver.wait_for("loaded", still_s=0.5) == {"event": "loaded"}
    driver.kill()


def test_new_figures_start_the_wait_anew_and_a_silence_has_its_end() -> None:
    waits = Patience(0.2, None)
    time.sleep(0.3)
    assert waits.over() == "no answer in 0 s"
    waits.hear({"event": "progress", "links": 1, "seconds": 1.0})
    assert waits.over() is None
    time.sleep(0.3)
    waits.hear({"event": "progress", "links": 1, "seconds": 2.0})
    assert waits.over() is not None


@pytest.mark.parametrize("phase", ["load", "check"])
def test_a_server_that_is_stopped_while_it_is_loaded_or_checked_is_named(
    phase: str, reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, running = loading.server_to_load, []

    @contextlib.contextmanager
    def to_load(*words: Any) -> Iterator[Server]:
        with real(*words) as server:
            running.append(server)
            if phase == "load":
                server.freeze()
            yield server

    def say(what: str) -> None:
        if phase == "check" and what.endswith("checking it"):
            running[0].freeze()

    monkeypatch.setattr(loading, "server_to_load", to_load)
    named = (
        rf"{phase} of myrocks-linkbench-501-\w+: no progress for 1 s: the server, mariadbd "
        r"\(pid \d+\) is stopped by a signal \(state T\); it was killed"
    )
    with pytest.raises(DriverFailed, match=named):
        loading.prepare(_small("ci", "myrocks"), "linkbench", reachable / "hung", say)
    assert not running[0].is_alive()


# A minute beyond a slice's time is too long for a test.
_IMPATIENT = """\
import sys
from waltax.__main__ import main
from waltax.driver import client
client._GRACE_S = 2.0
main()
"""


def _stopped(waltax: Any, program: str, *words: object) -> str:
    """What a campaign says of whose nvram cell the `program` is stopped in a slice."""
    argv = waltax.argv(*words)
    pipe = subprocess.PIPE
    campaign = subprocess.Popen(
        [argv[0], "-c", _IMPATIENT, *argv[3:]], stdout=pipe, stderr=pipe, text=True
    )
    waltax.wait_for_rows(campaign, 3)
    while campaign.poll() is None and not any(r["status"] == "failed" for r in waltax.rows()):
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(campaign.pid).children():
                words_of = child.cmdline()
                if words_of and Path(words_of[0]).name == program and "nvram" in " ".join(words_of):
                    os.kill(child.pid, signal.SIGSTOP)
        time.sleep(0.01)
    out, _ = campaign.communicate(timeout=300)
    return out


def test_a_driver_that_is_stopped_in_a_slice_is_named(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    profile = tiny(measure_s="0.3", time_budget_s="7.0")
    out = _stopped(waltax, "linkbench", "--profile", profile)
    assert re.search(
        r"FAILED rocksdb-linkbench-tiny-nvram-sync-t2: no answer in 2 s: the driver, linkbench "
        r"\(pid \d+\) is stopped by a signal \(state T\); it was killed",
        out,
    ), out


def test_a_server_that_is_stopped_in_a_slice_is_named(
    served: Any, tiny_of: Callable[..., Path]
) -> None:
    profile = tiny_of("myrocks", measure_s="0.5", time_budget_s="9.0")
    devices = ("--engine", "myrocks", "--device", "nvme", "--device", "nvram")
    out = _stopped(served, "mariadbd", *devices, "--profile", profile)
    assert re.search(
        r"FAILED myrocks-linkbench-tiny-nvram-sync-t2: no answer in \d s: the server, mariadbd "
        r"\(pid \d+\) is stopped by a signal",
        out,
    ), out
