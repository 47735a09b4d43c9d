"""Kill a campaign at random points and resume it each time. `python -m bench kills [KILLS]`

The campaigns are of LinkBench, their logs on a real directory, and each is killed in one of the
ways of `_WAYS`. Of a way that is `at_calls` every second kill comes at a random one of the system
calls by which waltax makes, writes, renames and removes files and starts processes (strace counts
them, and sends the signal); all others come after a random time. After every kill: the rows that
were accepted are still there, unchanged and in order, no place in the campaign is taken twice, and
no process is left. Each next run goes on; in the end no folder is left. What does not hold is told
and counted, and the benchmark goes on with a new campaign; it fails at the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import click
import psutil
from rich.table import Table
from waltax import row
from waltax.base.errors import WaltaxError
from waltax.base.folders import removal
from waltax.base.folders.folder import HALF
from waltax.base.terminal import Terminal
from waltax.devices.resolve import SHM
from waltax.row import Row
from waltax.runners.cells import data_set

from ..homes.plain import home

_ROOT = Path(__file__).parents[3]
_PR_SET_CHILD_SUBREAPER = 36
_LATEST_S = 12.0  # start-up, load, some sessions' slices and checks all lie within
_ENDED_S = 30.0  # in which the kernel has ended all that a killed campaign had started
# As many of each as a campaign of this profile makes (strace -c): the number is drawn from them.
_CALLS = {
    "openat": 3500,
    "write": 220,
    "rename": 12,
    "mkdir": 95,
    "unlinkat": 1200,
    "linkat,link": 100,
    "flock": 9,
    "fchmod": 8,
    "fsync": 45,
    "ftruncate": 1,
    "kill": 140,
    "clone,vfork,clone3": 20,
}


@dataclass(frozen=True)
class _Way:
    """What is killed: waltax alone, or the group in which a shell runs it, as `timeout` does."""

    engine: str
    share: float  # of the kills
    whole_group: bool = False
    at_calls: bool = False


_WAYS = {
    "embedded": _Way("rocksdb", 0.6, at_calls=True),
    "process-group": _Way("rocksdb", 0.15, whole_group=True),
    "myrocks": _Way("myrocks", 0.25, at_calls=True),
}
_FAULTS = ("lost", "doubled", "half", "blocked", "orphans", "folders")


@dataclass
class _Tally:
    """What came of all kills of one way."""

    accepted: list[Row] = field(default_factory=list)
    by_time: int = 0
    by_call: int = 0
    finished: int = 0  # campaigns that ended before their kill
    rows: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    campaigns: set[str] = field(default_factory=set)

    @property
    def kills(self) -> int:
        return self.by_time + self.by_call

    def note(self, fault: str, count: int, what: str) -> None:
        if count:
            self.faults[fault] += count
            print(f"{fault} ({count}) {what}", flush=True)


@click.command()
@click.argument("kills", type=click.IntRange(1), default=100)
@click.option("--of", "only", type=click.Choice([*_WAYS]), help="Only this way; else all.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(kills: int, only: str | None, seed: int) -> None:
    """Fails when a row is lost, doubled or half, a resume blocked, or anything left."""
    _require_strace()
    _adopt_orphans()
    found: dict[str, _Tally] = {}
    for name, way in _WAYS.items() if only is None else [(only, _WAYS[only])]:
        count = kills if only else max(1, round(kills * way.share))
        found[name] = _all_of(name, way, count, random.Random(seed))
    Terminal(width=120).print(_table(found))
    if any(tally.faults for tally in found.values()):
        raise SystemExit("that is not what was to be shown")


def _all_of(name: str, way: _Way, kills: int, draw: random.Random) -> _Tally:
    tally = _Tally()
    with home(f"kills-{name}") as folder:
        for place in ("results", "data", "wal"):
            (folder / place).mkdir()
        while tally.kills < kills:
            _one(folder, way, draw, tally)
        code, said = _run(folder, _argv(folder, way.engine), way, None)
        _after(folder, tally, code, said, "the last run")
        tally.rows += len(tally.accepted)
        _look_for_folders(folder, tally)
    return tally


def _table(found: dict[str, _Tally]) -> Table:
    heads = ("killed", "kills", "by time", "at calls", "ended before", "rows", *_FAULTS)
    table = Table(*heads, box=None)
    for name, one in found.items():
        counted = (one.kills, one.by_time, one.by_call, one.finished, one.rows)
        table.add_row(name, *map(str, counted), *(str(one.faults[fault]) for fault in _FAULTS))
    return table


def _require_strace() -> None:
    if shutil.which("strace") is None:
        subprocess.run([_ROOT / "setup.sh", "strace"], check=True)


def _adopt_orphans() -> None:
    """What a killed campaign leaves running becomes our child, whatever it is called."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _one(folder: Path, way: _Way, draw: random.Random, tally: _Tally) -> None:
    """One kill, and what must hold after it."""
    argv, after_s = _argv(folder, way.engine), draw.uniform(0.2, _LATEST_S)
    call, number = draw.choice(list(_CALLS)), 0
    if way.at_calls and tally.by_time > tally.by_call:
        number = draw.randint(1, _CALLS[call])
        argv = [*_strace(call, number), *argv]
    what = f"at {call} {number}" if number else f"after {after_s:.1f} s"
    code, said = _run(folder, argv, way, None if number else after_s)
    rows = _after(folder, tally, code, said, what)
    print(f"{'killed' if code < 0 else 'ended'} {what}: {rows} rows", flush=True)
    if code >= 0:
        tally.finished += 1
        _begin_anew(folder, tally)
    elif number:
        tally.by_call += 1
    else:
        tally.by_time += 1


