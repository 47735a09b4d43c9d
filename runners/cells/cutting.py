"""How the power is cut, as a value that costs nothing to import."""

from __future__ import annotations

from dataclasses import dataclass

from ... import workloads

_PROGRAMS = ("tpcc", "linkbench", "mix")


def is_logged(workload: str) -> bool:
    """Return whether its driver logs what was acknowledged, and its check looks for that."""
    one = workloads.of(workload)
    return one.driver_program in _PROGRAMS and not one.only_reads


WORKLOADS = ("tpcc", *(name for name in workloads.DRIVEN if name != "tpcc" and is_logged(name)))
"""Those of ours that are."""


@dataclass(frozen=True)
class Cutting:
    """How the power is cut once a campaign was measured: `waltax receipts`.

    Each cell is recorded for `seconds` and cut at `cuts` moments, `states` of each; `names` is the
    model by which names become durable.
    """

    cuts: int = 10
    states: int = 7
    names: str = "journal"
    seconds: float = 4.0
