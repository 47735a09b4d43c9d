"""What speaks against a cell's overhead: each doubt once, for every report and every program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ..stats import Floats
from . import disturbed, words
from .hosts import NAMELESS, host_of
from .panel import Panel, slot_of

if TYPE_CHECKING:
    from .result import CellResult

FAILED = "failed"
INPUTS = "inputs"
NO_INTERVAL = "no interval"
UNRESOLVED = "not resolvable"
TARGET = "target missed"
DISTURBED = "disturbed"
UNEVEN = "disturbed unevenly"
UNCHECKED = "disturbance not recorded"
SESSIONS = "few sessions"
HOSTS = "few hosts"
FAILED_HOSTS = "failed on hosts"
MEDIAN = "median disagrees"
DRIFT = "drift"
OVERTIME = "waits beyond slices"
TWIN = "A/A off zero"
UNMATCHED = "unmatched"
EMULATED = "emulated"
SLOW_READS = "emulated reads"
UNDURABLE = "not durable"
MISLABELLED = "label not proven"
OF_DB_BENCH = "db_bench says"
SPUN = "CPU of emulated syncs"

_FEW = 2  # sessions or hosts; of a campaign that is not interrupted there are more
_FAR = 1.2  # times the target: an interval that is wider by less answers the same questions
_MUCH = 0.1  # of the slices of a comparison
_SURE = 0.995  # of Student's t: a drift that chance gives one cell in a hundred
_LATE = 0.01  # of the measured time
_HALVES_OF = 4  # rounds of a session at least, so that its halves are more than a slice each
OF_MODEL = "emulated: "
"""How the warning of a model begins that says what its figures are."""
_AT_ONCE = (UNDURABLE, MISLABELLED, OF_DB_BENCH)
"""How warnings begin of which a reader must know before the figure."""
_DEAR = "the overhead may come out too high"  # how a warning ends of what a model's syncs used


@dataclass(frozen=True)
class Doubt:
    """A clause that a reader must know before using an overhead, of a kind that is named above.

    `share` is the fraction of the slices that it is of; None where it is of no slices in
    particular. One that is `large` belongs into the sentence that says the overhead.
    """

    kind: str
    text: str
    share: float | None = None
    large: bool = False


def of(one: CellResult) -> tuple[Doubt, ...]:
    """Those of a cell, in the order in which they are said; what no row says is no doubt."""
    return tuple(_of(one))


def _of(one: CellResult) -> Iterator[Doubt]:
    yield from _of_its_run(one)
    if not (one.failed or one.is_baseline or one.overhead is None):
        if one.uneven:
            yield Doubt(UNEVEN, f"{one.uneven}: the interval means nothing", large=True)
        yield from _of_its_interval(one)
        yield from _median(one)
        yield from _drift(one)
        yield from _twin(one)
        yield from _unmatched(one)
    yield from _overtime(one)
    yield from of_comparison(one.panel)
    yield from _said_at_once(one)
    yield from _emulated(one)


def uneven(one: CellResult) -> str:
    """That a disturbance fell on the cell or on its baseline alone; empty where it did not.

    The kernel's work for a real log counts as foreign CPU time: hit alone, such a cell may be
    hit by nothing else.
    """
    if not one.panel.disturbance.busy:  # what was disturbed is left out
        return ""
    mine, theirs = one.rows, one.panel.rows.get(one.at.baseline, ())
    real = one.writes_wal and not one.emulated
    if not disturbed.fell_on(theirs, mine) and (real or not disturbed.fell_on(mine, theirs)):
        return ""
    (hit, slices), (their_hit, their_slices) = map(disturbed.counts, (mine, theirs))
    return (
        "foreign CPU time, slow memory or pauses disturbed "
        f"{their_hit} of {their_slices} slices of {words.against(one)} and "
        f"{hit} of {slices} of {words.label(one)}"
    )


def _of_its_run(one: CellResult) -> Iterator[Doubt]:
    for failure in one.failures:
        yield Doubt(FAILED, f"{words.FAILED}: {failure}", one.failed_slices / len(one.rows))
    rows = one.panel.failed_on.get(one.at, [])  # of hosts that the cell's figures are without
    why: dict[str, str] = {}
    for row in (row for row in rows if row["status"] != "ok"):
        why.setdefault(host_of(row) or NAMELESS, row["failure"])
    if why:
        said = ", ".join(f"{host} ({failure})" for host, failure in why.items())
        share = len(rows) / (len(rows) + len(one.rows))
        yield Doubt(FAILED_HOSTS, f"{words.FAILED} on {said}: left out there", share, large=True)
    for rule in one.activity.failed_inputs:
        drawn = f"{rule.name}: {rule.value:.6g} over {rule.samples:,} samples"
        text = f"{words.INPUTS_FAIL}: {drawn}, want {rule.low:g} to {rule.high:g}"
        yield Doubt(INPUTS, text)


def _of_its_interval(one: CellResult) -> Iterator[Doubt]:
    if one.half_width is None:
        why = "no request was done" if one.throughput == 0 else "one round only"
        yield Doubt(NO_INTERVAL, f"{why}: there is no interval", large=True)
        return
    if not one.resolvable:
        yield Doubt(UNRESOLVED, "not resolvable: the interval covers zero")
    target = one.target_half_width
    if target is not None and one.is_wider_than(target):
        width = words.points(one.half_width, beside=target)
        large = one.half_width > _FAR * target
        yield Doubt(TARGET, f"target missed: half-width {width}", large=large)
    for kind, what, count in ((SESSIONS, "session", one.sessions), (HOSTS, "host", one.hosts)):
        if count == 1:
            text = f"one {what} only: what differs between {what}s is not in the interval"
            yield Doubt(kind, text, large=True)
        elif count == _FEW:
            text = f"two {what}s only: hardly anything says how {what}s differ"
            yield Doubt(kind, text, large=True)


def _median(one: CellResult) -> Iterator[Doubt]:
    median, low, high = one.overhead_median_of_ratios, one.low, one.high
    if median is not None and low is not None and high is not None and not low <= median <= high:
        yield Doubt(
            MEDIAN,
            f"the median of ratios, {words.percent(median)} %, lies outside the interval: "
            "a few rounds decide the mean",
            large=True,
        )


def _drift(one: CellResult) -> Iterator[Doubt]:
    """Whether the overhead changes within sessions by more than its interval reaches."""
    halves = _halves(one)
    if halves is None or one.half_width is None:
        return
    first, second = halves
    if abs(second - first) > one.half_width:
        yield Doubt(
            DRIFT,
            f"the overhead drifts within sessions: {words.percent(first)} % in their first half, "
            f"{words.percent(second)} % in their second",
            large=abs(second - first) > 2 * one.half_width,
        )


def _overtime(one: CellResult) -> Iterator[Doubt]:
    """Whether slices lasted longer for single requests, which took longer than 99 of 100 did."""
    rows = [row for row in one.rows if row.get("overtime_s") and row.get("measure_s")]
    late_s = sum(max(0.0, row["overtime_s"] - row["latency_us_p99"] / 1e6) for row in rows)
    share = late_s / sum(row["measure_s"] for row in rows) if rows else 0.0
    if share > _LATE:
        text = f"single requests at the ends of slices took another {words.percent(share)} % of"
        yield Doubt(
            OVERTIME, f"{text} the measured time: waits outlast slices", large=share >= 5 * _LATE
        )


def _halves(one: CellResult) -> tuple[float, float] | None:
    """The overheads of the sessions' halves; None where chance explains that they differ."""
    panel = one.panel
    top, bottom = panel.values(one.at), panel.values(one.at.baseline)
    half = _half_of_session(one, (top > 0) & (bottom > 0))
    taken = half != 0
    _, session = np.unique(panel.by.session[taken], return_inverse=True)
    sessions = session.max(initial=-1) + 1
    freedom = int(taken.sum()) - sessions - 1
    if sessions == 0 or freedom < 1:
        return None
    logs, x = np.log(top[taken] / bottom[taken]), half[taken]
    logs -= (np.bincount(session, logs) / np.bincount(session))[session]
    slope = float(x @ logs) / float(x @ x)
    left = logs - slope * x
    error = math.sqrt(float(left @ left) / freedom / float(x @ x))
    if abs(slope) <= float(stdtrit(freedom, _SURE)) * error:
        return None
    first, second = (
        1 - float(top[part].sum() / bottom[part].sum()) for part in (half < 0, half > 0)
    )
    return first, second


