"""The cells on which the simulation is tested: `off` and six devices, for each set of clients.

Each set is a campaign of its own, so that a round is short, and that few cells are alive at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from waltax import analysis
from waltax.cell import STUDY
from waltax.errors import UsageError
from waltax.row import Row
from waltax.runners import campaign, loop
from waltax.runners.local import Local
from waltax.study.latency import grid

from ..homes.plain import DATA

_GRID_US = (0, 108, 500)  # beside ssd, nvme and nvram
_TIMES = {"measure_s": 0.4, "warmup_s": 0.2, "rounds_per_session": 3, "min_sessions": 4}
_SERVER_TIMES = {"measure_s": 0.6, "warmup_s": 0.2, "rounds_per_session": 4, "min_sessions": 3}
# Every set takes its whole budget: narrow overheads are not the question.
_NEVER_TIGHT = 1e-9


@dataclass(frozen=True)
class Set:
    """An engine, a workload and a number of clients, as `--set rocksdb/linkbench/4` names them."""

    engine: str
    workload: str
    clients: int

    def __str__(self) -> str:
        return f"{self.engine}/{self.workload}/{self.clients}"


_EMBEDDED = (1, 2, 4, 8, 16, 32)
SETS = (
    *(Set("rocksdb", workload, n) for workload in ("linkbench", "tpcc") for n in _EMBEDDED),
    *(Set("myrocks", "linkbench", n) for n in (4, 10)),
    Set("myrocks", "tpcc", 4),
)


def read(text: str) -> Set:
    """Errors: UsageError where it is no engine/workload/clients."""
    parts = text.split("/")
    if len(parts) != 3 or not parts[2].isdecimal() or int(parts[2]) < 1:
        raise UsageError(f"--set: found {text!r}; type one as {SETS[0]}")
    return Set(parts[0], parts[1], int(parts[2]))


def measure(sets: Sequence[Set], seconds: float, results: Path, *, share: bool) -> list[Row]:
    """`seconds` of slices for each; the rows stay in `results`. Errors: as `loop.measure`."""
    return [row for one in sets for row in _measured(one, seconds, results, share=share)]


def _measured(one: Set, seconds: float, results: Path, *, share: bool) -> list[Row]:
    print(f"measuring {one}", flush=True)
    own = [str(path) for path in grid.write(_GRID_US, results)]
    embedded = one.engine == "rocksdb"
    recipe = campaign.Recipe(
        one.engine, (one.workload,), "sweep-threads" if embedded else "sweep",
        ("off", *STUDY, *own), "sync", threads=(one.clients,), seed=1,
    )  # fmt: skip
    plan = campaign.new(recipe, results, DATA)
    times = {
        **(_TIMES if embedded else _SERVER_TIMES),
        "time_budget_s": seconds,
        "target_half_width": _NEVER_TIGHT,
    }
    timing = plan.profile.timing.model_copy(update=times)
    plan = replace(plan, profile=plan.profile.model_copy(update={"timing": timing}))
    screen = loop.Screen(_say, lambda _: None, lambda _: None)
    return loop.measure(plan, analysis.estimate, screen, Local(share_machine=share)).progress.rows


def _say(line: str) -> None:
    print(f"  {line}", flush=True)
