"""`waltax receipts`: the cost of each mode of the log, and what the mode loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import click

from .. import workloads
from ..base.errors import UsageError
from ..engines import DURABILITIES, ENGINES, WHOLE
from ..runners.recipe import axes
from ..runners.recipe.axes.second_log import SAME
from ..runners.recipe.parts import Cutting
from . import options
from .request import Request
from .study import Changes, Study, reported
from .sweeps import knobs_of

_MODELS = ("journal", "strict")
_DEFAULTS = Cutting()
_WRITING = (name for name in workloads.DRIVEN if not workloads.of(name).only_reads)
WORKLOADS = tuple(dict.fromkeys(("tpcc", *_WRITING)))
"""Our workloads whose acknowledged operations a power cut may lose."""


def _changes(request: Request) -> Iterator[Changes]:
    """Yield those of one campaign of the modes on one device.

    Errors: UsageError for a device without a log, for a workload that commits nothing, and for a
    binlog on another device.
    """
    (binlog,) = request.axes.get("binlog", (SAME,))
    if binlog != SAME:
        raise UsageError(
            f"--binlog: found {binlog}; power is cut for the WAL's device alone: type --binlog same"
        )
    for name in request.workloads:
        if workloads.of(name).only_reads:
            raise UsageError(f"--workload: found {name}, which commits nothing that could be lost")
    own = request.own
    if own["recovery_modes"] and ENGINES[request.engine].info_log is None:
        raise UsageError(
            f"--recovery-modes: found with --engine {request.engine}, which has none; leave one out"
        )
    has_off, typed = ENGINES[request.engine].has_off, request.durability
    modes = (typed,) if typed else tuple(m for m in ENGINES[request.engine].modes if m != "off")
    bounding = [
        name
        for name, knob in knobs_of(request.engine).items()
        if knob.bounds_loss and ("binlog" in request.axes or not knob.is_of_binlog)
    ]
    yield {
        "devices": options.one_device(request.devices),
        "durability": modes[0] if has_off else request.durability,
        "beside": modes[1:] if has_off else (),
        "axes": request.at(knob=bounding if own["frontier"] else ()).axes,
        "cutting": Cutting(**{part.name: own[part.name] for part in fields(Cutting)}),
    }


STUDY = Study(
    kind="receipts",
    about="The modes of the log take turns in the same rounds, which shows what each costs. Then a "
    "run of each is recorded and cut at random moments: the engine opens what a disk may hold, and "
    "waltax checks it. Exits with 1, and keeps the state, when a synced log loses anything with "
    "--names journal.",
    options=(
        *options.logs("nvme", several=False),
        options.ALLOW_MISMATCH,
        *options.matrix("ci", WHOLE, WORKLOADS, WORKLOADS[0]),
        *axes.options("binlog"),
        click.option(
            "--frontier",
            is_flag=True,
            help="Measure and cut settings between the modes, too: a sync every N ms, or, with "
            "--binlog same, every N groups. A table has what each costs and loses, and which is "
            "dominated: another costs and loses no more.",
        ),
        options.durability(
            "One mode of the log. Default: every mode that the engine has.",
            [mode for mode in DURABILITIES if mode != "off"],
        ),
        options.threads(),
        options.number("--cuts", _DEFAULTS.cuts, (1, None), "Moments at which each run is cut."),
        options.number(
            "--states", _DEFAULTS.states, (1, None), "States of the disk to try at each moment."
        ),
        options.choice(
            "--names",
            _MODELS,
            "How file names become durable: in order, as on ext4, or only as POSIX promises.",
        ),
        options.number("--seconds", _DEFAULTS.seconds, (0.5, 60), "How long to record each mode."),
        click.option(
            "--recovery-modes",
            is_flag=True,
            help="Damage logs in four ways at each moment, and open each in every recovery mode of "
            "RocksDB, too.",
        ),
    ),
    changes=_changes,
    repeats=False,
    report=reported("receipts"),
)
