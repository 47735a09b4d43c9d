"""Doubts about a cell's overhead, defined once for every report and every program."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ..stats import Floats
from . import disturbance, words
from .hosts import NAMELESS, host_of
from .panel import Panel, slot_of
from .result import CellResult, Doubt
from .sums import Sums

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
AGE = "unequal age"
OVERTIME = "waits beyond slices"
TWIN = "A/A off zero"
UNMATCHED = "unmatched"
EMULATED = "emulated"
SLOW_READS = "emulated reads"
UNDURABLE = "not durable"
MISLABELLED = "label not proven"
SPUN = "CPU of emulated syncs"
STATE = "state of the drive"

_FEW = 2  # sessions or hosts; an uninterrupted campaign has more
_FAR = 2.0  # times the target: the interval in the same sentence says that it is somewhat wider
_MUCH = 0.1  # share of a comparison's slices
_SURE = 0.995  # quantile of Student's t: chance gives one cell in a hundred such a drift
_YOUNGER = 0.8  # times the baseline's requests
_LATE = 0.01  # share of the measured time
_HALVES_OF = 4  # least rounds of a session, so that each half is more than one slice
OF_MODEL = "emulated: "
"""The start of the warning that says what a model's figures are."""
_AT_ONCE = (UNDURABLE, MISLABELLED)
"""The starts of warnings that a reader must know before the figure."""
_DEAR = "the overhead may come out too high"  # ends warnings about a model's CPU time


def of(result: CellResult) -> tuple[Doubt, ...]:
    """Return the doubts about a cell in reading order; what no row records raises no doubt."""
    return tuple(_of(result))


def _of(result: CellResult) -> Iterator[Doubt]:
    yield from _of_its_run(result)
    if not (result.failed or result.is_baseline or result.overhead is None):
        if result.uneven:
            yield Doubt(UNEVEN, f"{result.uneven}: the interval means nothing", large=True)
        # What is offered in an open loop says what is done, so that no overhead is asked for.
        if not result.at.axes["load"]:
            yield from _of_its_interval(result)
            yield from _median(result)
            yield from _drift(result)
            yield from _age(result)
            yield from _state(result)
        yield from _twin(result)
        yield from _unmatched(result)
    yield from _overtime(result)
    yield from of_comparison(result.panel)
    yield from _said_at_once(result)
    yield from _emulated(result)


def uneven(result: CellResult) -> str:
    """Say that a disturbance hit only the cell or only its baseline; empty if it did not.

    The kernel's work for a real log counts as foreign CPU time, so a cell with a real log that is
    hit alone may not have been disturbed at all.
    """
    if not result.panel.disturbance.busy:  # disturbed slices are left out
        return ""
    mine, theirs = result.rows, result.panel.rows.get(result.at.baseline, ())
    real = result.writes_wal and not result.emulated
    if not disturbance.fell_on(theirs, mine) and (real or not disturbance.fell_on(mine, theirs)):
        return ""
    (hit, slices), (their_hit, their_slices) = map(disturbance.counts, (mine, theirs))
    return (
        "foreign CPU time, slow memory or pauses disturbed "
        f"{their_hit} of {their_slices} slices of {words.against(result)} and "
        f"{hit} of {slices} of {words.label(result)}"
    )


def _of_its_run(result: CellResult) -> Iterator[Doubt]:
    for failure in result.failures:
        yield Doubt(FAILED, f"{words.FAILED}: {failure}", result.failed_slices / len(result.rows))
    rows = result.panel.failed_on.get(result.at, [])  # from hosts that the cell's figures leave out
    why: dict[str, str] = {}
    for row in (row for row in rows if row["status"] != "ok"):
        why.setdefault(host_of(row) or NAMELESS, row["failure"])
    if why:
        said = ", ".join(f"{host} ({failure})" for host, failure in why.items())
        share = len(rows) / (len(rows) + len(result.rows))
        yield Doubt(FAILED_HOSTS, f"{words.FAILED} on {said}: left out there", share, large=True)
    for rule in result.activity.failed_inputs:
        drawn = f"{rule.name}: {rule.value:.6g} over {rule.samples:,} samples"
        text = f"{words.INPUTS_FAIL}: {drawn}, want {rule.low:g} to {rule.high:g}"
        yield Doubt(INPUTS, text)


