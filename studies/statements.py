"""`waltax sweep statements`: what the log costs single SQL statements on MyRocks and InnoDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..engines import SERVED
from ..runners.recipe import command_line
from . import names, options
from .request import Request
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_PREFIX = "sqlops-"
_NAMES = tuple(
    name.removeprefix(_PREFIX) for name in workloads.WORKLOADS if name.startswith(_PREFIX)
)
_WRITE = ("insert", "insert-random", "update-hot", "update-random")
_DEVICES = ("nvme",)
_CLIENTS = 10


@dataclass(frozen=True)
class StatementsRequest(Request):
    """`statements` are names separated by commas; None for those that write."""

    statements: str | None = None


def plan(request: StatementsRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign for each engine, with synced and flushed logs beside its baseline.

    Errors: UsageError for an unknown statement or device.
    """
    chosen = names.several("--statements", request.statements or ",".join(_WRITE), _NAMES)
    devices = request.devices or _DEVICES
    names.refuse_shared_directory(request.wal_dir, devices)
    recipe = replace(
        request.recipe(STUDY.kind),
        workloads=tuple(f"{_PREFIX}{name}" for name in chosen),
        devices=devices,
        durability="sync",
        beside=("flush",),
        threads=request.threads or (_CLIENTS,),
    )
    return [request.campaign(replace(recipe, engine=engine)) for engine in SERVED]


STUDY = Study(
    kind="sweep statements",
    noun="sweep over SQL statements",
    about="Each engine has a campaign, in which all statements take turns: synced, flushed, and "
    "with no log (MyRocks) or a log that nobody waits for (InnoDB).",
    request=StatementsRequest,
    options=(
        click.option(
            "--statements",
            help=f"Some of {','.join(_NAMES)}, separated by commas. Default: {','.join(_WRITE)}.",
        ),
        command_line.devices("Devices, separated by blanks; repeatable. Default: nvme."),
        options.wal_dir(),
        options.profile("ci"),
        options.threads(f"Number of clients. Default: {_CLIENTS}."),
    ),
    plan=plan,
)
