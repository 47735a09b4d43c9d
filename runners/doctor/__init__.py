"""Find what about this machine, and a directory on it, devalues figures.

findings = doctor.examine(doctor.look(), [Path("/mnt/x")])
for finding in findings: print(finding.check, finding.state, finding.text, finding.advice)
"""

from __future__ import annotations

from .checks import CHECKS, OK, UNKNOWN, WARN, Finding, Seen, examine, in_a_line, look

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
