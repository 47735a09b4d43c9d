"""The table of lives: how the cells of each workload are prepared and brought up."""

from __future__ import annotations

from .. import workloads
from ..dbbench import life as dbbench
from ..driver.cells import life as driver
from ..harness.life import Life
from ..serve import life as serve

LIVES: dict[str, Life] = {"driver": driver, "dbbench": dbbench, "command": serve}
"""By the word `life` of a workload's record."""


def of(workload: str) -> Life:
    """The life of a workload's cells."""
    return LIVES[workloads.of(workload).life]
