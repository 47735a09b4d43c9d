"""What a driver's check says of a database, and of what was acknowledged."""

from __future__ import annotations

from dataclasses import dataclass

from ...driver.client import Event

_ACKNOWLEDGED = "acknowledged:"  # how a check begins to speak of what is lost


@dataclass(frozen=True)
class Checked:
    """`problem` is the check's first word on what is wrong, the data before what is lost.

    `oldest_lost` is the number of the oldest lost acknowledgement, from 0; 0 when none is lost.
    """

    consistent: bool
    lost: int
    oldest_lost: int
    problem: str | None


def of(event: Event) -> Checked:
    """Of the event `check` of a driver that was given a log of acknowledgements."""
    violations, told = event["violations"], event["acknowledged"]
    broken = [what for what in violations if not what.startswith(_ACKNOWLEDGED)]
    problem = next(iter(broken or violations), None)
    return Checked(not broken, told["lost"], told["oldest_lost"], problem)
