"""A small campaign over workers of this machine, as benchmarks of hosts run it."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from waltax import row
from waltax.profiles.model import FOLDER
from waltax.row import Row

_ROOT = Path(__file__).parents[2]
_EDITS = {"time_budget_s = 60.0": "time_budget_s = {0:g}", "data_mb = 120": "data_mb = 10"}
_EDITS |= {
    "min_sessions = 8": "min_sessions = 3",
    "rounds_per_session = 2": "rounds_per_session = 6",
}
_EDITS |= {"target_half_width = 0.05": "target_half_width = 0.001"}  # its time is its budget
_EDITS |= {'name = "ci"': 'name = "small"', "maxid1 = 100001": "maxid1 = 10001"}


def profile(folder: Path, budget_s: float) -> Path:
    """Profile `ci` with a smaller data set, and slices for so long on each host."""
    text = (FOLDER / "ci.toml").read_text()
    for old, new in _EDITS.items():
        if old not in text:
            raise ValueError(f"ci.toml has no {old!r} any more")
        text = text.replace(old, new.format(budget_s))
    path = folder / "small.toml"
    path.write_text(text)
    return path


def argv(folder: Path, *words: str) -> list[str]:
    """A campaign of LinkBench with its results and data in `folder`, or one that is resumed."""
    what = ["--profile", str(folder / "small.toml"), "--workload", "linkbench", "--device", "nvme"]
    places = ["--results", str(folder / "results"), "--data-dir", str(folder / "data")]
    new = [] if "--resume" in words else what
    return [sys.executable, "-m", "waltax", "run", "--share-machine", *places, *new, *words]


def start(folder: Path, said: IO[bytes], *words: str) -> subprocess.Popen[bytes]:
    """Begin it."""
    return subprocess.Popen(argv(folder, *words), stdout=said, stderr=said, cwd=_ROOT)


def rows(campaign: Path) -> list[Row]:
    """Whole rows so far."""
    path = campaign / "rows.jsonl"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", row.HalfWrittenLine)
        return row.read(path) if path.exists() else []


def lost(found: Sequence[Row], seed: int) -> int:
    """How many rows are missing before the last of their session.

    The order of a round's cells is drawn from the campaign's seed (`runners.session`), so that it
    is known what was measured before each row.
    """
    missing = 0
    cells = sorted({one["cell"] for one in found})
    for session in sorted({one["session"] for one in found}):
        mine = [(one["round"], one["cell"]) for one in found if one["session"] == session]
        wanted = [
            (number, cell)
            for number in range(1 + mine[-1][0])
            for cell in _order(cells, seed, session, number)
        ]
        before = wanted[: 1 + wanted.index(mine[-1])]
        missing += len(set(before) - set(mine))
    return missing


def _order(cells: Sequence[str], seed: int, session: int, number: int) -> list[str]:
    order = list(cells)
    random.Random(f"{seed}/{session}/{number}").shuffle(order)
    return order


def doubled(found: Sequence[Row]) -> int:
    """How many rows are of a slice that another row is of, or of a session on two hosts."""
    places = Counter((one["session"], one["round"], one["cell"]) for one in found)
    hosts = {(one["session"], one["host"]) for one in found}
    return sum(places.values()) - len(places) + len(hosts) - len({one for one, _ in hosts})
