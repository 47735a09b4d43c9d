"""The simulation of fleets; its tables are `make bench-hosts`."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom
from waltax.analysis import stats
from waltax.bench.sound import hosts

_BOLD = hosts.FLEETS[2]


def test_few_hosts_that_differ_are_covered_where_sessions_alone_are_not() -> None:
    trials = 60
    found = hosts.covered(_BOLD, 3, trials)
    assert found.share * trials >= binom.ppf(0.001, trials, 0.94)
    assert found.without < 0.85
    assert found.plain < 0.9


def test_the_odd_host_is_named_and_seldom_any_where_none_is_odd() -> None:
    trials, rng = 60, np.random.default_rng(0)
    named = found = 0
    for _ in range(trials):
        alike = hosts.measure(hosts.FLEETS[0], 10, rng)
        named += any(hosts.who(alike, device).any() for device in alike.devices)
        odd = hosts.measure(hosts.FLEETS[0], 10, rng, hosts.ODD)
        found += hosts.who(odd, odd.devices[0])[0]
    assert named <= binom.ppf(0.999, trials, 0.05)
    assert found > 0.6 * trials


def test_the_simulated_truth_is_what_many_hosts_come_out_at() -> None:
    rng = np.random.default_rng(0)
    found = [hosts.measure(_BOLD, 10, rng) for _ in range(60)]
    ratios = [
        stats.ratio_of_means(each.devices[0], each.off, each.by).value or 0.0 for each in found
    ]
    error = float(np.std(ratios, ddof=1)) / math.sqrt(len(ratios))
    assert np.mean(ratios) == pytest.approx(found[0].truths[0], abs=4 * error)
