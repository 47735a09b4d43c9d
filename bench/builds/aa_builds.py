"""A build against its copy: how often are they told apart?

    python -m waltax.bench aa-builds [CAMPAIGNS]

On kv's fillrandom, profile ci, the log off and synced on nvme. An honest 95 % interval of the ratio
holds 1 in about 19 of 20 campaigns, and one of the difference of overheads holds 0.
"""

from __future__ import annotations

import sys
from collections import Counter

from ...analysis.builds import against
from ...analysis.builds.words import sentence
from ...analysis.stats import Interval
from ...terminal import Terminal, say
from .measured import Shape, measure, room
from .plant import plant


def main(arguments: list[str]) -> None:
    console = Terminal()
    count = int(arguments[0]) if arguments else 10
    builds = {name: plant(room() / name, 0) for name in ("base", "copy")}
    held, all_of_them = Counter[str](), Counter[str]()
    for seed in range(1, count + 1):
        (compared,) = against(measure(builds, Shape("sync", 4), seed), tuple(builds))
        for pair in compared.pairs:
            where = pair.base.at.device
            told = {f"x on {where}": (pair.ratio, 1.0), f"points on {where}": (pair.points, 0.0)}
            for what, (interval, equal) in told.items():
                if interval.value is not None:
                    all_of_them[what] += 1
                    held[what] += _holds(interval, equal)
            say(console, f"campaign {seed}: {sentence(pair, compared)}")
    for what, number in all_of_them.items():
        say(console, f"{what}: the interval held that they are equal in {held[what]} of {number}")


def _holds(interval: Interval, value: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= value <= interval.high


if __name__ == "__main__":
    main(sys.argv[1:])
