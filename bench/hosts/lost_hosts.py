"""Kill a worker, and the scheduler, at random moments of campaigns over three workers.

`python -m waltax.bench lost-hosts [KILLS]`: so many of each. What is killed with -9 is the worker
that measures, or the scheduler; the campaign of a killed scheduler is resumed. After each: no row
before a session's last one is missing, no slice has two rows, no process and no folder is left,
and the campaign came to its end all the same.
"""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click
import psutil
from rich.table import Table

from ...terminal import Terminal
from ..homes.plain import home
from . import small

_WORKER, _SCHEDULER = "worker", "scheduler"
_MOST_ROWS = 30  # after which no kill comes any more
_ENDED_S = 300.0
_FAULTS = ("lost", "doubled", "orphans", "not ended")


@dataclass
class _Tally:
    kills: int = 0
    rows: int = 0
    sessions: int = 0
    faults: Counter[str] = field(default_factory=Counter)


@click.command()
@click.argument("kills", type=click.IntRange(1), default=10)
@click.option("--of", "only", type=click.Choice([_WORKER, _SCHEDULER]), help="Else both.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(kills: int, only: str | None, seed: int) -> None:
    """Fails when a row is lost or doubled, or something does not end."""
    found = {what: _Tally() for what in ([only] if only else [_WORKER, _SCHEDULER])}
    with home("lost-hosts") as folder:
        small.profile(folder, 3.0)
        for what, tally in found.items():
            draw = random.Random(f"{seed}/{what}")
            for _ in range(kills):
                _one(folder, what, draw, tally)
    table = Table("killed", "kills", "rows", "sessions", *_FAULTS, box=None)
    for what, one in found.items():
        counts = (one.kills, one.rows, one.sessions, *(one.faults[name] for name in _FAULTS))
        table.add_row(what, *map(str, counts))
    Terminal(width=100).print(table)
    if any(one.faults for one in found.values()):
        raise SystemExit("that is not what was to be shown")


def _one(folder: Path, what: str, draw: random.Random, tally: _Tally) -> None:
    before = set((folder / "results").glob("*"))
    after_rows, after_s = draw.randint(1, _MOST_ROWS), draw.uniform(0, 0.5)
    with (folder / "said").open("ab") as said:
        running = small.start(folder, said, "--hosts", "local:3")
        while not (there := set((folder / "results").glob("*/rows.jsonl"))) or (
            len(small.rows(campaign := _new(there, before))) < after_rows
        ):
            if running.poll() is not None:
                raise SystemExit(f"ended with {running.returncode}: {_last(folder)}")
            time.sleep(0.02)
        time.sleep(after_s)
        family = psutil.Process(running.pid).children(recursive=True)
        _victim(family, what, small.rows(campaign)[-1]["host"]).kill()
        code = running.wait(_ENDED_S)
        _count_left(family, tally)
        if what == _SCHEDULER:
            tally.faults["not ended"] += code != 1
            resumed = small.start(folder, said, "--hosts", "local:2", "--resume", str(campaign))
            code = resumed.wait(_ENDED_S)
    tally.faults["not ended"] += code != 0
    _judge(campaign, tally)
    print(f"killed the {what} after {after_rows} rows and {after_s:.1f} s: {tally}", flush=True)


def _new(there: set[Path], before: set[Path]) -> Path:
    fresh = {path.parent for path in there} - before
    return fresh.pop() if fresh else Path("/nonexistent")


def _last(folder: Path) -> str:
    return (folder / "said").read_text()[-2000:]


def _victim(family: list[psutil.Process], what: str, host: str) -> psutil.Process:
    words = {_WORKER: ("distributed.cli.dask_worker", host), _SCHEDULER: ("dask_scheduler",)}[what]
    for process in family:
        with contextlib.suppress(psutil.Error):  # drivers come and go
            line = " ".join(process.cmdline())
            if all(word in line for word in words):
                return process
    raise SystemExit(f"found no {what}")


def _count_left(family: list[psutil.Process], tally: _Tally) -> None:
    _, left = psutil.wait_procs(family, timeout=10)
    tally.faults["orphans"] += len(left)


def _judge(campaign: Path, tally: _Tally) -> None:
    rows = small.rows(campaign)
    seed = json.loads((campaign / "campaign.json").read_text())["seed"]
    tally.kills += 1
    tally.rows += len(rows)
    tally.sessions += len({row["session"] for row in rows})
    tally.faults["lost"] += small.lost(rows, seed)
    tally.faults["doubled"] += small.doubled(rows)
    tally.faults = +tally.faults


if __name__ == "__main__":
    main()
