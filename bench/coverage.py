"""How often the intervals hold the true overhead, by simulation: the table of docs/method.md.

    python -m waltax.bench.coverage [TRIALS]

A simulated round has a machine drift common to both cells (SD 0.2 of the logarithm between
rounds, and as much between sessions) and a log-ratio with its own SD between sessions and
between rounds. The true overhead is 0.3.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..analysis import stats
from ..analysis.stats import Floats, Interval, Resampling

TRUE_OVERHEAD = 0.3
_DRIFT_SD = 0.2


@dataclass(frozen=True)
class Noise:
    """SDs of the logarithm of throughput(device) / throughput(off)."""

    session_sd: float
    round_sd: float


def simulate(
    sessions: int, rounds: int, noise: Noise, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Throughputs with and without the WAL, a slot each, session after session.

    Half of each variance goes to each of the two, so that the ratio of their true means is
    1 - TRUE_OVERHEAD.
    """
    shape = (sessions, rounds)

    def cell() -> Floats:
        bias = noise.session_sd * rng.standard_normal((sessions, 1))
        return (bias + noise.round_sd * rng.standard_normal(shape)) / math.sqrt(2)

    drift = _DRIFT_SD * (rng.standard_normal(shape) + rng.standard_normal((sessions, 1)))
    with_wal, without = np.exp(drift + cell()), np.exp(drift + cell())
    return (1 - TRUE_OVERHEAD) * with_wal.ravel(), without.ravel()


def fixed(sessions: int, rounds: int, noise: Noise, trials: int) -> tuple[float, float]:
    """Coverage and median half-width when the numbers of sessions and rounds are fixed."""
    rng = np.random.default_rng(0)
    by = _resampling(sessions, rounds, sessions * rounds)
    found = [
        stats.ratio_of_means(*simulate(sessions, rounds, noise, rng), by) for _ in range(trials)
    ]
    return _summary(found)


def stopped(
    rounds: int, noise: Noise, trials: int, target: float = 0.03, at_most: int = 12
) -> tuple[float, float, float]:
    """Coverage, median half-width and mean number of sessions of campaigns that stop early.

    From the end of the fourth session on, a campaign stops after the first round whose
    half-width meets `target`, or after `at_most` sessions.
    """
    rng = np.random.default_rng(0)
    found, slots = zip(
        *(_campaign(at_most, rounds, noise, target, rng) for _ in range(trials)), strict=True
    )
    return *_summary(list(found)), float(np.mean(slots)) / rounds


def _campaign(
    at_most: int, rounds: int, noise: Noise, target: float, rng: np.random.Generator
) -> tuple[Interval, int]:
    with_wal, without = simulate(at_most, rounds, noise, rng)
    for slots in range(4 * rounds, at_most * rounds + 1):
        by = _resampling(at_most, rounds, slots)
        interval = stats.ratio_of_means(with_wal[:slots], without[:slots], by)
        if _half_width(interval) <= target:
            break
    return interval, slots


@cache
def _resampling(sessions: int, rounds: int, slots: int) -> Resampling:
    return stats.resample(np.repeat(np.arange(sessions), rounds)[:slots])


def _summary(found: list[Interval]) -> tuple[float, float]:
    hits = [_covers(interval, 1 - TRUE_OVERHEAD) for interval in found]
    return float(np.mean(hits)), float(np.median([_half_width(one) for one in found]))


def _covers(interval: Interval, truth: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= truth <= interval.high


def _half_width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return (interval.high - interval.low) / 2


def print_table(arguments: list[str]) -> None:
    trials = int(arguments[0]) if arguments else 2000
    print("session SD  round SD  sessions x rounds: coverage (half-width in points)")
    for session_sd in (0.0, 0.01, 0.02, 0.05):
        for round_sd in (0.02, 0.1, 0.3):
            noise = Noise(session_sd, round_sd)
            cells = [
                f"{sessions}x{rounds}: {covered:.3f} ({100 * width:.1f})"
                for sessions, rounds in ((3, 4), (3, 10), (4, 4), (6, 4), (6, 10))
                for covered, width in [fixed(sessions, rounds, noise, trials)]
            ]
            print(f"{session_sd:<11} {round_sd:<9} {'  '.join(cells)}", flush=True)
    print("session SD  round SD  stopped at 3 points, 4 rounds a session, 4 to 12 sessions")
    for session_sd in (0.0, 0.01, 0.02, 0.05):
        for round_sd in (0.02, 0.05, 0.1):
            covered, width, sessions_taken = stopped(4, Noise(session_sd, round_sd), trials // 4)
            print(
                f"{session_sd:<11} {round_sd:<9} {covered:.3f} ({100 * width:.1f}) "
                f"after {sessions_taken:.1f} sessions",
                flush=True,
            )


if __name__ == "__main__":
    print_table(sys.argv[1:])
