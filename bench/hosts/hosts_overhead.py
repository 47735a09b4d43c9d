"""What the machinery of hosts takes: wall time of `--hosts local:1` over a campaign without it.

`python -m waltax.bench hosts-overhead [PAIRS] [--seconds S]`: campaigns of one seed and one size,
one with a worker and one without, in turns, in a random order. What a worker's start takes, and
what each session of it takes longer, are told apart: a longer campaign has the start but once.
"""

from __future__ import annotations

import random
import re
import resource
import statistics
import time
from pathlib import Path

import click
from rich.table import Table

from ...terminal import Terminal
from ..homes.plain import home
from . import small

_WITH = {"without": (), "local:1": ("--hosts", "local:1")}


@click.command()
@click.argument("pairs", type=click.IntRange(1), default=3)
@click.option("--seconds", type=float, default=60.0, show_default=True, help="Of slices.")
def main(pairs: int, seconds: float) -> None:
    """Prints the ratio; wants no more than 1.03."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in _WITH}
    with home("hosts-overhead") as folder:
        small.profile(folder, 3.0)
        _measure(folder, "without")  # which loads the data
        small.profile(folder, seconds)
        for number in range(pairs):
            for name in random.Random(number).sample([*_WITH], k=len(_WITH)):
                took[name].append(_measure(folder, name))
                print(f"{name}: %.1f s, of CPU %.1f s" % took[name][-1], flush=True)
    table = Table("campaign", "wall s", "CPU s", box=None)
    for name, times in took.items():
        table.add_row(
            name, *(" ".join(f"{one:.1f}" for one in kind) for kind in zip(*times, strict=True))
        )
    Terminal(width=100).print(table)
    for at, kind in enumerate(("wall time", "CPU time")):
        ratios = [b[at] / a[at] for a, b in zip(*took.values(), strict=True)]
        median = statistics.median(ratios)
        print(f"ratio of {kind} {median:.3f} ({min(ratios):.3f} to {max(ratios):.3f})")


def _cpu_s() -> float:
    """Of all children that have ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measure(folder: Path, name: str) -> tuple[float, float]:
    """Wall and CPU seconds of a campaign, its report included."""
    began_s, cpu_s = time.monotonic(), _cpu_s()
    with (folder / "said").open("w+b") as said:
        campaign = small.start(folder, said, "--seed", "1", *_WITH[name])
        code = campaign.wait()
        said.seek(0)
        words = said.read().decode(errors="replace")
    if code or not re.search("Ended because the time budget is spent", words):
        raise SystemExit(f"{name}: ended with {code}: {words[-2000:]}")
    return time.monotonic() - began_s, _cpu_s() - cpu_s


if __name__ == "__main__":
    main()
