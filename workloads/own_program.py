"""A user's own program as a workload, of which only its number or its time is known."""

from __future__ import annotations

from dataclasses import replace

from ..engines import PROGRAM
from ..workload import Unit, Workload

COMMAND = "command"
TIMED = "timed"
"""The workload of a command that prints no number: its time is what counts."""
UNIT = Unit("metric", None)  # whatever it counts, of its time nothing is known
RUNS = Unit("runs/s", 1.0, "run")

_COMMAND = Workload(
    name=COMMAND,
    title="command",
    unit=UNIT,
    engines=(PROGRAM,),
    why_engines="it is a user's own program",
    asked_only=True,
    knows_clients=False,
    writes=None,
)
WORKLOADS = (_COMMAND, replace(_COMMAND, name=TIMED, unit=RUNS))
