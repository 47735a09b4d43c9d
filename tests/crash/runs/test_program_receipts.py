"""Programs of a user's own, recorded with all their processes, and checked by their commands."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest
from waltax.base.errors import WaltaxError
from waltax.crash.cutter import state
from waltax.crash.cutter.state import Cut
from waltax.crash.runs import program, states
from waltax.runners.cells.setting import Command

# Two processes append items to one log; a third syncs it, and lets them acknowledge what it synced.
WRITERS = """\
import os, sys
acks = os.open(os.environ["WALTAX_ACKS"], os.O_WRONLY | os.O_APPEND)
written, synced = zip(*(os.pipe() for _ in "ab")), zip(*(os.pipe() for _ in "ab"))
(asked, asks), (answered, answers) = map(tuple, written), map(tuple, synced)
for writer in (0, 1):
    if os.fork() == 0:
        log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number in range(50):
            item = b"item %d of %d\\n" % (number, writer)
            os.write(log, item)
            os.write(asks[writer], b"x")
            os.read(answered[writer], 1)
            os.write(acks, item)
        os._exit(0)
for _ in range(50):
    for writer in (0, 1):
        os.read(asked[writer], 1)
    if sys.argv[1] == "sync":
        os.fdatasync(os.open("log", os.O_WRONLY))
    for writer in (0, 1):
        os.write(answers[writer], b"x")
"""


@pytest.fixture
def writers(tmp_path: Path) -> str:
    """The line of the shell that runs them, without its argument."""
    (tmp_path / "writers.py").write_text(WRITERS)
    return f"{sys.executable} {tmp_path}/writers.py"


def command(line: str, check: str = "touch log; cat log", data: str = "") -> Command:
    return Command(line, "", data, None, 60, rounds=1, sessions=1, log=("log",), check=check)


def recorded(own: Command, room: Path) -> program.Recording:
    (room / "recorded").mkdir()
    return program.record(own, own.run, room / "recorded")


@pytest.mark.parametrize(("mode", "loses"), [("sync", False), ("never", True)])
def test_what_one_process_syncs_is_kept_for_the_others(
    writers: str, tmp_path: Path, mode: str, *, loses: bool
) -> None:
    recording = recorded(command(f"{writers} {mode}"), tmp_path)
    assert len(recording.log.acks) == 100
    cuts = [
        Cut(moment, strategy)
        for moment in state.moments(recording.log, 4, seed=1)
        for strategy in ("kill", "dropped", "sectors")
    ]
    outcomes = list(states.outcomes(recording, cuts, tmp_path))
    assert all(outcome.acknowledged > 0 and outcome.opens for outcome in outcomes)
    lost = {outcome.cut.strategy for outcome in outcomes if outcome.lost}
    assert lost == ({"dropped", "sectors"} if loses else set())


@pytest.mark.parametrize(
    "change",
    ["env -i touch unseen", "ln -s given unseen", "env -i sh -c 'echo >>unseen'"],
)
def test_a_change_that_no_hook_saw_is_refused(writers: str, tmp_path: Path, change: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "given").touch()
    own = command(f"{writers} sync; {change}", data=str(tmp_path / "data"))
    with pytest.raises(WaltaxError, match="--check: unseen: is not what the recorded calls made"):
        recorded(own, tmp_path)


def test_a_state_belongs_to_whom_the_data_do(writers: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "below").mkdir(parents=True)
    data.chmod(0o700)
    show = 'stat -c "%a %u" "$WALTAX_DATA" below >&2; exit 3'
    recording = recorded(command(f"{writers} sync", show, str(data)), tmp_path)
    (outcome,) = states.outcomes(recording, [Cut(recording.log.acks[-1].begin, "kill")], tmp_path)
    owner = data.stat().st_uid
    assert outcome.problem is not None
    assert f"700 {owner}" in outcome.problem


def test_what_a_check_leaves_running_is_ended(writers: str, tmp_path: Path) -> None:
    recording = recorded(
        command(f"{writers} sync", "setsid sleep 4321 >&2 & touch log; cat log"), tmp_path
    )
    (outcome,) = states.outcomes(recording, [Cut(recording.log.acks[-1].begin, "kill")], tmp_path)
    assert outcome.consistent
    assert not [p for p in psutil.process_iter(["cmdline"]) if "4321" in (p.info["cmdline"] or [])]
