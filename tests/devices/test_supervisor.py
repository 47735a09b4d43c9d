"""Programs that make system calls themselves, under the supervisor.

Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from tapped import only_file, room
from waltax.base.proc import program
from waltax.devices.tap_model import DeviceModel, SyncLatency, packed
from waltax.devices.tap_page import TapCounters, create, percentile
from waltax.devices.tap_preload import tell
from with_server import gone

__all__ = ["room"]  # the fixture

HERE = Path(__file__).parent
SLOW = DeviceModel((SyncLatency(100, ((50, 3_000_000.0),)),), 0, 0, 0, 64, 0, 0, 3_000_000.0)


def constant(us: float) -> DeviceModel:
    return DeviceModel((SyncLatency(100, ((50, us),)),), 0, 0, 0, 64, 0, 0, us)


@dataclass(frozen=True)
class Seen:
    """What a supervised command did."""

    counters: TapCounters
    status: int
    err: str
    seconds: float


def supervised(command: Sequence[str | Path]) -> list[str]:
    return [str(program("waltax_supervise").absolute()), "--", *map(str, command)]


def supervise(
    room: Path,
    command: Sequence[str | Path],
    model: DeviceModel | None = None,
    log: str = "*.log",
    below: str = "",
    rung: str = "",
) -> Seen:
    """Run the command under the supervisor, its log `below` a folder, which is `wal`."""
    page, told = create(room / "page"), Path(below or room / "wal")
    words = None if model is None else packed(model)
    tell(room / "page", told, log.split("\n"), words, rung)
    env = os.environ | {"WALTAX_TAP_PAGE": str(room / "page")}
    began = time.monotonic()
    done = subprocess.run(supervised(command), env=env, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - began
    if "supervise: seccomp" in done.stderr and command[0] != supervised([])[0]:
        pytest.skip(done.stderr)
    return Seen(page.snapshot(), done.returncode, done.stderr, seconds)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """raw_syncs.c as a program that nothing can be preloaded into."""
    built = tmp_path_factory.mktemp("raw") / "raw_syncs"
    source = HERE / "raw_syncs.c"
    subprocess.run(["cc", "-static", "-pthread", "-o", built, source], check=True)
    return built


@pytest.mark.parametrize("model", [None, constant(20.0)])
@pytest.mark.parametrize(
    ("steps", "syncs", "size"),
    [
        (("w5",), 5, 500),
        (("a1", "i5"), 5, 500),
        (("a1", "n5"), 5, 500),
        (("w3", "t5"), 13, 300),
        (("w1", "f5"), 6, 100),
        (("b1", "w1"), 1, 100),
    ],
)
def test_every_sync_of_a_log_counts(
    room: Path, raw: Path, steps: tuple[str, ...], syncs: int, size: int, model: DeviceModel | None
) -> None:
    done = supervise(room, [raw, room / "wal/1.log", *steps], model)
    seen = done.counters
    assert (done.status, done.err, seen.attached, seen.refused) == (0, "", 1, "")
    assert (seen.syncs, seen.write_bytes, seen.bypasses) == (syncs, size, 0)
    assert sum(seen.sync_achieved) == syncs
    file = only_file(seen)
    assert (file.name, file.syncs, file.bytes) == ("1.log", syncs, size)


def test_directories_and_write_back_count_apart(room: Path, raw: Path) -> None:
    seen = supervise(room, [raw, room / "wal/1.log", "d3", "r4"], constant(1.0)).counters
    assert (seen.syncs, seen.dir_syncs) == (0, 3)


def test_a_sync_takes_no_less_than_the_model_says(room: Path, raw: Path) -> None:
    done = supervise(room, [raw, room / "wal/1.log", "w20"], constant(500.0))
    seen = done.counters
    assert (seen.emulated, sum(seen.sync_wanted)) == (1, 20)
    assert seen.achieved_ns >= seen.wanted_ns >= 20 * 500_000
    assert done.seconds >= 20 * 500e-6
    least = percentile(seen.sync_achieved, 0)
    assert least is not None
    assert least >= 500 * 0.98


def test_threads_wait_for_each_other_at_one_device(room: Path, raw: Path) -> None:
    done = supervise(room, [raw, room / "wal/1.log", "t10"], constant(5000.0))
    assert (done.status, done.counters.syncs) == (0, 20)
    assert done.seconds >= 20 * 0.005


@pytest.mark.parametrize("model", [None, SLOW])
def test_a_free_sync_is_answered_at_once(room: Path, raw: Path, model: DeviceModel | None) -> None:
    steps = ("w20", "f1", "d1")  # which would take a minute
    seen = supervise(room, [raw, room / "wal/1.log", *steps], model, rung="sync-free").counters
    assert (seen.rung, seen.syncs, seen.syncs_at_once, seen.dir_syncs) == (2, 21, 21, 1)
    assert (seen.wanted_ns, seen.bypasses) == (0, 0)


def test_a_free_sync_never_reaches_the_disk(room: Path, raw: Path, tmp_path: Path) -> None:
    log = tmp_path / "1.log"
    seen = supervise(room, [raw, log, "w20"], below=str(tmp_path), rung="sync-free").counters
    assert (seen.syncs, seen.syncs_at_once, log.stat().st_size) == (20, 20, 2000)


@pytest.mark.parametrize("pattern", ["nowhere/*.log", "wal/1.log", "2.log", "*/other/*.log"])
def test_what_is_no_log_passes(room: Path, raw: Path, pattern: str) -> None:
    done = supervise(room, [raw, room / "wal/1.log", "w5", "m5"], SLOW, pattern)
    assert (done.status, done.counters.syncs) == (0, 0)
    assert done.counters.files == ()


def test_what_lies_elsewhere_is_no_log(room: Path, raw: Path) -> None:
    (room / "other").mkdir()
    steps = (room / "wal/1.log", "w5", "d5")
    done = supervise(room, [raw, *steps], SLOW, "*", below=str(room / "other"))
    assert (done.status, done.counters.syncs, done.counters.dir_syncs) == (0, 0, 0)


def test_one_pattern_of_several_is_enough(room: Path, raw: Path) -> None:
    done = supervise(room, [raw, room / "wal/1.log", "w5"], log="a/*\n?.log\nb/*")
    assert done.counters.syncs == 5


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("u1", "io_uring: its syncs are not seen"),
        ("m1", "msync(): it names no file"),
        # It waits for all that anybody wrote to any disk.
        pytest.param("s1", "sync(): it is of every file", marks=pytest.mark.nightly),
    ],
)
def test_what_goes_around_is_counted_with_its_reason(
    room: Path, raw: Path, step: str, why: str
) -> None:
    done = supervise(room, [raw, room / "wal/1.log", step, "w1", step])
    assert (done.status, done.counters.bypasses, done.counters.syncs) == (0, 2, 1)
    assert done.counters.refused == why


def test_an_emulated_log_on_a_disk_goes_around(room: Path, raw: Path) -> None:
    seen = supervise(room, [raw, "/proc/self/comm", "t1"], SLOW, "*", "/proc").counters
    assert seen.bypasses > 0
    assert "an emulated log must lie on a memory file system" in seen.refused


def test_a_failed_sync_fails_and_does_not_count(room: Path, raw: Path) -> None:
    done = supervise(room, [raw, "/proc/self/comm", "f1"], log="*", below="/proc")
    assert (done.status, done.counters.syncs) == (4, 0)  # in the child of raw_syncs.c


def test_it_ends_as_the_command_does(room: Path, raw: Path) -> None:
    assert supervise(room, ["sh", "-c", "exit 7"]).status == 7
    assert supervise(room, [raw, room / "wal/1.log", "w1", "k1"]).status == 128 + signal.SIGTERM
    missing = supervise(room, ["/no/such/program"])
    assert missing.status == 127
    assert missing.err == "waltax supervise: /no/such/program: No such file or directory\n"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGKILL, -9)]
)
def test_the_command_ends_with_it(room: Path, number: signal.Signals, status: int) -> None:
    create(room / "page")
    tell(room / "page", room, ["*"])
    env = os.environ | {"WALTAX_TAP_PAGE": str(room / "page")}
    script = "echo begun; exec sleep 600"
    with subprocess.Popen(
        supervised(["sh", "-c", script]), env=env, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        if child.stdout.readline() != "begun\n":
            pytest.skip("no user notifications")
        (command,) = psutil.Process(child.pid).children()
        child.send_signal(number)
        assert gone(command.pid)
        assert child.wait() == status


def test_the_command_blocks_no_signal(room: Path) -> None:
    done = supervise(room, ["grep", "-q", "SigBlk:.0*$", "/proc/self/status"])
    assert done.status == 0


def test_without_a_page_it_runs_nothing(room: Path) -> None:
    for page, why in ((None, "WALTAX_TAP_PAGE: not set"), ("/dev/null", "the page is too small")):
        env = os.environ | ({"WALTAX_TAP_PAGE": page} if page else {})
        command = supervised(["touch", room / "ran"])
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert (done.returncode, (room / "ran").exists()) == (1, False)
        assert why in done.stderr


def test_it_says_when_user_notifications_are_not_allowed(room: Path) -> None:
    """Only one may be told of a process's calls, so under another supervisor they are not."""
    done = supervise(room, supervised(["true"]))
    assert done.status == 1
    assert "waltax supervise: seccomp: Device or resource busy; user notifications take" in done.err


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_a_go_program_is_seen(room: Path, tmp_path: Path) -> None:
    """Building it builds Go's own library first, which takes longest."""
    env = os.environ | {"GOCACHE": str(tmp_path), "GO111MODULE": "off", "GOTOOLCHAIN": "local"}
    built = tmp_path / "goroutines"
    subprocess.run(["go", "build", "-o", built, HERE / "goroutines.go"], env=env, check=True)
    done = supervise(room, [built, room / "wal/1.log"], constant(100.0))
    assert (done.status, done.counters.syncs, done.counters.write_bytes) == (0, 100, 10_000)
    assert done.counters.achieved_ns >= done.counters.wanted_ns >= 100 * 100_000
