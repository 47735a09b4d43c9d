"""What is to be said of a row whose device was emulated: how well that went."""

from __future__ import annotations

from collections.abc import Mapping

from ..devices.tap_model import DeviceModel
from ..devices.tap_page import TapCounters, percentile

# Achieved over wanted times of syncs, for a cell to count.
_LEAST, _MOST = 0.95, 1.10
_A_WAKE_US = 2.0
_ENOUGH = {50: 100, 99: 10_000}  # syncs for a percentile: a slice's ends cut through a few


def contradictions(seen: TapCounters, machine: Mapping[str, float]) -> list[str]:
    """What the label claims of an emulated device and was not so. Empty: accepted.

    Too early has no excuse: mean, median and p99 must be .95 of the model's or more. Too late has
    one, a thread that waits for a CPU as it would on the device: a cell fails only when mean and
    median are beyond 1.10 and the threads' waits for a CPU (`sched_wait_s`) and the CPUs' for
    their host (`steal_s`) do not make up for it. What is merely late is warned of: see `late`.
    """
    if seen.syncs < _ENOUGH[50] or not seen.wanted_ns:
        return []
    ratios = {"mean": seen.achieved_ns / seen.wanted_ns} | {
        f"p{q}": _ratio(seen, q) for q, enough in _ENOUGH.items() if seen.syncs >= enough
    }
    against = [
        f"emulated syncs were too short: their {what} is {ratio:.3f} of the model's, "
        f"want {_LEAST} or more"
        for what, ratio in ratios.items()
        if ratio < _LEAST
    ]
    waited_s = machine.get("sched_wait_s")
    over_s = (seen.achieved_ns - _MOST * seen.wanted_ns) / 1e9
    if waited_s is None or not late(seen) or over_s <= waited_s + machine.get("steal_s", 0.0):
        return against
    return [
        *against,
        f"emulated syncs were too long: their mean is {ratios['mean']:.3f} of the model's, want "
        f"{_MOST} or less, and threads waited only {waited_s:.3g} s for a CPU",
    ]


def _ratio(seen: TapCounters, q: float) -> float:
    achieved, wanted = (percentile(h, q) for h in (seen.sync_achieved, seen.sync_wanted))
    return 1.0 if achieved is None or not wanted else achieved / wanted


def late(seen: TapCounters) -> list[str]:
    """Whether an emulated device was slower than its model, as happens on a busy machine.

    A sync waits at least for one wake-up, so that a few microseconds are no news.
    """
    achieved, wanted = (percentile(h, 50) for h in (seen.sync_achieved, seen.sync_wanted))
    if achieved is None or wanted is None or achieved <= _MOST * wanted + _A_WAKE_US:
        return []
    return ["emulated syncs took more than 1.1 times the model's median: the CPUs were busy"]


def spun(model: DeviceModel, seen: TapCounters, our_cpu_s: float) -> list[str]:
    """Whether an emulated sync can have taken CPU time that a drive would have left to others.

    The end of a wait, too short to sleep in, is spun. The tap takes the time of that, in which the
    thread may have waited for a CPU, too: it used no more CPU than the margin that sleeps keep, nor
    than the engine's process did. It matters where no CPU is idle.
    """
    if not seen.syncs:
        return []
    spun_ns = min(seen.spin_ns, seen.syncs * seen.spin_margin_ns)
    used_us = min(spun_ns + seen.burn_ns, our_cpu_s * 1e9) / seen.syncs / 1e3
    kib = seen.write_bytes / seen.syncs / 1024
    modelled_us = model.cpu_caller_us + kib * model.cpu_caller_us_per_kib + model.cpu_kernel_us
    if used_us <= 1.25 * modelled_us + 2:
        return []
    return [
        "the ends of emulated syncs, too short to sleep in, were spun, which may have used more "
        f"CPU than the {modelled_us:.3g} us of the model: with all CPUs busy the overhead "
        "may come out too high"
    ]
