"""Kill a campaign at random points and resume it each time.

`python -m waltax.bench kill [KILLS] [ENGINE]`

The campaign is of LinkBench, its log on a real directory. Every second kill comes after a random
time, the others at a random one of the system calls by which waltax makes, writes, renames and
removes files and starts processes (strace counts them, and sends the signal). After every kill:
the rows that were accepted are still there, unchanged and in order, no place in the campaign is
taken twice, and no process is left. Each next run goes on; in the end no folder is left.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import shutil
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from ... import row
from ...devices.memory import SHM
from ...errors import WaltaxError
from ...harness import data_set
from ...owned import removal
from ...owned.folder import HALF
from ...row import Row
from ..homes.plain import home

_ROOT = Path(__file__).parents[2]
_SEED = 1
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


@dataclass
class Tally:
    """What came of all kills."""

    accepted: list[Row] = field(default_factory=list)
    by_time: int = 0
    by_call: Counter[str] = field(default_factory=Counter)
    finished: int = 0  # campaigns that ended before their kill
    rows: int = 0
    campaigns: set[str] = field(default_factory=set)


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 20
    engine = arguments[1] if len(arguments) > 1 else "rocksdb"
    _require_strace()
    _adopt_orphans()
    draw, tally = random.Random(_SEED), Tally()
    with home("kill", mode=0o711) as folder:
        for place in ("results", "data", "wal"):
            (folder / place).mkdir()
        while tally.by_time + tally.by_call.total() < kills:
            _one(folder, engine, draw, tally)
        _finish(folder, engine, tally)
        _require_nothing_left(folder, tally.campaigns)
    calls = ", ".join(f"{count} at {call}" for call, count in sorted(tally.by_call.items()))
    print(
        f"{kills} kills: {tally.by_time} by time; {calls}; {tally.finished} campaigns ended before "
        f"one; {tally.rows} rows: 0 lost, 0 doubled, 0 wedged, 0 processes and 0 folders left"
    )


def _require_strace() -> None:
    if shutil.which("strace") is None:
        subprocess.run([_ROOT / "setup.sh", "strace"], check=True)


def _adopt_orphans() -> None:
    """What a killed campaign leaves running becomes our child, whatever it is called."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _one(folder: Path, engine: str, draw: random.Random, tally: Tally) -> None:
    """One kill, and what must hold after it."""
    argv, after_s = _argv(folder, engine), draw.uniform(0.2, _LATEST_S)
    call, number = draw.choice(list(_CALLS)), 0
    if tally.by_time > tally.by_call.total():
        number = draw.randint(1, _CALLS[call])
        argv = [*_strace(call, number), *argv]
    what = f"at {call} {number}" if number else f"after {after_s:.1f} s"
    code, said = _run(folder, argv, None if number else after_s)
    tally.campaigns |= {path.name for path in (folder / "results").iterdir()}
    _require_no_process(what)
    tally.accepted = _grown(tally.accepted, _rows(folder), what)
    print(f"{'killed' if code < 0 else 'ended'} {what}: {len(tally.accepted)} rows", flush=True)
    if code >= 0:
        _require_ended_well(code, said, what)
        _begin_anew(folder, tally)
    elif number:
        tally.by_call[call.partition(",")[0]] += 1
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


def _run(folder: Path, argv: list[str], after_s: float | None) -> tuple[int, str]:
    """Its exit code, negative when it was killed, and its last words."""
    with (folder / "said").open("w+") as said:
        campaign = subprocess.Popen(argv, stdout=said, stderr=said, cwd=_ROOT)
        try:
            code = campaign.wait(after_s)
        except subprocess.TimeoutExpired:
            campaign.kill()
            code = campaign.wait()
        said.seek(0)
        return code, said.read()[-2000:]


def _require_ended_well(code: int, said: str, what: str) -> None:
    """A campaign that nobody killed must be able to go on."""
    if code != 0:
        raise SystemExit(f"{what}: wedged: exit code {code}: {said}")


def _begin_anew(folder: Path, tally: Tally) -> None:
    tally.finished += 1
    tally.rows += len(tally.accepted)
    tally.accepted = []
    for old in (folder / "results").iterdir():
        removal.tree(old)


def _finish(folder: Path, engine: str, tally: Tally) -> None:
    code, said = _run(folder, _argv(folder, engine), None)
    _require_ended_well(code, said, "the last run")
    tally.accepted = _grown(tally.accepted, _rows(folder), "the last run")
    tally.rows += len(tally.accepted)


def _require_no_process(what: str) -> None:
    deadline = time.monotonic() + _ENDED_S
    while left := _living():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what}: left running: {left}")
        time.sleep(0.05)


def _living() -> list[psutil.Process]:
    """Our children and theirs; those that ended are waited for."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return psutil.Process().children(recursive=True)


def _require_nothing_left(folder: Path, campaigns: set[str]) -> None:
    left = [*(folder / "wal").iterdir(), *(folder / "data" / "work").iterdir()]
    left += [path for name in campaigns for path in SHM.glob(f"waltax-{name}*")]
    left += (folder / "data" / "sets").glob(f"{data_set.PARTIAL}*")
    left += (folder / "data").rglob(f"{HALF}*")
    if left:
        raise WaltaxError(f"left behind: {', '.join(map(str, left))}")


def _rows(folder: Path) -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", row.HalfWrittenLine)
        found = (folder / "results").glob("*/rows.jsonl")
        return [one for path in found for one in row.read(path)]


def _grown(before: list[Row], after: list[Row], what: str) -> list[Row]:
    """`after`, which must begin with `before` and hold every place once."""
    if after[: len(before)] != before:
        raise SystemExit(f"{what}: an accepted row was lost or changed")
    places = Counter((one["session"], one["round"], one["cell"]) for one in after)
    doubled = [place for place, count in places.items() if count > 1]
    if doubled:
        raise SystemExit(f"{what}: measured twice: {doubled[0]}")
    return after


if __name__ == "__main__":
    main(sys.argv[1:])