def _half_of_session(one: CellResult, known: NDArray[np.bool_]) -> Floats:
    """-1 and 1 for the slots of a session's first and second half, 0 for all that are in none."""
    half = np.zeros(known.size)
    for number in np.unique(one.panel.by.session[known]):
        slots = np.flatnonzero(known & (one.panel.by.session == number))  # in the rounds' order
        if slots.size >= _HALVES_OF:
            half[slots[: slots.size // 2]] = -1
            half[slots[-(slots.size // 2) :]] = 1
    return half


def _twin(one: CellResult) -> Iterator[Doubt]:
    twin = one.twin
    if twin is None or twin.failed or twin.overhead is None or not twin.resolvable:
        return
    yield Doubt(
        TWIN,
        f"{words.twin(twin)}: two equal cells differ by more than their interval, so that the "
        "others' intervals may be too narrow, too",
        large=one.half_width is not None and abs(twin.overhead) > one.half_width,
    )


def _unmatched(one: CellResult) -> Iterator[Doubt]:
    """Slices whose partner is not there; those of a disturbed partner are counted with it.

    An interrupted campaign may not have come to its baseline.
    """
    panel, baseline = one.panel, one.at.baseline
    ours, theirs = ({slot_of(row) for row in panel.rows.get(at, ())} for at in (one.at, baseline))
    twins = {slot_of(row) for row in panel.twins.get(baseline, {}).values()}
    alone = len(ours - theirs - twins)
    if alone:
        slices = "1 slice" if alone == 1 else f"{alone} slices"
        text = f"{slices} had no partner in the round: left out"
        yield Doubt(UNMATCHED, text, alone / len(ours))


def of_comparison(panel: Panel) -> Iterator[Doubt]:
    """Of all its cells: how their data were read, if not as they are, and how many slices were
    disturbed, because a round is lost to all of them.
    """
    every = (one for rows in panel.rows.values() for one in rows)
    latency_us = next((one.get("data_read_latency_us") for one in every), None)
    if latency_us:
        yield Doubt(SLOW_READS, words.data_reads(latency_us))
    seen = panel.disturbance
    if not seen.recorded:
        text = "whether something outside disturbed the slices was not recorded"
        yield Doubt(UNCHECKED, text)
    elif seen.disturbed:
        share = seen.disturbed / seen.slices
        yield Doubt(DISTURBED, seen.words, share, large=share >= _MUCH)


def _said_at_once(one: CellResult) -> Iterator[Doubt]:
    """A log of which nothing is kept is cheap, one on another device is another log, and a
    program that checks itself, or a device that takes more CPU than a real one, is slow.
    """
    for text in one.proof.warnings:
        kind = text.partition(": ")[0]
        if kind in _AT_ONCE:
            yield Doubt(kind, text, large=True)
    dear = sum(any(text.endswith(_DEAR) for text in row["warnings"]) for row in one.rows)
    if dear:
        share = dear / len(one.rows)
        text = f"emulated syncs may have used more CPU than a drive's, and {_DEAR}"
        yield Doubt(SPUN, text, share, large=share >= _MUCH)


def _emulated(one: CellResult) -> Iterator[Doubt]:
    """What the device's figures are: its model's own words where the rows have them."""
    if not one.shows_model:
        return
    said = [text for text in one.proof.warnings if text.startswith(OF_MODEL)]
    for text in said or [f"{OF_MODEL}latencies of a model ({one.device_kind}); nothing is durable"]:
        yield Doubt(EMULATED, text)
