"""Name the workloads whose acknowledged operations a power cut may lose."""

from __future__ import annotations

from ... import workloads

_PROGRAMS = ("tpcc", "linkbench", "mix")


def is_logged(workload: str) -> bool:
    """Return whether its driver logs acknowledged operations, which its check then looks for."""
    record = workloads.of(workload)
    return record.driver_program in _PROGRAMS and not record.only_reads


WORKLOADS = ("tpcc", *(name for name in workloads.DRIVEN if name != "tpcc" and is_logged(name)))
"""Our workloads for which that is so."""
