from __future__ import annotations

import random
from itertools import pairwise

import pytest
from waltax.devices.quantiles import at, table
from waltax.devices.tap_model import DeviceModel, SyncLatency, mean_sync_us


def drawn(seed: int, count: int = 5000) -> list[tuple[float, int]]:
    """Bins of a skewed distribution with rare hiccups, as syncs have."""
    rng = random.Random(seed)
    times = [round(100 * rng.lognormvariate(0, 0.3)) for _ in range(count)]
    times += [rng.randrange(3000, 5000) for _ in range(count // 1000)]
    return sorted((float(us), times.count(us)) for us in set(times))


def mean_of(bins: list[tuple[float, int]]) -> float:
    return sum(us * n for us, n in bins) / sum(n for _, n in bins)


def test_a_quantile_is_the_first_time_that_so_many_syncs_do_not_exceed() -> None:
    bins = [(10.0, 50), (20.0, 49), (30.0, 1)]
    assert at(bins, [1, 50, 50.5, 99, 99.5]) == [10, 10, 20, 20, 30]


@pytest.mark.parametrize("seed", range(5))
def test_the_tap_draws_the_mean_that_was_measured(seed: int) -> None:
    bins = drawn(seed)
    pairs = table(bins)
    model = DeviceModel((SyncLatency(131, tuple(pairs)),), 0, 0, 0, 0, 0, 0, 0)
    assert mean_sync_us(model, 131) == pytest.approx(mean_of(bins), rel=0.005)


@pytest.mark.parametrize("seed", range(5))
def test_quantiles_rise_to_p100(seed: int) -> None:
    pairs = table(drawn(seed))
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(pairs))
    assert pairs[-1][0] == 100


def test_a_single_hiccup_is_spread_and_not_drawn_as_a_maximum() -> None:
    bins = [(100.0, 6999), (40_000.0, 1)]
    pairs = table(bins)
    assert pairs[-1][1] < 20_000
    model = DeviceModel((SyncLatency(131, tuple(pairs)),), 0, 0, 0, 0, 0, 0, 0)
    assert mean_sync_us(model, 131) == pytest.approx(mean_of(bins))


def test_few_syncs_have_no_tail_of_their_own() -> None:
    percents = [percent for percent, _ in table([(100.0, 150), (200.0, 50)])]
    assert 97 in percents
    assert 99 not in percents


def test_a_flat_distribution_stays_flat() -> None:
    assert {us for _, us in table([(50.0, 1000)])} == {50.0}
