"""Beside neighbours that come and go: what the rule of disturbed slices is worth.

    python -m waltax.bench neighbour [ROUNDS]

LinkBench on off and nvme, in turns quiet, beside a loop that takes a CPU, and beside a walk through
256 MiB; both come and go every few seconds. Printed for each: the overhead with and without the
rule, what that is off by against quiet, and how many slices were left out.
"""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from ... import analysis, proc
from ...analysis.results import disturbed, words
from ...driver.cells import loading
from ...harness.live import Position
from ...row import Row
from ...runners.bring_up import bring_up
from ...runners.campaign import Campaign, Recipe
from ...runners.session import measured_row
from ...terminal import Terminal
from ..homes.plain import campaign_of

_LOOP = "while True: pass"
_MEMORY = """
import numpy
order = numpy.random.default_rng(1).permutation(1 << 25)
while True: order = order[order]
"""
_NEIGHBOURS = {"quiet": None, "a loop": _LOOP, "a walk through memory": _MEMORY}
_THERE_S, _AWAY_S = (0.5, 3.0), (3.0, 8.0)
_BLOCK = 25  # rounds beside one neighbour, before the next one's turn


def main(arguments: list[str]) -> None:
    blocks = max(2, (int(arguments[0]) if arguments else 100) // _BLOCK)
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), "sync", seed=1)
    with campaign_of(recipe, "neighbour") as plan:
        data_set = loading.prepare(plan.profile, "linkbench", plan.data_root, print)
        rows = _measured(plan, data_set, blocks)
    Terminal().print(_table(rows))


def _measured(plan: Campaign, data_set: Path, blocks: int) -> dict[str, list[Row]]:
    """The rows beside each neighbour; a block of rounds has the number of a session."""
    rows: dict[str, list[Row]] = {name: [] for name in _NEIGHBOURS}
    so_far: list[Row] = []
    draw = random.Random(1)
    with contextlib.ExitStack() as stack:
        cells = [stack.enter_context(bring_up(plan, cell, data_set, 0)) for cell in plan.cells]
        for cell in cells:
            measured_row(plan, cell, Position(0, 0, 0), so_far)
        for block in range(blocks):
            for name in draw.sample(list(_NEIGHBOURS), len(_NEIGHBOURS)):
                with _beside(_NEIGHBOURS[name], draw.random()):
                    for number in range(_BLOCK):
                        for cell in draw.sample(cells, len(cells)):
                            at = Position(block, number, len(so_far))
                            so_far.append(measured_row(plan, cell, at, so_far))
                            rows[name].append(so_far[-1])
    return rows


@contextlib.contextmanager
def _beside(program: str | None, seed: float) -> Iterator[None]:
    """Beside a Python program that comes and goes; beside nothing where there is none."""
    if program is None:
        yield
        return
    child = proc.launch([sys.executable, "-c", program], env={}, stdin=subprocess.DEVNULL)
    over = threading.Event()

    def come_and_go() -> None:
        draw = random.Random(seed)
        while not over.wait(draw.uniform(*_THERE_S)):
            child.send_signal(signal.SIGSTOP)
            if over.wait(draw.uniform(*_AWAY_S)):
                return
            child.send_signal(signal.SIGCONT)

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        child.kill()
        child.wait()


def _table(rows: dict[str, list[Row]]) -> Table:
    table = Table("beside", "rule", "overhead % [95 %]", "off by, points", "left out")
    (quiet,) = analysis.estimate(_as_they_came(rows["quiet"]))
    for name, found in rows.items():
        seen = disturbed.of(found)
        for rule, taken in (("without", _as_they_came(found)), ("with", found)):
            (one,) = analysis.estimate(taken)
            too_many = "" if seen.left_out or not seen.disturbed else ", too many"
            left_out = f"{seen.disturbed} of {seen.slices}{too_many}"
            assert one.overhead is not None
            assert quiet.overhead is not None
            table.add_row(
                name,
                rule,
                words.overhead(one),
                f"{100 * (one.overhead - quiet.overhead):+.1f}",
                left_out if rule == "with" else "",
            )
    return table


def _as_they_came(rows: list[Row]) -> list[Row]:
    return [{**one, "disturbed": []} for one in rows]


if __name__ == "__main__":
    main(sys.argv[1:])
