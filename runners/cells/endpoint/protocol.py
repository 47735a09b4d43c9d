"""The Redis protocol: how the driver reaches a server, and what the server's words mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....base import proc
from ....driver.argv import Command, Parameters, command_line
from ....workloads import WORKLOADS
from ...recipe.parts import Endpoint

Settings = Mapping[str, str]
"""What a server says of itself in the driver's `ready` event, as text."""
Counters = Mapping[str, int]
"""What the server counted in a slice, by the driver's names."""
PROGRAM = "mix"
"""The driver that has a store for it."""
_FSYNC = {"always": "sync", "everysec": "delayed", "no": "flush"}


def argv(endpoint: Endpoint, workload: str, command: Command, parameters: Parameters) -> list[str]:
    """Return the command line of a workload's driver at a server."""
    facts = WORKLOADS[workload]
    flags: dict[str, Any] = {"store": "redis", "endpoint": endpoint.url}
    if endpoint.may_be_remote:
        flags["allow_remote"] = True
    program = proc.program(facts.driver_program)
    return command_line(program, command, {**flags, **facts.flags, **parameters})


def mode(settings: Settings) -> str | None:
    """Return the durability that settings mean, None if they do not say: of Redis' append-only
    file, or of the write options of Kvrocks' RocksDB.

    With `everysec` a reply waits for no sync, nor for a write while one is under way.
    """
    if settings.get("rocksdb.write_options.disable_wal") == "yes":
        return "off"
    if "rocksdb.write_options.sync" in settings:
        return "sync" if settings["rocksdb.write_options.sync"] == "yes" else "flush"
    if settings.get("aof_enabled") == "0":
        return "off"
    if settings.get("aof_enabled") == "1":
        return _FSYNC.get(settings.get("appendfsync", ""))
    return None


def columns(settings: Settings, counted: Counters) -> dict[str, Any]:
    """Return what a server said of a slice, as columns of its row."""
    return {
        "log_mode": mode(settings),
        "log_settings": dict(settings),
        "wal_bytes": counted.get("redis_log_bytes"),
        "log_rewrites": counted.get("redis_log_rewrites", 0),
        "log_changes": counted.get("redis_changed_settings", 0),
    }


def cpu_s(counted: Counters) -> tuple[float, float] | None:
    """Return the server's CPU time in a slice; None if it does not report it."""
    user_us, system_us = (counted.get(f"redis_used_cpu_{kind}_us") for kind in ("user", "sys"))
    return None if user_us is None or system_us is None else (user_us / 1e6, system_us / 1e6)
