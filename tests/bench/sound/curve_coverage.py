"""How often a curve's band and its answers hold the truth, by simulation: docs/results.md.

    python -m bench curve_coverage [TRIALS]

The true curve is that of the group-commit model, which is flat, then bends, then rises: the
pieces between the points are straight and it is not. A simulated round has a machine drift
common to all cells, and each cell its own noise between sessions and between rounds.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from waltax.analysis import stats
from waltax.analysis.results.curve import Fit, fit, interval
from waltax.analysis.stats import Floats, Interval, Resampling

from .group_commit import Given, overhead
from .scenes import Scene

GRID_US = (1.0, 5.0, 12.0, 28.0, 65.0, 150.0, 350.0, 800.0, 2000.0, 5000.0)
BETWEEN_US = tuple(float(np.sqrt(a * b)) for a, b in pairwise(GRID_US))
BESIDE_US = 40.0  # of a device that was measured beside the grid, and predicted
ASKED = (0.1, 0.25, 0.5, 0.9)
_TRUTH = Given(clients=4, cores=2, cpu_us=25.0, commits=0.3, group_us=5.0, commit_us=5.0)
_DRIFT_SD = 0.2
_SYNC_SD = 0.05  # of the logarithm of a slice's mean sync


@cache
def true_overhead(sync_us: float) -> float:
    return overhead(_TRUTH, sync_us)


@dataclass(frozen=True)
class Covered:
    """Fractions of all intervals: at the points, between them, of the answers.

    And of the differences between a device's prediction and its own measurement.
    """

    at_points: float
    between: float
    answers: float
    differences: float
    half_width: float  # median of the band's, at the points and between


def simulate(sessions: int, rounds: int, noise: Scene, trials: int, seed: int = 0) -> Covered:
    rng = np.random.default_rng(seed)
    by = stats.resample(np.repeat(np.arange(sessions), rounds))
    hits: dict[str, list[bool]] = {"at": [], "between": [], "answers": [], "differences": []}
    widths = []
    for _ in range(trials):
        off, points, syncs = _campaign(sessions, rounds, noise, rng)
        found = _fit(off, points[:-1], syncs[:-1], by)
        hits["differences"].append(_agrees(found, off, points[-1], syncs[-1], by))
        for kind, places in (("at", GRID_US[1:-1]), ("between", BETWEEN_US)):
            for us in places:
                low, high = _known(interval(1 - 1 / found.slowdowns_at(us)))
                hits[kind].append(low <= true_overhead(us) <= high)
                widths.append((high - low) / 2)
        for asked in ASKED:
            low, high = _known(interval(found.latencies_for(1 / (1 - asked))))
            hits["answers"].append(low <= true_latency(asked) <= high)
    shares = {kind: float(np.mean(each)) for kind, each in hits.items()}
    width = float(np.median(widths))
    return Covered(shares["at"], shares["between"], shares["answers"], shares["differences"], width)


@cache
def true_latency(asked: float) -> float:
    """By bisection; 0 where the log alone costs more."""
    low, high = GRID_US[0], GRID_US[-1]
    if true_overhead(low) > asked:
        return 0.0
    while high / low > 1 + 1e-6:
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if true_overhead(middle) <= asked else (low, middle)
    return low


def _campaign(
    sessions: int, rounds: int, noise: Scene, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Throughputs of `off` per slot; then, a line for each point, its slots' throughputs and syncs.

    The last line is of the device beside the grid.
    """
    slots, devices = sessions * rounds, np.array([*GRID_US, BESIDE_US])

    def common(sd: float, cells: int) -> Floats:
        drawn: Floats = np.repeat(sd * rng.standard_normal((cells, sessions)), rounds, axis=1)
        return drawn

    def own(cells: int) -> Floats:
        within = noise.round_sd * rng.standard_normal((cells, slots))
        drawn: Floats = (common(noise.session_sd, cells) + within) / np.sqrt(2)
        return drawn

    drift = common(_DRIFT_SD, 1) + _DRIFT_SD * rng.standard_normal((1, slots))
    syncs = devices[:, None] * np.exp(_SYNC_SD * rng.standard_normal((devices.size, slots)))
    truth = _interpolated(syncs)
    return np.exp(drift + own(1))[0], (1 - truth) * np.exp(drift + own(devices.size)), syncs


@cache
def _dense() -> tuple[Floats, Floats]:
    at = np.geomspace(GRID_US[0] / 2, 2 * GRID_US[-1], 400)
    return np.log(at), np.array([overhead(_TRUTH, float(us)) for us in at])


def _interpolated(sync_us: Floats) -> Floats:
    """The true overheads, near enough."""
    return np.interp(np.log(sync_us), *_dense())


def _fit(off: Floats, points: Floats, syncs: Floats, by: Resampling) -> Fit:
    slowdowns = [stats.draws(off, one, by) for one in points]
    times = [stats.draws(one, np.ones_like(off), by) for one in syncs]
    return fit(
        np.array([one.value for one in times]),
        np.array([one.value for one in slowdowns]),
        np.column_stack([one.logs for one in times]),
        np.column_stack([one.logs for one in slowdowns]),
    )


def _agrees(found: Fit, off: Floats, beside: Floats, syncs: Floats, by: Resampling) -> bool:
    slowdown = stats.draws(off, beside, by)
    assert slowdown.value is not None
    measured = slowdown.value * np.exp(np.concatenate([[0.0], slowdown.logs]))
    predicted = found.slowdowns_at(float(syncs.mean()))
    return interval(1 / measured - 1 / predicted).side(0) == 0


def _known(of: Interval) -> tuple[float, float]:
    assert of.low is not None
    assert of.high is not None
    return of.low, of.high


def main(arguments: list[str]) -> None:
    trials = int(arguments[0]) if arguments else 200
    print("session SD  round SD  sessions x rounds: at points, between, answers, differences")
    for session_sd in (0.0, 0.02, 0.05):
        for round_sd in (0.02, 0.1):
            for sessions, rounds in ((3, 4), (6, 4)):
                one = simulate(sessions, rounds, Scene("", session_sd, round_sd), trials)
                shares = (one.at_points, one.between, one.answers, one.differences)
                said = ", ".join(f"{share:.3f}" for share in shares)
                width = f"half-width {100 * one.half_width:.1f}"
                print(
                    f"{session_sd:<11} {round_sd:<9} {sessions}x{rounds}: {said}; {width}",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
