"""The Redis protocol: how the driver reaches a server, and what the server's words mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....base.errors import UsageError
from ....workload import Parameter
from ...recipe.parts import Endpoint

Settings = Mapping[str, str]
"""What a server says of itself in the driver's `ready` event, as text."""
Counters = Mapping[str, int]
"""What the server counted in a slice, by the driver's names."""
PROGRAM = "mix"
"""The driver that has a store for it."""
_SCHEME = "redis://"
_FSYNC = {"always": "sync", "everysec": "delayed", "no": "flush"}


def require_known(endpoint: Endpoint) -> None:
    """Raise UsageError for a URL of another scheme."""
    if not endpoint.url.startswith(_SCHEME):
        raise UsageError(f"--endpoint: found {endpoint.url}; its URL begins with {_SCHEME}")


def flags(endpoint: Endpoint) -> Mapping[str, Parameter]:
    """Return the driver's flags for a server."""
    remote: Mapping[str, Parameter] = {"allow_remote": True} if endpoint.may_be_remote else {}
    return {"store": "redis", "endpoint": endpoint.url, **remote}


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
