"""The report of a sweep of knobs: every setting against the default and against no log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...base.errors import UsageError
from ...engines.knobs import KNOBS
from ...row import Row
from ..gate.difference import Compared, turns
from ..report import Lines
from ..results import every_cell, panel_of, words
from ..series import Column, Plot, Series, View, plain
from . import cell_columns, pairs, sweeps

DEFAULT = "default"
# What each mode does to durability; `KNOBS` has the same for knobs.
_MODES = {
    DEFAULT: "sync: survives a power failure, if the device honours a flush",
    "flush": "no sync: survives the end of the process, not of the kernel or of the power",
    "delayed": "no wait: what was acknowledged in the last second or so is lost",
    "off": "no log: what was not flushed from memtables is lost, even when only the process ends",
}


def settings(rows: list[Row]) -> list[Compared]:
    """Compare each setting with the default, the fastest first; cells that failed are left out.

    Errors: UsageError if the rows are not those of one workload with a default.
    """
    grid = panel_of(rows)
    results = [result for result in every_cell(rows) if not result.failed]
    synced = [r for r in results if (r.durability, r.knob, r.replica) == ("sync", "", "")]
    if len(synced) != 1:
        raise UsageError(
            f"sweep-knobs: found {len(synced)} cells of durability sync without a knob; give one "
            "campaign of a sweep of knobs, which has one to compare with"
        )
    return sorted(
        (turns(grid, synced[0], result) for result in results),
        key=lambda setting: (-(setting.ratio.value or 0.0), name(setting)),
    )


def name(setting: Compared) -> str:
    """Return the knob, or else the mode; the default is the mode that syncs."""
    at = setting.result
    return at.knob or (DEFAULT if at.durability == "sync" else at.durability)


def _series(rows: list[Row]) -> list[Series[Compared]]:
    every = settings(rows)
    first = every[0].result
    title = words.group_title(first)
    series = Series(
        axis="setting",
        subject=title,
        points=every,
        columns=[
            Column("setting", "setting", "text", name, _label),
            *pairs.columns(first.unit.name, DEFAULT, "with it"),
            cell_columns.OVERHEAD,
            Column("verdict", "verdict", "text", "faster"),
            *plain("cpu_us_per_request syncs_per_request wal_bytes_per_request"),
            *plain("context_switches_per_request"),
            cell_columns.over("tap_bytes_per_request", "", "tap_write_bytes", "slice_requests"),
            Column("does_to_durability", of=_durability),
        ],
        views=[
            View(
                f"{title}\nsorted by throughput; x: over the default's",
                "setting throughput_new ratio overhead verdict",
            ),
        ],
        sentences=list(sentences(every)),
        more=[
            Lines(
                [f"{name(setting)}: {_durability(setting)}" for setting in every],
                "What each does to durability",
            )
        ],
        at=_label,
        line=pairs.line,
        plots=[
            Plot("throughput over the default's", "ratio", _syncs, mark=1.0),
            Plot("overhead against off, %", "overhead", _syncs),
        ],
    )
    return [series]


def _label(setting: Compared) -> str:
    return f"{name(setting)} (emulated)" if setting.result.shows_model else name(setting)


def _durability(setting: Compared) -> str:
    knob = name(setting)
    return KNOBS[knob].durability if knob in KNOBS else _MODES.get(knob, "")


def _syncs(setting: Compared) -> bool:
    return setting.result.durability == "sync"


def sentences(settings: Sequence[Compared]) -> Iterator[str]:
    """Say how each setting of the log differs from the default, if that can be told."""
    rest = [each for each in settings if each.result.writes_wal and name(each) != DEFAULT]
    alike = [name(each) for each in rest if not each.ratio.side(1)]
    for setting in (each for each in rest if each.ratio.side(1)):
        bought = "; it does not sync, so that this is bought with durability"
        unsynced = setting.result.facts["syncs_per_request"] == 0
        yield pairs.throughputs(setting.ratio, name(setting), "the default") + bought * unsynced
    if alike:
        yield f"cannot be told apart from the default: {', '.join(alike)}"


knobs = partial(
    sweeps.report,
    name="knobs",
    series=_series,
    lacking="no setting",
    legend="points: means; whiskers: 95 % intervals; settings that do not sync are left out",
    size=(6.5, 4.4),
)
