"""What a campaign's log would cost on another device or machine, by discrete-event simulation.

    fed = feed(off, fastest, slowest, eager=True)
    simulate(fed.given, Sync.constant(30.0)).requests_per_s

machine     cores with run queues as Linux keeps them, wake-ups and halts
log         the write group: leader, followers, hand-over, sync
network     clients between the two; one run, and its figures
feed        what the simulation is told, from three cells of a campaign
"""

from __future__ import annotations

from .feed import Fed, device_us, feed
from .network import Given, Simulated, Sync, overhead, simulate, without_log

__all__ = [
    "Fed",
    "Given",
    "Simulated",
    "Sync",
    "device_us",
    "feed",
    "overhead",
    "simulate",
    "without_log",
]
