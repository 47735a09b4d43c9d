"""Judge how well a row's device was emulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median, stdev

from ..devices.tap_model import DeviceModel
from ..devices.tap_page import TapCounters, percentile
from ..row import Row

# Achieved over wanted sync times between which a cell counts.
_LEAST, _MOST = 0.95, 1.10
# On a quiet virtual machine wake-ups alone make a 99th percentile 1.4 to 1.9 times the model's.
_MOST_P99 = 2.0
_A_WAKE_US = 2.0
_SLICES = 8  # of a cell, before it can be late in most of them
_A_TAIL = 1_000  # syncs of a slice for its percentile, where many slices are judged together
_SAMPLES = 200
_SIGMAS = 2  # by which the mean is beyond what differs by chance
_SUMMED = (
    *("tap_syncs", "tap_wanted_ns", "tap_achieved_ns", "tap_sampled_syncs", "tap_sampled_tail"),
    *("tap_sampled_wanted_ns", "tap_sampled_late_ns", "steal_s"),
)
_ENOUGH = {50: 100, 99: 10_000}  # syncs for a percentile: a slice's ends cut through a few


def too_short(seen: TapCounters) -> list[str]:
    """Say how an emulated device's syncs were shorter than its label claims. Empty: accepted.

    Being early has no excuse: mean, median and p99 must be 0.95 of the model's or more.
    """
    if seen.syncs < _ENOUGH[50] or not seen.wanted_ns:
        return []
    ratios = {"mean": seen.achieved_ns / seen.wanted_ns} | {
        f"p{q}": _ratio(seen, q) for q, enough in _ENOUGH.items() if seen.syncs >= enough
    }
    return [
        f"emulated syncs were too short: their {what} is {ratio:.3f} of the model's, "
        f"want {_LEAST} or more"
        for what, ratio in ratios.items()
        if ratio < _LEAST
    ]


def too_long(seen: Row) -> bool:
    """Return whether a row's syncs were longer than modelled by more than what excuses it.

    Being late has an excuse: a thread that waits for a CPU would have waited on the device, too. So
    mean and median must be beyond 1.10, and the threads' waits for a CPU and the CPUs' waits for
    their host must not account for it.
    """
    wanted, achieved = seen.get("tap_wanted_ns"), seen.get("tap_achieved_ns")
    waited_s, p50_us = seen.get("sched_wait_s"), seen.get("tap_sync_us_p50")
    if not wanted or achieved is None or waited_s is None or p50_us is None:
        return False
    if seen["tap_syncs"] < _ENOUGH[50]:
        return False
    late_us = p50_us - _MOST * (seen.get("tap_wanted_sync_us_p50") or p50_us)
    over_s = (achieved - _MOST * wanted) / 1e9
    return bool(late_us > _A_WAKE_US and over_s > waited_s + (seen.get("steal_s") or 0.0))


def always_late(rows: Sequence[Row]) -> str | None:
    """Say in one clause why a cell fails whose syncs were longer than modelled, or return None.

    `rows` are its slices that nothing else disturbed. In more than half of them the mean must be
    beyond 1.10 or the 99th percentile beyond 2. The same must hold for the syncs after which the
    tap asked how long their threads waited for a CPU (devices/preload/tap/wait.h), without that
    time and without what the CPUs waited for their host, and by more than their slices differ by
    chance: a slice asks of few.
    """
    full = [row for row in rows if row.get("tap_wanted_ns") and row["tap_syncs"] >= _ENOUGH[50]]
    if len(full) < _SLICES or 2 * sum(map(_beyond, full)) <= len(full):
        return None
    total = {name: sum(row.get(name) or 0 for row in full) for name in _SUMMED}
    syncs, sample = total["tap_syncs"], total["tap_sampled_syncs"]
    if sample < _SAMPLES:
        return None
    late_ns = total["tap_sampled_late_ns"] - total["steal_s"] * 1e9 * sample / syncs
    over = late_ns - (_MOST - 1) * total["tap_sampled_wanted_ns"]
    in_mean = over > _SIGMAS * math.sqrt(len(full)) * stdev(map(_over_ns, full))
    tail = 0.01 * sample
    in_tail = total["tap_sampled_tail"] > tail + 3 * math.sqrt(tail)
    if not in_mean and not in_tail:
        return None
    wanted, took = (total[name] / syncs / 1e3 for name in ("tap_wanted_ns", "tap_achieved_ns"))
    wanted_p99, took_p99 = (median(p99) for p99 in zip(*map(_p99s, full), strict=True))
    return (
        f"emulated syncs were too long in most slices: wanted were {wanted:.3g} us in the mean and "
        f"{wanted_p99:.3g} us as p99, they took {took:.3g} and {took_p99:.3g}, and of {sample:.0f} "
        f"that were asked {late_ns / sample / 1e3:.2g} us each were no wait for a CPU; want "
        f"{_LEAST} to {_MOST} of the model's mean, up to {_MOST_P99:g} of its p99"
    )


def _over_ns(row: Row) -> float:
    """Return by how much the asked syncs of a slice were longer than they may be, in all."""
    late, wanted = (row.get(f"tap_sampled_{name}_ns") or 0 for name in ("late", "wanted"))
    return float(late - (_MOST - 1) * wanted)


def _beyond(row: Row) -> bool:
    wanted, took = _p99s(row)
    tail = row["tap_syncs"] >= _A_TAIL and took > _MOST_P99 * wanted
    return tail or bool(row["tap_achieved_ns"] > _MOST * row["tap_wanted_ns"])


def _p99s(row: Row) -> tuple[float, float]:
    return row["tap_wanted_sync_us_p99"], row["tap_sync_us_p99"]


def _ratio(seen: TapCounters, q: float) -> float:
    achieved, wanted = (percentile(h, q) for h in (seen.sync_achieved, seen.sync_wanted))
    return 1.0 if achieved is None or not wanted else achieved / wanted


def spun(model: DeviceModel, seen: TapCounters, our_cpu_s: float) -> list[str]:
    """Warn if emulated syncs may have taken CPU time that a drive would have left to others.

    Their sleeps take some CPU time, and the end of a wait, too short to sleep in, is spun. The tap
    measures that as elapsed time, in which the thread may also have waited for a CPU. So it used no
    more CPU than the margin that sleeps keep, nor more than the engine's process. This matters
    where no CPU is idle.
    """
    if not seen.syncs:
        return []
    spun_ns = min(seen.spin_ns, seen.syncs * seen.spin_margin_ns)
    used_ns = min(spun_ns + seen.burn_ns + seen.sleep_cpu_ns, our_cpu_s * 1e9)
    used_us = used_ns / seen.syncs / 1e3
    modelled_us = model.cpu_caller_us + model.cpu_kernel_us
    if used_us <= 1.25 * modelled_us + 2:
        return []
    return [
        "emulated syncs may have used more CPU than the model's "
        f"{modelled_us:.3g} us each, to sleep and to spin: with all CPUs busy the overhead "
        "may come out too high"
    ]
