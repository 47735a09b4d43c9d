"""Simulated campaigns: throughputs of `off` and of devices, whose true overheads are known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from waltax.analysis.stats import Floats

OVERHEADS = (0.3, 0.4, 0.95)  # of an nvram, an nvme and an ssd, roughly
_DRIFT_SD = 0.2
Rng = np.random.Generator


@dataclass(frozen=True)
class Scene:
    """What the logarithm of throughput(device) / throughput(off) does beside its mean.

    `session_sd` and `round_sd` are its SDs between sessions and between rounds. `session_ar` and
    `round_ar` correlate a session, or a round of one, with the one before; `campaign_sd` is what a
    whole campaign has in common. Of `off`, `ages` is the share of its speed that it has lost at
    the end of each session. `tails` are those of the rounds: normal, t3, or slices of which one of
    twenty is halved. A drift of SD 0.2 between rounds, and as much between sessions, is common to
    all cells.
    """

    name: str
    session_sd: float
    round_sd: float
    ages: float = 0.0
    tails: str = "normal"
    session_ar: float = 0.0
    round_ar: float = 0.0
    campaign_sd: float = 0.0


QUIET = Scene("session SD .02, round .10", 0.02, 0.10)
BOLD = Scene("session .05, round .02", 0.05, 0.02)
SCENES = (
    QUIET,
    Scene("off ages 15 % a session", 0.02, 0.10, ages=0.15),
    Scene("heavy tails (t3)", 0.02, 0.10, tails="t3"),
    Scene("5 % of slices halved", 0.02, 0.10, tails="halved"),
    BOLD,
    Scene("ageing and AR(1) .6 of rounds", 0.02, 0.10, ages=0.15, round_ar=0.6),
    Scene("session effects AR(1) .7", 0.05, 0.02, session_ar=0.7),
    Scene("campaign effect SD .03", 0.02, 0.10, campaign_sd=0.03),
    Scene("campaign effect SD .10", 0.02, 0.10, campaign_sd=0.10),
)


@dataclass(frozen=True)
class Simulated:
    """Throughputs, a slot each, session after session: of `off`, and a line for each device."""

    off: Floats
    devices: Floats
    truths: Floats  # mean throughput of each device over that of off


def simulate(scene: Scene, sessions: int, rounds: int, rng: Rng) -> Simulated:
    """One campaign. Half of each variance is that of `off`, which the ratios of all share."""
    cells, shape = 1 + len(OVERHEADS), (sessions, rounds)
    drift = _DRIFT_SD * (rng.standard_normal(shape) + rng.standard_normal((sessions, 1)))
    own = scene.session_sd * _series(scene.session_ar, (cells, sessions), rng)[:, :, None]
    own = own + scene.round_sd * _noise(scene, (cells, *shape), rng)
    own = own + scene.campaign_sd * rng.standard_normal((cells, 1, 1))
    cell = np.exp(drift + own / math.sqrt(2)) * _whole(scene, (cells, *shape), rng)
    age = 1 - scene.ages * np.linspace(0, 1, rounds) if rounds > 1 else np.ones(1)
    cell[0] *= age
    flat, left = cell.reshape(cells, -1), 1 - np.array(OVERHEADS)
    return Simulated(flat[0], left[:, None] * flat[1:], left / age.mean())


def _noise(scene: Scene, shape: tuple[int, ...], rng: Rng) -> Floats:
    if scene.tails == "t3":
        heavy: Floats = rng.standard_t(3, shape) / math.sqrt(3)
        return heavy
    return _series(scene.round_ar, shape, rng)


def _whole(scene: Scene, shape: tuple[int, ...], rng: Rng) -> Floats:
    """What is left of each slice: one of twenty is halved, where the scene has that."""
    if scene.tails != "halved":
        return np.ones(shape)
    return np.where(rng.random(shape) < 0.05, 0.5, 1.0)


def _series(correlation: float, shape: tuple[int, ...], rng: Rng) -> Floats:
    """Normal numbers of variance 1, each correlated so much with the one before it."""
    series = rng.standard_normal(shape)
    for place in range(1, shape[-1]):
        new = math.sqrt(1 - correlation**2) * series[..., place]
        series[..., place] = correlation * series[..., place - 1] + new
    return series
