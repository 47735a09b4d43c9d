"""Judge how well a row's device was emulated."""

from __future__ import annotations

from collections.abc import Sequence

from ..devices.tap_model import DeviceModel
from ..devices.tap_page import TapCounters, percentile
from ..row import Row

# Achieved over wanted sync times between which a cell counts.
_LEAST, _MOST = 0.95, 1.10
_A_WAKE_US = 2.0
_SLICES = 8  # of a cell, before it can be late in most of them
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
    """Say in one clause why a cell fails whose syncs were `too_long` in more than half of `rows`,
    or return None. They are its slices that nothing else disturbed.
    """
    full = [row for row in rows if row.get("tap_wanted_ns") and row["tap_syncs"] >= _ENOUGH[50]]
    if len(full) < _SLICES or 2 * sum(map(too_long, full)) <= len(full):
        return None
    columns = ("tap_syncs", "tap_wanted_ns", "tap_achieved_ns")
    syncs, wanted_ns, took_ns = (sum(row[name] for row in full) for name in columns)
    return (
        f"emulated syncs were too long in most slices: wanted were {wanted_ns / syncs / 1e3:.3g} "
        f"us in the mean, they took {took_ns / syncs / 1e3:.3g}, and no waits for a CPU excuse "
        f"them; want {_LEAST} to {_MOST} of the model's mean"
    )


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
