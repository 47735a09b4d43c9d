"""Describe how the power is cut, as a value that costs nothing to import."""

from __future__ import annotations

from dataclasses import dataclass

from ... import workloads

_PROGRAMS = ("tpcc", "linkbench", "mix")


def is_logged(workload: str) -> bool:
    """Return whether its driver logs acknowledged operations, which its check then looks for."""
    record = workloads.of(workload)
    return record.driver_program in _PROGRAMS and not record.only_reads


WORKLOADS = ("tpcc", *(name for name in workloads.DRIVEN if name != "tpcc" and is_logged(name)))
"""Our workloads for which that is so."""


@dataclass(frozen=True)
class Cutting:
    """How the power is cut once a campaign was measured: `waltax receipts`.

    Each cell is recorded for `seconds` and cut at `cuts` moments, each of which gives `states`;
    `names` is the model by which names become durable.
    """

    cuts: int = 10
    states: int = 7
    names: str = "journal"
    seconds: float = 4.0