def _strace(call: str, number: int) -> list[str]:
    """Only the campaign itself is traced, not what it starts."""
    inject = f"inject={call}:signal=SIGKILL:when={number}"
    return ["strace", "-qqq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject]


def _argv(folder: Path, engine: str) -> list[str]:
    """A new campaign, or the one that was killed."""
    begun = sorted((folder / "results").glob("*/campaign.json"))
    new = [
        *("--profile", "ci", "--engine", engine, "--workload", "linkbench", "--device", "nvme"),
        *("--wal-dir", str(folder / "wal"), "--allow-mismatch"),
    ]
    what = ["--resume", str(begun[0].parent)] if begun else new
    places = ["--results", str(folder / "results"), "--data-dir", str(folder / "data")]
    # Nobody looks at its figures.
    return [sys.executable, "-m", "waltax", "run", "--share-machine", *places, *what]


def _run(folder: Path, argv: list[str], way: _Way, after_s: float | None) -> tuple[int, str]:
    """Its exit code, negative when it was killed, and its last words."""
    if way.whole_group:
        argv = ["/bin/sh", "-c", '"$@"; exit $?', "sh", *argv]
    with (folder / "said").open("w+") as said:
        campaign = subprocess.Popen(argv, stdout=said, stderr=said, cwd=_ROOT, process_group=0)
        try:
            code = campaign.wait(after_s)
        except subprocess.TimeoutExpired:
            if way.whole_group:
                os.killpg(campaign.pid, signal.SIGKILL)
            campaign.kill()
            code = campaign.wait()
        said.seek(0)
        return code, said.read()[-2000:]


def _after(folder: Path, tally: _Tally, code: int, said: str, what: str) -> int:
    """Count what does not hold, and return how many rows there are."""
    tally.campaigns |= {path.name for path in (folder / "results").iterdir()}
    tally.note("orphans", _end_processes(), what)
    # A campaign that nobody killed must be able to go on.
    tally.note("blocked", int(code > 0), f"{what}: exit code {code}: {said}")
    try:
        rows = _rows(folder)
    except WaltaxError as error:
        tally.note("half", 1, f"{what}: {error}")
        _begin_anew(folder, tally)
        return 0
    pairs = zip_longest(tally.accepted, rows[: len(tally.accepted)])
    lost = sum(before != after for before, after in pairs)
    places = Counter((one["session"], one["round"], one["cell"]) for one in rows)
    doubled = len(rows) - len(places)
    tally.note("lost", lost, what)
    tally.note("doubled", doubled, what)
    tally.accepted = rows
    if lost or doubled:
        _begin_anew(folder, tally)
    return len(rows)


def _begin_anew(folder: Path, tally: _Tally) -> None:
    tally.rows += len(tally.accepted)
    tally.accepted = []
    for old in (folder / "results").iterdir():
        removal.tree(old)


def _end_processes() -> int:
    """How many a killed campaign left running, which the kernel did not end; they are killed."""
    deadline = time.monotonic() + _ENDED_S
    while left := _living():
        if time.monotonic() > deadline:
            print(f"left running: {left}")
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            return len(left)
        time.sleep(0.05)
    return 0


def _living() -> list[psutil.Process]:
    """Our children and theirs; those that ended are waited for."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return psutil.Process().children(recursive=True)


def _look_for_folders(folder: Path, tally: _Tally) -> None:
    left = [*(folder / "wal").iterdir(), *(folder / "data" / "work").iterdir()]
    left += [path for name in tally.campaigns for path in SHM.glob(f"waltax-{name}*")]
    left += (folder / "data" / "sets").glob(f"{data_set.PARTIAL}*")
    left += (folder / "data").rglob(f"{HALF}*")
    tally.note("folders", len(left), f"left behind: {', '.join(map(str, left))}")


def _rows(folder: Path) -> list[Row]:
    """Whole lines; the resume cuts off a half last one. Errors: WaltaxError for what is no row."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", row.HalfWrittenLine)
        found = (folder / "results").glob("*/rows.jsonl")
        return [one for path in found for one in row.read(path)]


if __name__ == "__main__":
    main()