def _of_its_interval(result: CellResult) -> Iterator[Doubt]:
    if result.half_width is None:
        why = "no request was done" if result.throughput == 0 else "one round only"
        yield Doubt(NO_INTERVAL, f"{why}: there is no interval", large=True)
        return
    if not result.resolvable:
        yield Doubt(UNRESOLVED, "not resolvable: the interval covers zero")
    target = result.target_half_width
    if target is not None and result.is_wider_than(target):
        width = words.points(result.half_width, beside=target)
        large = result.half_width > _FAR * target
        yield Doubt(TARGET, f"target missed: half-width {width}", large=large)
    for kind, what, count in (
        (SESSIONS, "session", result.sessions),
        (HOSTS, "host", result.hosts),
    ):
        if count == 1:
            text = f"one {what} only: what differs between {what}s is not in the interval"
            yield Doubt(kind, text, large=True)
        elif count == _FEW:
            text = f"two {what}s only: hardly anything says how {what}s differ"
            yield Doubt(kind, text, large=True)


def _median(result: CellResult) -> Iterator[Doubt]:
    median, low, high = result.overhead_median_of_ratios, result.low, result.high
    if median is not None and low is not None and high is not None and not low <= median <= high:
        yield Doubt(
            MEDIAN,
            f"the median of ratios, {words.percent(median)} %, lies outside the interval: "
            "a few rounds decide the mean",
            large=True,
        )


