"""How often the intervals hold the true overhead, by simulation: the tables of docs/results.md.

    python -m bench coverage [TRIALS]

Of campaigns with a fixed number of sessions; of campaigns that end as the profiles' do, by the
very rule that the loop follows; and of three campaigns that are pooled.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from waltax import profiles
from waltax.analysis import stats
from waltax.analysis.reports import campaign_end as ended
from waltax.analysis.stats import Interval, Resampling
from waltax.profiles.model import Timing
from waltax.runners.stop_rule import Rule, Stop

from .scenes import OVERHEADS, SCENES, Rng, Scene, simulate

SESSIONS = (2, 3, 4, 6, 9)
PROFILES = (("quick", "rocksdb"), ("ci", "rocksdb"), ("quick", "myrocks"))
_ROUNDS = 4
_OCCASIONS = 3
_POOLED_SESSIONS = 4  # of each occasion
_FEW = 0.1  # of the campaigns: of less than so many nothing is said


@dataclass(frozen=True)
class Covered:
    """Of simulated campaigns: how often the first device's interval held the truth.

    `together` is how often those of all devices did at once. `stopped` is the share of campaigns
    that ended because all their intervals were narrow, and have then been stretched up to the
    target; `given_stop` is how often the first device's held the truth of these alone.
    """

    share: float
    half_width: float  # median, in fractions of overhead
    together: float | None = None
    stopped: float | None = None
    given_stop: float | None = None
    sessions: float | None = None  # mean


def fixed(scene: Scene, sessions: int, trials: int, rounds: int = _ROUNDS) -> Covered:
    """When the numbers of sessions and rounds are fixed."""
    rng, by = np.random.default_rng(0), _resampling((rounds,) * sessions)
    hits, widths, together = [], [], []
    for _ in range(trials):
        one = simulate(scene, sessions, rounds, rng)
        drawn = [stats.draws(device, one.off, by) for device in one.devices]
        interval, confidence = drawn[0].interval(), stats.at_once(drawn)
        every = [each.interval(confidence) for each in drawn]
        hits.append(_holds(interval, one.truths[0]))
        widths.append(_half_width(interval))
        together.append(all(map(_holds, every, one.truths)))
    return Covered(float(np.mean(hits)), float(np.median(widths)), float(np.mean(together)))


def stopped(scene: Scene, timing: Timing, trials: int) -> Covered:
    """When campaigns end as those of a profile do."""
    rng = np.random.default_rng(0)
    ended = [_campaign(scene, timing, rng) for _ in range(trials)]
    tight = [one for one in ended if one.stop is Stop.TIGHT]
    return Covered(
        float(np.mean([one.holds for one in ended])),
        float(np.median([one.half_width for one in ended])),
        stopped=len(tight) / trials,
        given_stop=float(np.mean([one.holds for one in tight])) if tight else None,
        sessions=float(np.mean([one.sessions for one in ended])),
    )


@dataclass(frozen=True)
class _Ended:
    """How a simulated campaign ended, of its first device."""

    holds: bool
    half_width: float
    sessions: int
    stop: Stop


def _campaign(scene: Scene, timing: Timing, rng: Rng) -> _Ended:
    """One that measures until the rule ends it, as `runners.loop` does with each workload."""
    rule, rounds = Rule.of(timing), timing.rounds_per_session
    most = timing.min_sessions + math.ceil(timing.time_budget_s / _round_s(timing) / rounds)
    one = simulate(scene, most, rounds, rng)
    sizes: tuple[int, ...] = ()
    slots: list[int] = []
    spent_s, stop = 0.0, None
    while stop is None:
        for number in range(rounds):
            slots.append(len(sizes) * rounds + number)
            spent_s += _round_s(timing, number)
            if rule.out_of_time(spent_s):
                break
        sizes = (*sizes, number + 1)
        over = rule.has_sessions(len(sizes)) and rule.out_of_time(spent_s)
        if over or rule.looks(len(sizes)):
            by = _resampling(sizes)
            found = [
                stats.draws(each[slots], one.off[slots], by).interval() for each in one.devices
            ]
            stop = rule.at_session_end(len(sizes), spent_s, map(_half_width, found))
    shown = [each.complement() for each in found]
    if stop is Stop.TIGHT:
        times = ended.times(shown, timing.target_half_width, len(sizes))
        shown = [stats.longer(each, times) for each in shown]
    holds = _holds(shown[0], 1 - one.truths[0])
    return _Ended(holds, _half_width(shown[0]), len(sizes), stop)


def _round_s(timing: Timing, number: int = 1) -> float:
    """What a round takes; the first of a session has the longer warm-up."""
    warmup_s = timing.warmup_s if number else timing.settle_s
    return (1 + len(OVERHEADS)) * (warmup_s + timing.measure_s)


def pooled(scene: Scene, trials: int) -> Covered:
    """Three campaigns of four sessions, pooled: what a campaign has in common is its own."""
    rng, sessions = np.random.default_rng(0), _OCCASIONS * _POOLED_SESSIONS
    occasion = np.repeat(np.arange(_OCCASIONS), _POOLED_SESSIONS * _ROUNDS)
    by = stats.resample(np.repeat(np.arange(sessions), _ROUNDS), occasion)
    hits, widths = [], []
    for _ in range(trials):
        each = [simulate(scene, _POOLED_SESSIONS, _ROUNDS, rng) for _ in range(_OCCASIONS)]
        top = np.concatenate([one.devices[0] for one in each])
        bottom = np.concatenate([one.off for one in each])
        interval = stats.draws(top, bottom, by).interval()
        hits.append(_holds(interval, each[0].truths[0]))
        widths.append(_half_width(interval))
    return Covered(float(np.mean(hits)), float(np.median(widths)))


@cache
def _resampling(sizes: tuple[int, ...]) -> Resampling:
    """Of sessions with so many rounds each."""
    return stats.resample(np.repeat(np.arange(len(sizes)), sizes))


def _holds(interval: Interval, truth: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= truth <= interval.high


def _half_width(interval: Interval) -> float:
    assert interval.half_width is not None
    return interval.half_width


def _fixed_line(scene: Scene, trials: int) -> str:
    found = [fixed(scene, sessions, trials) for sessions in SESSIONS]
    cells = [f"{one.share:.3f} ({100 * one.half_width:.1f})" for one in found]
    every = [f"{one.together:.3f}" for one in found if one.together is not None]
    return f"| {scene.name} | {' | '.join(cells)} | {min(every)} |"


def _stopped_line(scene: Scene, trials: int) -> str:
    cells = [_ending(scene, name, engine, trials // 2) for name, engine in PROFILES]
    return f"| {scene.name} | {' | '.join(cells)} |"


def _ending(scene: Scene, name: str, engine: str, trials: int) -> str:
    one = stopped(scene, profiles.load(name, engine).timing, trials)
    assert one.stopped is not None
    said = f"{one.share:.3f}, {100 * one.stopped:.0f} %"
    if one.stopped < _FEW or one.given_stop is None:
        return said
    return f"{said}: {one.given_stop:.3f}"


def _pooled_line(scene: Scene, trials: int) -> str:
    one = pooled(scene, trials)
    return f"| {scene.name} | {one.share:.3f} ({100 * one.half_width:.1f}) |"


Line = Callable[[Scene, int], str]
_TABLES: tuple[tuple[str, Line], ...] = (
    (
        f"Coverage (half-width) by sessions of {_ROUNDS} rounds: "
        f"{', '.join(map(str, SESSIONS))}; of {len(OVERHEADS)} devices at once, the least of them",
        _fixed_line,
    ),
    (
        "As the profiles end: coverage, how many end because all intervals are narrow: coverage "
        "of those; " + ", ".join(f"{name} of {engine}" for name, engine in PROFILES),
        _stopped_line,
    ),
    (
        f"{_OCCASIONS} occasions of {_POOLED_SESSIONS} sessions, pooled: coverage (half-width)",
        _pooled_line,
    ),
)


def tables(trials: int) -> Iterator[str]:
    """The lines of the tables, a scene each; on all cores, in the same order every time."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        waiting = [
            (title, [pool.apply_async(line, (scene, trials)) for scene in SCENES])
            for title, line in _TABLES
        ]
        for title, lines in waiting:
            yield title
            for line in lines:
                yield line.get()


def main(arguments: list[str]) -> None:
    for line in tables(int(arguments[0]) if arguments else 1000):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
