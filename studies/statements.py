"""`waltax sweep statements`: what the log costs single SQL statements on MyRocks and InnoDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import workloads
from ..engines import SERVED
from ..runners.recipe import command_line
from . import names, options
from .request import Request
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_PREFIX = "sqlops-"
_NAMES = {
    name.removeprefix(_PREFIX): name for name in workloads.WORKLOADS if name.startswith(_PREFIX)
}
_WRITE = ("insert", "insert-random", "update-hot", "update-random")
_CLIENTS = 10


def plan(request: Request, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign for each engine, with synced and flushed logs beside its baseline.

    Errors: UsageError for an unknown device.
    """
    names.refuse_shared_directory(request.wal_dir, request.devices)
    recipe = replace(
        request.recipe(STUDY.kind),
        durability="sync",
        beside=("flush",),
    )
    return [request.campaign(replace(recipe, engine=engine)) for engine in SERVED]


STUDY = Study(
    kind="sweep statements",
    about="Each engine has a campaign, in which all statements take turns: synced, flushed, and "
    "with no log (MyRocks) or a log that nobody waits for (InnoDB).",
    request=Request,
    options=(
        command_line.listed(
            "--statements",
            "workloads",
            _NAMES,
            _WRITE,
            f"Some of {','.join(_NAMES)}, separated by commas.",
        ),
        command_line.devices("Devices, separated by blanks; repeatable. Default: nvme.", "nvme"),
        options.wal_dir(),
        options.profile("ci"),
        options.threads(f"Number of clients. Default: {_CLIENTS}.", _CLIENTS),
    ),
    plan=plan,
)
