"""What is to be said of a row whose device was emulated: how well that went."""

from __future__ import annotations

from ..devices.tap_model import DeviceModel
from ..devices.tap_page import TapCounters, percentile


def late(seen: TapCounters) -> list[str]:
    """Whether an emulated device was slower than its model, as happens on a busy machine.

    A sync waits at least for one wake-up, so that a few microseconds are no news.
    """
    achieved, wanted = (percentile(h, 50) for h in (seen.sync_achieved, seen.sync_wanted))
    if achieved is None or wanted is None or achieved <= 1.1 * wanted + 2:
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
