"""Tell whose CPU time a slice took."""

from __future__ import annotations

from ..row import Row
from .cells.live import Live, Measured

# What a request costs its program over a store that does nothing; only our programs report it.
GENERATOR = "generator_cpu_us_per_op"


def shares(live: Live, measured: Measured) -> Row:
    """Split the CPU time of a slice among driver, server, engine and other programs.

    The driver's own CPU time is its cost per request over a store that does nothing; a command's is
    unknown.
    """
    event, columns = measured.slice, Row()
    if measured.server_cpu_s is not None:
        user_s, system_s = measured.server_cpu_s
        columns = {"cpu_server_user_s": round(user_s, 6), "cpu_server_system_s": round(system_s, 6)}
    if GENERATOR in live.ready:
        driver_s = (live.ready[GENERATOR] or 0.0) * event.get("slice_requests", 0) / 1e6
        columns["cpu_driver_s"] = round(driver_s, 6)
        columns["cpu_engine_s"] = round(ours_s(measured) - driver_s, 6)
    return {**columns, "cpu_foreign_s": foreign_s(measured)}


def ours_s(measured: Measured) -> float:
    """Return the CPU time of the driver's process, and of the server's if the engine is in one."""
    event = measured.slice
    return float(event["cpu_user_s"] + event["cpu_system_s"] + sum(measured.server_cpu_s or ()))


def foreign_s(measured: Measured) -> float:
    """Return the CPU time that neither our processes nor idling used: other people's load."""
    busy_s: float = measured.machine["machine_busy_cpu_s"]
    return round(max(0.0, busy_s - ours_s(measured)), 3)
