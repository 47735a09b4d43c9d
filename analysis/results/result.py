"""What one cell achieved and what its WAL costs; `estimates` makes it of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ... import engines, workloads
from ...cell import Cell
from ...row import Row
from ...workload import Unit
from ..stats import Interval
from .facts import Sums, apart, facts_of
from .latency import Latency, latencies_of
from .panel import Panel


@dataclass(frozen=True)
class Doubt:
    """A clause that a reader must know before using an overhead; `kind` is one of `doubts`.

    `share` is the fraction of slices concerned, None if the doubt is about no particular slices. A
    `large` doubt belongs in the sentence that states the overhead.
    """

    kind: str
    text: str
    share: float | None = None
    large: bool = False


@dataclass(frozen=True, eq=False)
class CellResult:
    """What one cell achieved and what its WAL costs. Fractions, not percent.

    `overhead` with `low` and `high` is against `baseline`, the id of the group's off cell or, for
    an engine without off, of its device's weakest mode; None if unknown. A baseline has overhead 0
    by definition. A cell with a failed slice has no result: no throughput and no overhead. Its
    other slices still have `facts`.
    """

    at: Cell = field(repr=False)
    rows: Sequence[Row] = field(repr=False)
    cell: str  # its id, as in the rows
    engine: str
    workload: str
    profile: str
    device: str
    durability: str
    threads: int
    replica: str
    knob: str
    build: str
    emulated: bool
    device_kind: str
    throughput_unit: str
    several_modes: bool  # whether the group's cells write logs in more than one mode
    paced: bool | None  # whether the clients pause as the specification asks; None: unknown
    baseline: str | None
    throughput: float | None
    throughput_low: float | None
    throughput_high: float | None
    overhead: float | None
    low: float | None
    high: float | None
    overhead_median_of_ratios: float | None
    added_us_per_request: float | None  # request as counted, waiting as one client
    occasions: int  # campaigns
    hosts: int  # that rows name; 0 if they name none
    sessions: int
    rounds: int  # in which both this cell and the baseline have a slice
    rounds_unmatched: int  # slices of this cell that the overhead leaves out
    failed_slices: int
    failures: tuple[str, ...]
    panel: Panel = field(repr=False)  # of its comparison
    doubted: Callable[[CellResult], Iterable[Doubt]] = field(repr=False)  # `doubts.of`
    target_half_width: float | None = None  # a fraction that its interval was to reach
    twin: CellResult | None = field(default=None, repr=False)  # of its baseline

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        return tuple(self.doubted(self))

    @cached_property
    def sums(self) -> Sums:
        """The sums of its accepted slices."""
        return Sums([row for row in self.rows if row["status"] == "ok"])

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """What these slices say, by the names of `facts.FACTS`; None: not recorded."""
        return facts_of(self.sums.slices)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all its rows, but those that differ from another in numbers only."""
        return tuple(apart(text for row in self.rows for text in row["warnings"]))

    @cached_property
    def latencies(self) -> tuple[Latency, ...]:
        return latencies_of(self.panel, self.at)

    def latency_of(self, operation: str) -> Latency | None:
        """Return the latency of an operation or `latency.ALL`; None if the slices have no
        histograms.
        """
        return next((latency for latency in self.latencies if latency.operation == operation), None)

    @property
    def shards(self) -> str:
        return self.at.shards

    @property
    def unit(self) -> Unit:
        """The unit of its throughput."""
        return workloads.UNITS[self.throughput_unit]

    @property
    def rate(self) -> Interval:
        """The throughput; its interval includes the machine's drift."""
        return Interval(self.throughput, self.throughput_low, self.throughput_high)

    @property
    def interval(self) -> Interval:
        """The overhead."""
        return Interval(self.overhead, self.low, self.high)

    def is_wider_than(self, target: float) -> bool:
        """Return whether the overhead's interval has no half-width, or a larger one than `target`.

        The half-width of an interval stretched to its target equals it up to the rounding of the
        bounds.
        """
        return self.half_width is None or self.half_width > target * (1 + 1e-9)

    @property
    def is_baseline(self) -> bool:
        return self.at.is_baseline

    @property
    def reference(self) -> str:
        """The cell that it is compared with: by its durability, or as its engine calls it."""
        engine = engines.of(self.engine)
        return engine.reference if engine.has_off else engine.baseline

    @property
    def has_off(self) -> bool:
        """Whether its engine can run without a log; otherwise it is compared within its device."""
        return engines.of(self.engine).has_off

    @property
    def served(self) -> bool:
        """Whether a server ran the engine, rather than the driver's process."""
        return engines.of(self.engine).on_server

    @property
    def cpu_share(self) -> float | None:
        """The share of all cores' time that client and engine used; None if unknown."""
        names = ("cpu_all_us_per_request", "requests_per_s", "cores")
        cpu_us, rate, cores = (self.facts[name] for name in names)
        known = cpu_us is not None and rate is not None and cores
        return cpu_us * rate / 1e6 / cores if known else None

    @property
    def failed(self) -> bool:
        return self.failed_slices > 0

    @property
    def writes_wal(self) -> bool:
        return self.durability != "off"

    @property
    def shows_model(self) -> bool:
        """Whether its throughput contains a model's latencies; without a WAL it contains none."""
        return self.emulated and self.writes_wal

    @property
    def costs_less_than_all(self) -> bool:
        """Whether its overhead is known and below 1, so that it has a slowdown."""
        return self.overhead is not None and self.overhead < 1

    @property
    def half_width(self) -> float | None:
        """The distance from the centre of the overhead's interval to either bound."""
        return self.interval.half_width

    @property
    def resolvable(self) -> bool:
        """Whether the interval excludes zero."""
        return bool(self.interval.side(0))
