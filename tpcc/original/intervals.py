"""What the driver says while it measures: tpcc-mysql's line for each interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...driver.client import Event
from . import report
from .transactions import NEW_ORDER, TRANSACTIONS

CSV_HEADER = ",".join(
    [
        "seconds,new_orders,p95_ms,p99_ms,max_ms",
        *(f"{t.name.lower()},{t.name.lower()}_max_ms" for t in TRANSACTIONS[1:]),
    ]
)


def line(event: Event) -> str:
    """Return the seconds since measuring began, New-Orders in ms, and count|max of the others."""
    new_order = _figures(event, NEW_ORDER)
    others = [_figures(event, transaction.name) for transaction in TRANSACTIONS[1:]]
    return ", ".join(
        [
            f"{round(event['elapsed_s']):4d}",
            f"trx: {new_order['count']}",
            f"95%: {new_order['p95']:.3f}",
            f"99%: {new_order['p99']:.3f}",
            f"max_rt: {new_order['max']:.3f}",
            *(f"{other['count']}|{other['max']:.3f}" for other in others),
        ]
    )


def csv(event: Event) -> str:
    """Return an interval as the line under CSV_HEADER."""
    new_order = _figures(event, NEW_ORDER)
    numbers = [f"{event['elapsed_s']:.3f}", str(new_order["count"])]
    numbers += [f"{new_order[statistic]:.3f}" for statistic in ("p95", "p99", "max")]
    for transaction in TRANSACTIONS[1:]:
        other = _figures(event, transaction.name)
        numbers += [str(other["count"]), f"{other['max']:.3f}"]
    return ",".join(numbers)


def _figures(event: Event, name: str) -> dict[str, Any]:
    """Return the count and the statistics in milliseconds; zeros for what did not occur."""
    stats = event["operations"].get(name)
    if stats is None or stats["count"] == 0:
        return {"count": 0, "mean": 0.0, "p95": 0.0, "p99": 0.0, "max": 0.0}
    in_ms = {name: stats[f"{name}_us"] / 1000 for name in ("mean", "p95", "p99", "max")}
    return {"count": stats["count"], **in_ms}


class SoFar:
    """All intervals up to now: what there is to show when a run ends early."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._counts = dict.fromkeys((t.name for t in TRANSACTIONS), 0)
        self._sums_ms = dict.fromkeys(self._counts, 0.0)
        self._max_ms = dict.fromkeys(self._counts, 0.0)

    @property
    def empty(self) -> bool:
        return self._seconds == 0

    def add(self, event: Event) -> None:
        self._seconds = event["elapsed_s"]
        for name in self._counts:
            figures = _figures(event, name)
            self._counts[name] += figures["count"]
            self._sums_ms[name] += figures["count"] * figures["mean"]
            self._max_ms[name] = max(self._max_ms[name], figures["max"])

    def lines(self, ending: str) -> Iterator[str]:
        """Yield the sums of all intervals. `ending` says how the run ended. REQUIRES: not empty."""
        yield f"{ending}; whole intervals only, {self._seconds:.1f} sec. from MEASURING START:"
        for transaction in TRANSACTIONS:
            count = self._counts[transaction.name]
            mean_ms = self._sums_ms[transaction.name] / max(count, 1)
            yield (
                f"{transaction.title:>15}: {count}, avg_rt: {mean_ms:.1f}, "
                f"max_rt: {self._max_ms[transaction.name]:.1f}"
            )
        yield " (in ms; neither compared with the limits nor checked for consistency)"
        yield ""
        yield from report.throughput(self._counts[NEW_ORDER], self._seconds)
