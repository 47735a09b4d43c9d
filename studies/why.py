"""`waltax why`: what each step from no log to a device costs, by leaving steps out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import workloads
from ..axes import PAIRED
from ..base.errors import UsageError
from ..engines import WHOLE
from ..runners.recipe import axes, campaign_file, command_line
from . import head, names, options
from .request import Request
from .study import Say, Study

if TYPE_CHECKING:
    from pathlib import Path

    from ..analysis import Report
    from ..runners.campaign import Campaign

_DEVICE = "nvme"


def plan(request: Request, _say: Say) -> Sequence[Campaign]:
    """Plan one campaign of all rungs.

    Errors: UsageError for an engine without `off`, and for an invalid or repeated device.
    """
    names.refuse_without_off(request.engine)
    named = request.devices or (_DEVICE,)
    names.refuse_shared_directory(request.wal_dir, named)
    devices = _devices(names.and_with_data(named, request))
    return [request.campaign(replace(request.recipe(STUDY.kind), devices=devices, ladder=True))]


def _devices(named: Sequence[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    for name in named:
        device = command_line.load_device(name)
        if device.is_off:
            raise UsageError(
                f"--device: found {name}, which writes no log; it is every ladder's lowest rung: "
                f"type --device {_DEVICE} (with make: DEVICE={_DEVICE})"
            )
        if device.name in seen:
            raise UsageError(f"--device: found {device.name} twice; a ladder leads to it once")
        seen.add(device.name)
    return tuple(command_line.kept(name) for name in named)


def _report(_request: Request, folders: Sequence[Path]) -> list[Report]:
    from ..analysis import reports

    told = [campaign_file.told(folder) for folder in folders]
    order = [value for kept in told for name in PAIRED for value in axes.TABLE[name].values(kept)]
    return [reports.why(folders, order)]


STUDY = Study(
    kind="why",
    noun="ladder",
    about="Cells that differ in one step each take turns in the same rounds, from no log to the "
    "device: the engine makes its records (encode), they reach the kernel (write), commits wait "
    "for a sync that takes no time (sync-free), for the device's time (wait), and for all of it.",
    request=Request,
    options=(
        options.profile("quick"),
        options.engine(WHOLE, "rocksdb or myrocks; innodb cannot run without a log."),
        command_line.workloads(
            workloads.DRIVEN,  # a slice of db_bench is a whole run
            "Workloads, separated by blanks; repeatable. Default: linkbench and tpcc, where the "
            "profile has them.",
        ),
        command_line.devices(
            "Devices, separated by blanks; repeatable. Each has its own ladder, and they share "
            f"the rungs below the device. Default: {_DEVICE}."
        ),
        options.wal_dir(),
        *axes.options("with-data", "build", "set"),
        options.allow_mismatch(),
        options.threads(),
    ),
    plan=plan,
    head=head.turns,
    shows_overheads=False,
    report=_report,
)
