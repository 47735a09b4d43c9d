"""How the study's load generator came: threads over a ramp, loops, and a pool of connections."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...analysis.statements.published import ARRIVALS

POOL = 10
"""Connections that all its threads shared, on the study's screen shot."""
STUDENTS = 20_000_000
"""Rows of its table when all were inserted."""
_SHORTEST_RAMP_S = 8.0  # in which arrivals that come ten a second are some, still
_MOST_THREADS = 1024


@dataclass(frozen=True)
class Shape:
    """Arrivals of one statement: each thread begins at its place in the ramp, and loops."""

    workload: str
    threads: int
    ramp_s: float
    loops: int
    fills: bool = False  # it fills the table, which the others find full

    def at_scale(self, scale: float) -> Shape:
        """The same arrivals a second over a shorter ramp; what fills the table has fewer loops."""
        if self.fills:
            loops = max(1, round(self.loops * scale))
            return replace(self, ramp_s=max(1.0, self.ramp_s * scale), loops=loops)
        ramp_s = min(self.ramp_s, max(_SHORTEST_RAMP_S, self.ramp_s * scale))
        threads = min(_MOST_THREADS, round(self.threads * ramp_s / self.ramp_s))
        return replace(self, threads=threads, ramp_s=threads * self.ramp_s / self.threads)


SHAPES = tuple(
    Shape(f"sqlops-{name}", of.threads, of.ramp_s, of.loops, fills=name == "insert")
    for name, of in ARRIVALS.items()
)
"""Its statements. What it ordered by it does not say, so that there are two of these."""
