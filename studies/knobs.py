"""`waltax sweep knobs`: the WAL's settings, one at a time, against the default and no log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..cell import WITH_DATA
from ..engines import EMBEDDED, ENGINES, WHOLE
from ..engines.knobs import KNOBS
from ..runners.recipe import axes, command_line
from ..workloads.dbbench.workload import BENCHES, SECTION, workload_of
from . import names, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_DEVICE = "nvme"
_BENCH = "fillrandom"
# The profile for knobs has only db_bench.
_PROFILES = {SECTION: "sweep-knobs"}
_PROFILE = "quick"
_WORKLOADS = tuple(
    dict.fromkeys(
        workload.sized_by if workload.life == "dbbench" else workload.name
        for workload in workloads.WORKLOADS.values()
        if workload.sized and (workload.engines is None or EMBEDDED in workload.engines)
    )
)


@dataclass(frozen=True)
class KnobsRequest(Request):
    """`knobs` are separated by commas; None for all. `bench` is a benchmark of db_bench."""

    knobs: str | None = None
    bench: str | None = None


def plan(request: KnobsRequest, _say: Say) -> Sequence[Campaign]:
    """Plan the default, every knob, `flush` and `off`. Errors: UsageError for unknown names."""
    (section,) = request.workloads
    if ENGINES[request.engine].on_server and section == SECTION:
        raise UsageError(
            f"--engine: found {request.engine}, on which db_bench cannot run; add --workload tpcc "
            "or --workload linkbench"
        )
    workload = _workload(section, request.bench)
    has_binlog = request.binlog is not None
    knobs = _knobs(workload, request.knobs, request.engine, binlog=has_binlog)
    devices = request.devices or (WITH_DATA,)
    names.refuse_shared_directory(request.wal_dir, devices)
    recipe = replace(
        request.recipe(STUDY.kind),
        workloads=(workload,),
        profile=request.profile or _PROFILES.get(section, _PROFILE),
        devices=(names.one_device(devices, _DEVICE),),
        durability="sync",
        beside=("flush",),
        knobs=knobs,
    )
    return [request.campaign(recipe)]


def _knobs(workload: str, named: str | None, engine: str, *, binlog: bool) -> tuple[str, ...]:
    """Return the named knobs, or all but limits of the log and, embedded, bounds of loss.

    Errors: UsageError.
    """
    if ENGINES[engine].on_server:
        has = tuple(name for name, knob in KNOBS.items() if engine in knob.served)
        if named is not None:
            return names.several("--knobs", named, has)
        return tuple(name for name in has if binlog or not KNOBS[name].is_of_binlog)
    record = workloads.of(workload)
    # Our own programs open RocksDB for transactions, whatever they write.
    plain, families = record.life == "dbbench", record.column_families > 1
    can = tuple(
        name
        for name, knob in KNOBS.items()
        if (knob.is_embedded and not (plain and knob.flags))
        and (plain or not knob.plain_only)
        and (families or not knob.log_mib)
    )
    if named is None:
        return tuple(n for n in can if not (KNOBS[n].log_mib or KNOBS[n].bounds_loss))
    return names.several("--knobs", named, can)


def _workload(section: str, bench: str | None) -> str:
    if section == SECTION:
        return workload_of(bench or _BENCH)
    if bench is not None:
        raise UsageError(
            f"--bench: found {bench} with --workload {section}; it names a benchmark of db_bench: "
            f"type --workload {SECTION}, or leave it out"
        )
    return section


STUDY = Study(
    kind="sweep-knobs",
    noun="sweep of knobs",
    about="The report has, for every setting, its throughput against the default's and against no "
    "log, CPU, syncs and bytes per operation, and what it does to durability.",
    request=KnobsRequest,
    options=(
        click.option(
            "--knobs",
            help=f"Settings, separated by commas: {','.join(KNOBS)}. Default: all but log-N, which "
            "limits the log to N MiB and needs several column families, as of linkbench and tpcc, "
            "and sync-Nms, whose commits wait for no sync; sync-binlog-N needs --binlog; "
            f"unordered-write with {SECTION} alone, since RocksDB refuses it where it is opened "
            "for transactions, as other programs open it. The default, flush and off are always "
            "measured.",
        ),
        options.engine(
            WHOLE,
            "A server has only log-N, sync-binlog-N and, innodb, log-every-Ns, with --workload "
            "tpcc or linkbench.",
            EMBEDDED,
        ),
        options.one_workload(_WORKLOADS, SECTION),
        click.option(
            "--bench",
            type=click.Choice(BENCHES),
            help=f"Benchmark of --workload {SECTION}. Default: {_BENCH}.",
        ),
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
            help=f"Size of the experiment. Default: sweep-knobs for {SECTION}, {_PROFILE} for "
            "other workloads.",
        ),
    ),
    plan=plan,
    shows_overheads=False,
    report=reported("knobs", each=True),
)
