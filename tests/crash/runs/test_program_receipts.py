"""Programs of a user's own, recorded with all their processes, and checked by their commands."""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from waltax.base.errors import WaltaxError
from waltax.crash.cutter import state
from waltax.crash.cutter.state import Cut
from waltax.crash.runs import program, receipt, states
from waltax.crash.runs.recording import Recording
from waltax.runners.recipe.parts import Command

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
    return Command(line, "", data, 60, rounds=1, sessions=1, log=("log",), check=check)


def recorded(own: Command, room: Path) -> Recording:
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
    [
        *("env -i touch unseen", "ln -s given unseen", "env -i sh -c 'echo >>unseen'"),
        f"echo old >unseen; {sys.executable} -c \"import mmap; f = open('unseen', 'r+b'); "
        "m = mmap.mmap(f.fileno(), 3); m[:] = b'new'\"",
        f"touch unseen; {sys.executable} -c \"import os; os.copy_file_range(os.open('log', 0), "
        "os.open('unseen', 1), 9)\"",
    ],
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


_BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
_AS = "runuser -u postgres --"
_SERVES = f"exec {_AS} {_BIN}/postgres -D . -k $WALTAX_SOCKETS -c listen_addresses="
_PSQL = f"{_BIN}/psql -h $WALTAX_SOCKETS -U postgres -qAt postgres"
_INSERTS = f"""\
for client in 1 2; do
  seq -f "insert into t values ('row $client %g') returning v;" 300 |
    {_PSQL} | while read -r row; do echo "$row" >>"$WALTAX_ACKS"; done &
done
wait
"""
_READS = f"""\
trap '{_BIN}/pg_ctl -D . -s -m immediate stop' EXIT
{_BIN}/pg_ctl -D . -s -w -o "-k $WALTAX_SOCKETS -c listen_addresses= -c fsync=off" start >&2 &&
{_PSQL} -v ON_ERROR_STOP=1 -c "select from bt_index_check('t_pkey', true)" -c 'select v from t'
"""


def postgres(place: Path) -> Path:
    """A data directory of PostgreSQL with an empty table, of its own user."""
    data = place / "data"
    data.mkdir()
    for line in (
        f"chown postgres {data}",
        f"{_AS} {_BIN}/initdb -N -A trust -D {data}",
        f"printf 'create extension amcheck\\ncreate table t (v text primary key)\\n' | "
        f"{_AS} {_BIN}/postgres --single -D {data} postgres",
    ):
        subprocess.run(line, shell=True, cwd=place, check=True, capture_output=True)
    return data


@pytest.mark.nightly
@pytest.mark.skipif(_BIN is None, reason="no PostgreSQL here: ./setup.sh tools")
def test_postgres_keeps_what_it_synced_and_is_whole_after_any_cut(place: Path) -> None:
    own = replace(
        command(_SERVES, f"{_AS} sh -c {shlex.quote(_READS)}", str(postgres(place))),
        serves=True,
        load=_INSERTS,
    )
    losses = {}
    for mode in ("on", "off"):
        room = place / mode
        room.mkdir()
        recording = program.record(own, f"{own.run} -c synchronous_commit={mode}", room)
        cuts = receipt.cuts(recording.log, 2, 7, "journal", 1)
        outcomes = list(states.outcomes(recording, cuts, room))
        assert [outcome.problem for outcome in outcomes if not outcome.consistent] == []
        losses[mode] = sum(outcome.lost for outcome in outcomes)
    assert losses["on"] == 0 < losses["off"]
