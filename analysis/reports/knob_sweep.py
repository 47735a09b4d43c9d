"""The report of a sweep of knobs: every setting against the default and against no log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..figures import knobs as figures
from ..report import Column, Lines, Part, Report, Table, numbers
from ..results import read, words
from ..sweep.knobs import KnobLine, compressed, failures, lines, reached, recycled, sentences
from ..sweep.sizes import times
from . import cells

_WIDTH = 112  # columns of the widest table
_SETTING = Column("setting")


def knobs(
    folder: Path, durabilities: Mapping[str, str] | None = None, notes: Sequence[str] = ()
) -> Report:
    """Every setting of a sweep of knobs, the fastest first.

    `durabilities` says what each knob, or mode, does to durability; `notes` are what a reader must
    know of the device. Errors: UsageError when the rows are not of a sweep of knobs; else as
    `load`.
    """
    of = read([folder])
    settings = lines(of.rows, durabilities or {})
    said = [*sentences(settings), *compressed(settings), *recycled(settings), *reached(settings)]
    failed = failures(of.rows)
    told = [_line(one) for one in settings]
    content = {"sentences": said, "failures": failed, "notes": list(notes), "lines": told}
    why = [f"{words.FAILED} {name}: {reason}" for name, reason in failed.items()]
    parts: list[Part] = [
        _speed(settings),
        _work(settings),
        Lines([*said, *why], "Against the default"),
        Lines(
            [f"{one.name}: {one.durability}" for one in settings], "What each does to durability"
        ),
        Lines(notes, "The device"),
    ]
    return Report(
        name="knobs",
        parts=parts,
        content=cells.content(of.origin, **content),
        lines=told,
        figures={"knobs": lambda: figures.draw(settings, of.origin)},
        warnings=of.warnings,
        folder=of.folder,
        source=of,
        width=_WIDTH,
    )


def _speed(settings: Sequence[KnobLine]) -> Table:
    first = settings[0].estimate
    title = words.group_title(first) + "\nsorted by throughput; x: over the default's"
    columns = numbers(first.unit.name, "x [95 %]", "overhead % [95 %]")
    rows = [
        (
            _label(one),
            cells.throughput(one.estimate),
            "-" if one.is_default else times(one.over_default),
            cells.overhead(one.estimate),
            one.verdict,
        )
        for one in settings
    ]
    return Table(title, [_SETTING, *columns, Column("verdict", is_text=True)], rows)


def _work(settings: Sequence[KnobLine]) -> Table:
    columns = numbers("CPU us", "syncs", "WAL bytes", "bytes in\nthe file", "context\nswitches")
    rows = [(_label(one), *map(words.number, _per_request(one).values())) for one in settings]
    title = f"Per {settings[0].estimate.unit.request}"
    return Table(title, [_SETTING, *columns], rows)


def _label(one: KnobLine) -> str:
    return f"{one.name} (emulated)" if one.estimate.shows_model else one.name


def _per_request(one: KnobLine) -> dict[str, float | None]:
    return {
        "cpu_us": one.proof.cpu_us_per_request,
        "syncs": one.proof.syncs_per_request,
        "wal_bytes": one.proof.wal_bytes_per_request,
        "tap_bytes": one.tap_bytes_per_request,
        "context_switches": one.proof.context_switches_per_request,
    }


def _line(one: KnobLine) -> dict[str, Any]:
    """A setting for programs: its figures are named for the workload's unit and request."""
    estimate, unit = one.estimate, one.estimate.unit
    rate = unit.name.replace("/", "_per_")
    work = {f"{name}_per_{unit.request}": value for name, value in _per_request(one).items()}
    switches = work.popitem()
    return {
        "setting": one.name,
        "device": estimate.device,
        "durability": estimate.durability,
        "threads": estimate.threads,
        "emulated": estimate.shows_model,
        "rounds": estimate.rounds,
        rate: estimate.throughput,
        f"{rate}_low": estimate.throughput_low,
        f"{rate}_high": estimate.throughput_high,
        "over_default": one.over_default.value,
        "over_default_low": one.over_default.low,
        "over_default_high": one.over_default.high,
        "verdict": one.verdict,
        "overhead": estimate.overhead,
        "overhead_low": estimate.low,
        "overhead_high": estimate.high,
        **work,
        f"logs_per_{'run' if one.is_run else 'slice'}": one.logs_per_slice,
        **dict([switches]),
        "does_to_durability": one.durability,
    }