def _drift(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt if the overhead drifts within sessions by more than its interval covers."""
    halves = _halves(result)
    if halves is None or result.half_width is None:
        return
    first, second = halves
    if abs(second - first) > result.half_width:
        yield Doubt(
            DRIFT,
            f"the overhead drifts within sessions: {words.percent(first)} % in their first half, "
            f"{words.percent(second)} % in their second",
            large=abs(second - first) > 2 * result.half_width,
        )


def _age(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt if the cell had done fewer requests than its baseline, or more: then one of
    them pays for flushes and compactions that the other never reaches.
    """
    panel = result.panel
    mine, its = (
        Sums(panel.rows.get(at, ())).median("age_requests")
        for at in (result.at, result.at.baseline)
    )
    if mine and its and not _YOUNGER <= mine / its <= 1 / _YOUNGER:
        yield Doubt(
            AGE,
            f"cells of unequal age: before a slice it had done {mine:,.0f} requests, and "
            f"{words.against(result)} {its:,.0f}, so their flushes and compactions differ",
        )


def _overtime(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt if single requests prolonged slices and took longer than 99 of 100 others."""
    rows = [row for row in result.rows if row.get("overtime_s") and row.get("measure_s")]
    late_s = sum(max(0.0, row["overtime_s"] - row["latency_us_p99"] / 1e6) for row in rows)
    share = late_s / sum(row["measure_s"] for row in rows) if rows else 0.0
    if share > _LATE:
        text = f"single requests at the ends of slices took another {words.percent(share)} % of"
        yield Doubt(
            OVERTIME, f"{text} the measured time: waits outlast slices", large=share >= 5 * _LATE
        )


def _halves(result: CellResult) -> tuple[float, float] | None:
    """Return the overheads of the sessions' halves; None if chance explains their difference."""
    panel = result.panel
    top, bottom = panel.values(result.at), panel.values(result.at.baseline)
    half = _half_of_session(result, (top > 0) & (bottom > 0))
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


def _half_of_session(result: CellResult, known: NDArray[np.bool_]) -> Floats:
    """Return -1 or 1 for slots in the first or second half of a session, and 0 for the others."""
    half = np.zeros(known.size)
    for number in np.unique(result.panel.by.session[known]):
        slots = np.flatnonzero(known & (result.panel.by.session == number))  # by round
        if slots.size >= _HALVES_OF:
            half[slots[: slots.size // 2]] = -1
            half[slots[-(slots.size // 2) :]] = 1
    return half


def _state(result: CellResult) -> Iterator[Doubt]:
    """Yield what the drive's other states would cost, if what the log adds grows as its syncs do.

    It does at most so: the log's CPU time stays, and more commits share a slower sync.
    """
    fastest, slowest = (result.rows[0].get(f"device_{end}") for end in ("fastest", "slowest"))
    cost = result.overhead
    if fastest is None or slowest is None or cost is None or not 0 < cost < 1:
        return
    low, high = (times * cost / (1 - cost + times * cost) for times in (fastest, slowest))
    text = (
        f"between {words.percent(low)} and {words.percent(high)} %, depending on the state of the "
        f"drive, whose syncs were seen to take {fastest:g} to {slowest:g} times as long"
    )
    yield Doubt(STATE, text, large=True)


def _twin(result: CellResult) -> Iterator[Doubt]:
    twin = result.twin
    if twin is None or twin.failed or twin.overhead is None or not twin.resolvable:
        return
    yield Doubt(
        TWIN,
        f"{words.twin(twin)}: two equal cells differ by more than their interval, so that the "
        "others' intervals may be too narrow, too",
        large=result.half_width is not None and abs(twin.overhead) > result.half_width,
    )


def _unmatched(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt about slices without a partner, unless the partner was disturbed.

    An interrupted campaign may have stopped before its baseline.
    """
    panel, baseline = result.panel, result.at.baseline
    ours, theirs = (
        {slot_of(row) for row in panel.rows.get(at, ())} for at in (result.at, baseline)
    )
    twins = {slot_of(row) for row in panel.twins.get(baseline, {}).values()}
    alone = len(ours - theirs - twins)
    if alone:
        slices = "1 slice" if alone == 1 else f"{alone} slices"
        text = f"{slices} had no partner in the round: left out"
        yield Doubt(UNMATCHED, text, alone / len(ours))


def of_comparison(panel: Panel) -> Iterator[Doubt]:
    """Yield the doubts that all cells of a comparison share.

    They say how data were read, if reads were emulated, and how many slices were disturbed, because
    a disturbed slice costs every cell its round.
    """
    every = (row for rows in panel.rows.values() for row in rows)
    latency_us = next((row.get("data_read_latency_us") for row in every), None)
    if latency_us:
        yield Doubt(SLOW_READS, words.data_reads(latency_us))
    seen = panel.disturbance
    if not seen.recorded:
        text = "whether something outside disturbed the slices was not recorded"
        yield Doubt(UNCHECKED, text)
    elif seen.disturbed:
        share = seen.disturbed / seen.slices
        yield Doubt(DISTURBED, seen.words, share, large=share >= _MUCH)


def _said_at_once(result: CellResult) -> Iterator[Doubt]:
    """Yield the warnings that must stand beside the figure.

    A log that keeps nothing is cheap, a log on another device is another log, and a program that
    checks itself, or a device that takes more CPU than a real one, is slow.
    """
    for text in result.proof.warnings:
        kind = text.partition(": ")[0]
        if kind in _AT_ONCE:
            yield Doubt(kind, text, large=True)
    dear = sum(any(text.endswith(_DEAR) for text in row["warnings"]) for row in result.rows)
    if dear:
        share = dear / len(result.rows)
        text = f"emulated syncs may have used more CPU than a drive's, and {_DEAR}"
        yield Doubt(SPUN, text, share, large=share >= _MUCH)


def _emulated(result: CellResult) -> Iterator[Doubt]:
    """Yield what the device's figures are, in the words of its model if the rows have them."""
    if not result.shows_model:
        return
    said = [text for text in result.proof.warnings if text.startswith(OF_MODEL)]
    for text in said or [
        f"{OF_MODEL}latencies of a model ({result.device_kind}); nothing is durable"
    ]:
        yield Doubt(EMULATED, text)
