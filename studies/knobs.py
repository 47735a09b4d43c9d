"""`waltax sweep knobs`: the WAL's settings, one at a time, against the default and no log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..device_names import WITH_DATA
from ..engines import EMBEDDED, ENGINES, WHOLE
from ..engines.knobs import KNOBS
from ..runners.recipe import axes, command_line
from . import names, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_DEVICE = "nvme"
_WORKLOAD = "kv-fillrandom"
# The profile for knobs has no data but that of mixes.
_PROFILES = {_WORKLOAD: "sweep-knobs"}
_PROFILE = "quick"
_WORKLOADS = tuple(
    name for name in workloads.DRIVEN if EMBEDDED in (workloads.of(name).engines or (EMBEDDED,))
)


@dataclass(frozen=True)
class KnobsRequest(Request):
    """`knobs` are separated by commas; None for all."""

    knobs: str | None = None


def plan(request: KnobsRequest, _say: Say) -> Sequence[Campaign]:
    """Plan the default, every knob, `flush` and `off`. Errors: UsageError for unknown names."""
    (workload,) = request.workloads
    knobs = _knobs(request.knobs, request.engine, binlog="binlog" in request.axes)
    devices = request.devices or (WITH_DATA,)
    names.refuse_shared_directory(request.wal_dir, devices)
    recipe = replace(
        request.at(knob=knobs).recipe(STUDY.kind),
        profile=request.profile or _profile(request.engine, workload),
        devices=(names.one_device(devices, _DEVICE),),
        durability="sync",
        beside=("flush",),
    )
    return [request.campaign(recipe)]


def _profile(engine: str, workload: str) -> str:
    return _PROFILE if ENGINES[engine].on_server else _PROFILES.get(workload, _PROFILE)


def _knobs(named: str | None, engine: str, *, binlog: bool) -> tuple[str, ...]:
    """Return the named knobs, or all but those that, embedded, are measured only when named.

    Errors: UsageError.
    """
    if ENGINES[engine].on_server:
        has = tuple(name for name, knob in KNOBS.items() if engine in knob.served)
        if named is not None:
            return command_line.several("--knobs", named, has)
        return tuple(name for name in has if binlog or not KNOBS[name].is_of_binlog)
    embedded = {name: knob for name, knob in KNOBS.items() if knob.is_embedded}
    if named is not None:
        return command_line.several("--knobs", named, tuple(embedded))
    only_named = {name for name, of in embedded.items() if of.log_mib or of.bounds_loss or of.dies}
    return tuple(name for name in embedded if name not in only_named)


STUDY = Study(
    kind="sweep-knobs",
    about="The report has, for every setting, its throughput against the default's and against no "
    "log, CPU, syncs and bytes per operation, and what it does to durability.",
    request=KnobsRequest,
    options=(
        click.option(
            "--knobs",
            help=f"Settings, separated by commas: {','.join(KNOBS)}. Default: all but log-N, which "
            "limits the log to N MiB; sync-Nms, whose commits wait for no sync; and recycled-logs, "
            "of which RocksDB 7.8 dies. sync-binlog-N needs --binlog. The default, flush and off "
            "are always measured.",
        ),
        options.engine(
            WHOLE,
            "A server has only log-N, sync-binlog-N and, innodb, log-every-Ns.",
            EMBEDDED,
        ),
        options.one_workload(_WORKLOADS, _WORKLOAD),
        command_line.devices(
            f"One device, by name or file. Default: {WITH_DATA}, the disk of --data-dir, since "
            "recycled logs, fallocate and fsync need a real file system."
        ),
        options.wal_dir(),
        *axes.options("binlog"),
        options.threads(),
        click.option(
            "--profile",
            default="",
            help="Size of the experiment. Default: sweep-knobs for "
            f"{_WORKLOAD} on {EMBEDDED}, else {_PROFILE}.",
        ),
    ),
    plan=plan,
    shows_overheads=False,
    report=reported("knobs", each=True),
)
