"""`waltax compare floor`: how far apart campaigns of one recipe come out on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import devices, occasions, options
from .devices import DevicesRequest
from .study import Study

if TYPE_CHECKING:
    from ..analysis import Report


def _report(request: DevicesRequest, folders: Sequence[Path]) -> Sequence[Report]:
    """Report the floor of these campaigns, unless only the first has been measured so far."""
    from ..analysis import reports

    if len(folders) == 1 and not request.campaigns:
        return []
    return [reports.floor(folders, request.results)]


STUDY = Study(
    kind="floor",
    about="--campaign, repeated, takes campaigns of one recipe that were measured before. The "
    "floors are kept in floor.json in the results, where `waltax compare --gate` looks for them.",
    request=DevicesRequest,
    options=(
        *devices.OPTIONS,
        options.number(
            "--campaigns",
            5,
            (3, occasions.MOST),
            "How many campaigns to measure, one after the other.",
            "repeat",
        ),
    ),
    changes=lambda request: [{**each, "twin": True} for each in devices.changes(request)],
    repeats=False,
    report=_report,
)
