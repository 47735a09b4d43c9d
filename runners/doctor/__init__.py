"""Find what about this machine, and a directory on it, devalues figures: a table of checks.

    findings = doctor.examine(doctor.look(), [Path("/mnt/x")])
    for finding in findings: print(finding.check, finding.state, finding.text, finding.advice)

table     the checks, by name: how each judges, what to do about it
answer    ok, warn or unknown, in words; what cannot be read is unknown, and never ok
machine_view    what the checks look at: the kernel's files, a window of time
cpu, contention, memory, place    the judgements, by subject
"""

from __future__ import annotations

from .answer import OK, UNKNOWN, WARN, Finding
from .machine_view import Seen, look
from .table import CHECKS, examine, in_a_line

__all__ = [
    "CHECKS",
    "OK",
    "UNKNOWN",
    "WARN",
    "Finding",
    "Seen",
    "examine",
    "in_a_line",
    "look",
]
