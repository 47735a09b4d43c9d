"""`waltax why`: what each step from no log to a device costs, by leaving steps out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import workloads
from ..axes import PAIRED
from ..base.errors import UsageError
from ..engines import ENGINES, WHOLE
from ..runners.recipe import axes, command_line
from . import options
from .request import Request
from .study import Changes, Study

if TYPE_CHECKING:
    from ..analysis import Report


def _changes(request: Request) -> Sequence[Changes]:
    """Return those of one campaign of all rungs; with a binlog of one for each device.

    Errors: UsageError for an engine without `off` or a binlog, and for an invalid or repeated
    device.
    """
    has_binlog = "binlog" in request.axes
    if not has_binlog and not ENGINES[request.engine].has_off:
        raise UsageError(
            f"--engine: found {request.engine}, which always writes its log, so that there is no "
            "`off` to begin with; for the price of each log's syncs add --binlog same"
        )
    devices = options.logged(request.devices)
    apart = [(name,) for name in devices] if has_binlog else [devices]
    return [{"devices": of_one, "ladder": True} for of_one in apart]


def _report(_request: Request, folders: Sequence[Path]) -> list[Report]:
    """Report the ladders; those of two logs each in its folder, and then all devices together."""
    from ..analysis import reports
    from ..runners.recipe import campaign_file

    told = [campaign_file.told(folder) for folder in folders]
    order = [value for kept in told for name in PAIRED for value in axes.TABLE[name].values(kept)]
    together = reports.why(folders, order)
    assert together.content is not None
    apart = len(folders) > 1 and any("frees" in one for one in together.content["ladders"])
    return [*(reports.why([folder], order) for folder in folders if apart), together]


STUDY = Study(
    kind="why",
    about="Cells that differ in one step each take turns in the same rounds, from no log to the "
    "device: the engine makes its records (encode), they reach the kernel (write), commits wait "
    "for a sync that takes no time (sync-free), for the device's time (wait), and for all of it. "
    "With --binlog the rungs are of two logs: no syncs take time (both-syncs-free), one's do "
    "(binlog-sync-free, wal-sync-free), and both's do. Each device then has a campaign of its own.",
    options=(
        options.profile("quick"),
        options.engine(WHOLE, "rocksdb or myrocks; innodb, which has no off, with --binlog."),
        command_line.workloads(
            workloads.DRIVEN,
            "Workloads, separated by blanks; repeatable. Default: linkbench and tpcc, where the "
            "profile has them.",
        ),
        command_line.devices(
            "Devices, separated by blanks; repeatable. Each has its own ladder, and they share "
            "the rungs below the device. Default: nvme.",
            "nvme",
        ),
        options.wal_dir(),
        *axes.options("binlog", "build", "set"),
        options.ALLOW_MISMATCH,
        options.threads(),
    ),
    changes=_changes,
    shows_overheads=False,
    report=_report,
)
