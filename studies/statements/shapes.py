"""The load of the study's generator: threads over a ramp, loops, and a pool of connections."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...analysis.statements.literature import ARRIVALS

POOL = 10
"""Connections that all its threads shared, by the study's screenshot."""
STUDENTS = 20_000_000
"""Rows of its table after all inserts."""
_SHORTEST_RAMP_S = 8.0  # long enough for some arrivals at ten per second
_MOST_THREADS = 1024


@dataclass(frozen=True)
class Shape:
    """Arrivals of one statement: each thread starts at its place in the ramp, and loops."""

    workload: str
    threads: int
    ramp_s: float
    loops: int
    fills: bool = False  # it fills the table; the others start with a full one

    def at_scale(self, scale: float) -> Shape:
        """Return the same arrival rate over a shorter ramp; a filling statement has fewer loops."""
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
"""The study's statements. It does not say what it ordered by, so there are two variants."""
