"""Doubts about a cell's overhead, defined once for every report and every program."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import stdtrit

from . import disturbance, words
from .facts import Sums
from .panel import Panel
from .result import CellResult, Doubt

UNEVEN = "disturbed unevenly"

_FEW = 2  # sessions or hosts; an uninterrupted campaign has more
_FAR = 2.0  # times the target: the interval in the same sentence says that it is somewhat wider
_MUCH = 0.1  # share of a comparison's slices
_APART = 0.5  # least difference of two cells' shares that cannot come from one disturbance
_CHANCE = 1e-4  # probability of such shares by chance, as the cells of a round are shuffled
_SURE = 0.995  # quantile of Student's t: chance gives one cell in a hundred such a drift
_YOUNGER = 0.8  # times the baseline's requests
_HALVES_OF = 4  # least rounds of a session, so that each half is more than one slice
_AT_ONCE = ("not durable", "label not proven")
"""The starts of warnings that a reader must know before the figure."""
_DEAR = "the overhead may come out too high"  # ends warnings about a model's CPU time


def of(result: CellResult) -> Iterator[Doubt]:
    """Yield the doubts about a cell in reading order; what no row records raises no doubt."""
    yield from _of_its_run(result)
    if not (result.failed or result.is_baseline or result.overhead is None):
        yield from _uneven(result)
        # What is offered in an open loop says what is done, so that no overhead is asked for.
        if not result.at.axes["load"]:
            yield from _of_its_interval(result)
            yield from _drift(result)
            yield from _age(result)
            yield from _state(result)
        yield from _twin(result)
    yield from of_comparison(result.panel)
    yield from _said_at_once(result)


def _uneven(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt if a disturbance hit the cell or its baseline alone, by Fisher's exact test.

    The kernel's work for a real log counts as foreign CPU time, so a cell with a real log that is
    hit alone may not have been disturbed at all.
    """
    if not result.panel.disturbance.is_too_much:  # disturbed slices are left out
        return
    sides = result.rows, result.panel.rows.get(result.at.baseline, ())
    (hit, slices), (their_hit, their_slices) = counted = [*map(disturbance.counts, sides)]
    if not slices or not their_slices:
        return
    more, is_real = (
        hit / slices - their_hit / their_slices,
        result.writes_wal and not result.emulated,
    )
    if more <= -_APART or (more >= _APART and not is_real):
        from scipy.stats import fisher_exact  # takes a second to import

        if fisher_exact([[each, of - each] for each, of in counted]).pvalue >= _CHANCE:
            return
        text = (
            "foreign CPU time, slow memory or pauses disturbed "
            f"{their_hit} of {their_slices} slices of {words.against(result)} and {hit} of "
            f"{slices} of {words.label(result)}: the interval means nothing"
        )
        yield Doubt(UNEVEN, text, large=True)


def _of_its_run(result: CellResult) -> Iterator[Doubt]:
    for failure in result.failures:
        yield Doubt("failed", f"{words.FAILED}: {failure}", result.failed_slices / len(result.rows))


def _of_its_interval(result: CellResult) -> Iterator[Doubt]:
    if result.half_width is None:
        why = "no request was done" if result.throughput == 0 else "one round only"
        yield Doubt("no interval", f"{why}: there is no interval", large=True)
        return
    if not result.resolvable:
        yield Doubt("not resolvable", "not resolvable: the interval covers zero")
    target = result.target_half_width
    if target is not None and result.is_wider_than(target):
        width = words.points(result.half_width, beside=target)
        large = result.half_width > _FAR * target
        yield Doubt("target missed", f"target missed: half-width {width}", large=large)
    for kind, what, count in (
        ("few sessions", "session", result.sessions),
        ("few hosts", "host", result.hosts),
    ):
        if count == 1:
            text = f"one {what} only: what differs between {what}s is not in the interval"
            yield Doubt(kind, text, large=True)
        elif count == _FEW:
            text = f"two {what}s only: hardly anything says how {what}s differ"
            yield Doubt(kind, text, large=True)


def _drift(result: CellResult) -> Iterator[Doubt]:
    """Yield a doubt if the overhead drifts within sessions by more than its interval covers."""
    halves = _halves(result)
    if halves is None or result.half_width is None:
        return
    first, second = halves
    if abs(second - first) > result.half_width:
        yield Doubt(
            "drift",
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
            "unequal age",
            f"cells of unequal age: before a slice it had done {mine:,.0f} requests, and "
            f"{words.against(result)} {its:,.0f}, so their flushes and compactions differ",
        )


def _halves(result: CellResult) -> tuple[float, float] | None:
    """Return the overheads of the sessions' halves; None if chance explains their difference."""
    panel, of = result.panel, result.panel.by.session
    top, bottom = panel.values(result.at), panel.values(result.at.baseline)
    known, half = (top > 0) & (bottom > 0), np.zeros(top.size)
    for number in np.unique(of[known]):
        slots = np.flatnonzero(known & (of == number))  # by round
        if slots.size >= _HALVES_OF:
            half[slots[: slots.size // 2]], half[slots[-(slots.size // 2) :]] = -1, 1
    taken = half != 0
    _, session, sizes = np.unique(of[taken], return_inverse=True, return_counts=True)
    freedom = session.size - sizes.size - 1
    if freedom < 1:
        return None
    logs, x = np.log(top[taken] / bottom[taken]), half[taken]
    logs -= (np.bincount(session, logs) / sizes)[session]
    slope = float(x @ logs) / float(x @ x)
    left = logs - slope * x
    error = math.sqrt(float(left @ left) / freedom / float(x @ x))
    if abs(slope) <= float(stdtrit(freedom, _SURE)) * error:
        return None
    first, second = (
        1 - float(top[part].sum() / bottom[part].sum()) for part in (half < 0, half > 0)
    )
    return first, second


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
    yield Doubt("state of the drive", text, large=True)


def _twin(result: CellResult) -> Iterator[Doubt]:
    twin = result.twin
    if twin is None or twin.failed or twin.overhead is None or not twin.resolvable:
        return
    yield Doubt(
        "A/A off zero",
        f"{words.twin(twin)}: two equal cells differ by more than their interval, so that the "
        "others' intervals may be too narrow, too",
        large=result.half_width is not None and abs(twin.overhead) > result.half_width,
    )


def of_comparison(panel: Panel) -> Iterator[Doubt]:
    """Yield a doubt that all cells of a comparison share: how many slices were disturbed.

    A disturbed slice costs every cell its round.
    """
    seen = panel.disturbance
    if seen.disturbed:
        share = seen.disturbed / seen.slices
        yield Doubt("disturbed", seen.words, share, large=share >= _MUCH)


def _said_at_once(result: CellResult) -> Iterator[Doubt]:
    """Yield the warnings that must stand beside the figure.

    A log that keeps nothing is cheap, a log on another device is another log, and a program that
    checks itself, or a device that takes more CPU than a real one, is slow.
    """
    for text in result.warnings:
        kind = text.partition(": ")[0]
        if kind in _AT_ONCE:
            yield Doubt(kind, text, large=True)
    dear = sum(any(text.endswith(_DEAR) for text in row["warnings"]) for row in result.rows)
    if dear:
        share = dear / len(result.rows)
        text = f"emulated syncs may have used more CPU than a drive's, and {_DEAR}"
        yield Doubt("CPU of emulated syncs", text, share, large=share >= _MUCH)
