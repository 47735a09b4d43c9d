"""`waltax receipts`: the cost of each mode of the log, and what the mode loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import click

from ..base.errors import UsageError
from ..engines import ENGINES, WHOLE
from ..engines.knobs import KNOBS
from ..runners.cells.power_cut import WORKLOADS, is_logged
from ..runners.recipe import axes, command_line
from ..runners.recipe.axes.second_log import SAME
from ..runners.recipe.parts import Cutting
from . import names, options
from .request import Request
from .study import Changes, Study, reported

_MODELS = ("journal", "strict")
_DEFAULTS = Cutting()


@dataclass(frozen=True)
class ReceiptsRequest(Request):
    """See `runners.recipe.parts.Cutting`."""

    cuts: int = _DEFAULTS.cuts
    states: int = _DEFAULTS.states
    names: str = _DEFAULTS.names
    seconds: float = _DEFAULTS.seconds
    frontier: bool = False
    recovery_modes: bool = False


def _changes(request: ReceiptsRequest) -> Iterator[Changes]:
    """Yield those of one campaign of the modes on one device.

    Errors: UsageError for a device without a log, for a mode that the engine lacks, for a workload
    that commits nothing, and for a binlog on another device.
    """
    (binlog,) = request.axes.get("binlog", (SAME,))
    if binlog != SAME:
        raise UsageError(
            f"--binlog: found {binlog}; power is cut for the WAL's device alone: type --binlog same"
        )
    for name in request.workloads:
        if not is_logged(name):
            raise UsageError(f"--workload: found {name}, which commits nothing that could be lost")
    if request.recovery_modes and ENGINES[request.engine].info_log is None:
        raise UsageError(
            f"--recovery-modes: found with --engine {request.engine}, which has none; leave one out"
        )
    modes, has_off = _modes(request.engine, request.durability), ENGINES[request.engine].has_off
    yield {
        "devices": names.one_device(request.devices),
        "durability": modes[0] if has_off else request.durability,
        "beside": modes[1:] if has_off else (),
        "axes": request.at(knob=_knobs(request) if request.frontier else ()).axes,
        "cutting": Cutting(**{part.name: getattr(request, part.name) for part in fields(Cutting)}),
    }


def _modes(engine: str, durability: str | None) -> tuple[str, ...]:
    """Return the modes that write a log, safest first, or only the one that was typed."""
    every = tuple(mode for mode in ENGINES[engine].modes if mode != "off")
    if durability is None:
        return every
    if durability not in every:
        why = ENGINES[engine].why_not.get(durability, "it is measured beside every mode")
        raise UsageError(f"--wal: found {durability!r}; {why}")
    return (durability,)


def _knobs(request: ReceiptsRequest) -> tuple[str, ...]:
    """Return the settings of the engine that bound what a power cut loses."""
    on_server = ENGINES[request.engine].on_server
    return tuple(
        name
        for name, knob in KNOBS.items()
        if knob.bounds_loss
        and (request.engine in knob.served if on_server else knob.is_embedded)
        and ("binlog" in request.axes or not knob.is_of_binlog)
    )


STUDY = Study(
    kind="receipts",
    about="The modes of the log take turns in the same rounds, which shows what each costs. Then a "
    "run of each is recorded and cut at random moments: the engine opens what a disk may hold, and "
    "waltax checks it. Exits with 1, and keeps the state, when a synced log loses anything with "
    "--names journal.",
    request=ReceiptsRequest,
    options=(
        command_line.devices("One device, by name or file. Default: nvme.", "nvme"),
        options.wal_dir("Directory for the log on the real device."),
        options.ALLOW_MISMATCH,
        options.profile("ci", "Size of the data, settings of the engine, and time."),
        options.engine(WHOLE, "The engine under test."),
        options.one_workload(WORKLOADS, WORKLOADS[0]),
        *axes.options("binlog"),
        click.option(
            "--frontier",
            is_flag=True,
            help="Measure and cut settings between the modes, too: a sync every N ms, or, with "
            "--binlog same, every N groups. A table has what each costs and loses, and which is "
            "dominated: another costs and loses no more.",
        ),
        options.durability("One mode of the log. Default: every mode that the engine has."),
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
