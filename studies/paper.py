"""`waltax paper`: repeat the paper's experiment on MyRocks, and print both tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import workloads
from ..cell import STUDY as DEVICES
from ..runners.recipe import command_line
from . import options
from .request import Request
from .study import Changes, Study

_ENGINE = "myrocks"
_PROFILE = "paper"


@dataclass(frozen=True)
class PaperRequest(Request):
    """`scale` is the share of the paper's ids, warehouses and time, in (0, 1]."""

    scale: float = 1.0


def _changes(request: PaperRequest) -> Iterator[Changes]:
    """Yield those of one campaign of both workloads, on the paper's profile or a scaled one."""
    from .. import profiles
    from . import profile_scale

    works = tuple(dict.fromkeys(request.workloads)) or workloads.DEFAULT
    what = {"workloads": works, "profile": _PROFILE, "devices": DEVICES, "durability": "sync"}
    if request.scale == 1:
        yield what
        return
    scaled = profile_scale.at_scale(profiles.load(_PROFILE, _ENGINE), request.scale)
    yield {**what, "resized": scaled.model_dump(exclude_none=True)}


STUDY = Study(
    kind="paper",
    about="Scale 1 has 10 million ids and 100 warehouses, and takes hours: try --scale 0.01 first. "
    "Caches and logs have the paper's bounds at every scale. Both workloads take turns in one "
    "campaign; where memory or disk cannot hold both, name one of them.",
    request=PaperRequest,
    options=(
        options.number(
            "--scale",
            1.0,
            (0.0001, 1),
            "Share of ids, warehouses and time. Each has a least value, so that intervals exist.",
        ),
        command_line.workloads(workloads.DEFAULT, "Workloads, separated by blanks. Default: both."),
        options.engine([_ENGINE], "The engine of the paper.", _ENGINE),
    ),
    changes=_changes,
)
