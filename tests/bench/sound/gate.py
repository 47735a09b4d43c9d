"""The gate: alarms of equal campaigns, and how often a planted slow-down is found.

    python -m bench gate [PAIRS] [SECONDS]

On LinkBench, profile ci, one emulated device beside `off`; campaigns of SECONDS of slices, whatever
their intervals are. The slow-down is a device file of the same name whose syncs take longer, by as
much as a calibration says that throughput falls by 10 %; the fall that was measured is told. Each
pair's base campaign has an equal one and a slowed one after it. The floor is of five campaigns of
its own, measured first.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from waltax import analysis
from waltax.analysis import reports
from waltax.analysis.gate import floor
from waltax.analysis.gate.difference import OVERHEAD, THROUGHPUT
from waltax.analysis.results import Source, read
from waltax.base.terminal import Terminal, say
from waltax.runners import campaign, loop

from ..homes.plain import DATA, home

_CATALOG = Path(__file__).parents[3] / "devices" / "nvme.toml"
_NAME = "gated"
_FLOOR_OF = 5
_SLOWER = 0.1
_PROBE_US = 300


class _Bench:
    """Campaigns of one recipe, but for how much longer the device's syncs take."""

    def __init__(self, place: Path, budget_s: float) -> None:
        self._place, self._budget_s, self._count = place, budget_s, 0

    def measure(self, longer_us: int) -> Source:
        """One campaign of `budget_s` seconds of slices."""
        self._count += 1
        recipe = campaign.Recipe(
            "rocksdb", ("linkbench",), "ci", (str(self._device(longer_us)),), "sync",
            seed=1000 * self._count,
        )  # fmt: skip
        planned = campaign.new(recipe, self._place / "results", DATA)
        timing = planned.profile.timing.model_copy(
            update={"time_budget_s": self._budget_s, "target_half_width": 1e-9}
        )
        planned = replace(planned, profile=planned.profile.model_copy(update={"timing": timing}))
        loop.measure(planned, analysis.estimate, lambda _: None)
        return read([planned.folder])

    def _device(self, longer_us: int) -> Path:
        folder = self._place / f"longer-{longer_us}"
        folder.mkdir(exist_ok=True)
        path = folder / f"{_NAME}.toml"
        path.write_text(_longer(_CATALOG.read_text(), longer_us))
        return path


def _longer(device: str, longer_us: int) -> str:
    """A device file whose syncs take so much longer, each of them."""
    renamed = re.sub(r'^name = ".*"$', f'name = "{_NAME}"', device, count=1, flags=re.M)

    def shifted(found: re.Match[str]) -> str:
        return re.sub(r"= (\d+)", lambda one: f"= {int(one[1]) + longer_us}", found[0])

    return re.sub(r"quantiles_us = \{.*\}", shifted, renamed)


def _rate(of: Sequence[Source]) -> float:
    """The mean throughput on the device."""
    found = [
        one.throughput
        for each in of
        for one in analysis.estimate(each.rows)
        if one.throughput is not None
    ]
    return sum(found) / len(found)


def _calibrated(bench: _Bench, console: Terminal, equal: Sequence[Source]) -> int:
    """How much longer syncs must take; a client's time per request grows in proportion."""
    fast, slow = 1 / _rate(equal), 1 / _rate([bench.measure(_PROBE_US)])
    longer_us = round((fast / (1 - _SLOWER) - fast) / ((slow - fast) / _PROBE_US))
    say(
        console, f"planted: syncs of {longer_us} us more, for {100 * _SLOWER:.0f} % less throughput"
    )
    return longer_us


def _verdict(base: Source, new: Source, floors: Sequence[floor.Floor], on: str) -> str:
    allow = ("device",)  # the planted device has the same name and another model
    content = reports.gate(base, new, floors, allow=allow, on=on).content or {}
    (found,) = [one["verdict"] for one in content["cells"] if f"-{_NAME}-" in one["cell"]]
    return str(found)


def main(arguments: list[str]) -> None:
    console = Terminal()
    pairs = int(arguments[0]) if arguments else 10
    budget_s = float(arguments[1]) if len(arguments) > 1 else 20.0
    with home("gate") as place:
        bench = _Bench(place, budget_s)
        equal = [bench.measure(0) for _ in range(_FLOOR_OF)]
        floors = floor.measure(equal)
        for one in floors:
            say(console, f"floor of {one.cell}: {json.dumps(dict(one.limits))}")
        longer_us = _calibrated(bench, console, equal)
        counts = {name: Counter[str]() for name in ("A/A", "planted")}
        bases, slowed = [], []
        for number in range(pairs):
            base, again, slow = bench.measure(0), bench.measure(0), bench.measure(longer_us)
            bases.append(base)
            slowed.append(slow)
            for on in (OVERHEAD, THROUGHPUT):
                equals = _verdict(base, again, floors, on)
                planted = _verdict(base, slow, _of_device(floors, slow), on)
                counts["A/A"][f"{on} {equals}"] += 1
                counts["planted"][f"{on} {planted}"] += 1
                say(console, f"pair {number + 1}, {on}: A/A {equals}, planted {planted}")
        fall = 1 - _rate(slowed) / _rate(bases)
        say(console, f"planted: throughput fell by {100 * fall:.1f} % over all pairs")
        for name, count in counts.items():
            said = ", ".join(f"{what} {times}" for what, times in sorted(count.items()))
            say(console, f"{name}, of {pairs} pairs: {said}")


def _of_device(floors: Sequence[floor.Floor], slow: Source) -> list[floor.Floor]:
    """The same floors for the planted device: its cells are judged by those of the base."""
    digests = {
        one["cell"]: (one.get("profile_digest"), one.get("placement_digest")) for one in slow.rows
    }
    return [replace(one, digests=digests[one.cell]) for one in floors if one.cell in digests]


if __name__ == "__main__":
    main(sys.argv[1:])
