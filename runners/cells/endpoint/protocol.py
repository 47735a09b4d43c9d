"""The table of protocols: how the driver reaches a server, and what the server's words mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ....base.errors import UsageError
from ....workload import Parameter
from ...recipe.parts import Endpoint

Settings = Mapping[str, str]
"""What a server says of itself in the driver's `ready` event, as text."""
Counters = Mapping[str, int]
"""What the server counted in a slice, by the driver's names."""
_REDIS_FSYNC = {"always": "sync", "everysec": "delayed", "no": "flush"}


@dataclass(frozen=True)
class Protocol:
    """One way to talk to a server.

    `flags` are the driver's for an endpoint; `mode` is the durability that settings mean, None if
    they do not say. The names of the driver's counters begin with the `scheme` of its URLs.
    """

    scheme: str
    programs: tuple[str, ...]  # the drivers that have a store for it
    flags: Callable[[Endpoint], Mapping[str, Parameter]]
    mode: Callable[[Settings], str | None]

    def columns(self, settings: Settings, counted: Counters) -> dict[str, Any]:
        """Return what a server said of a slice, as columns of its row."""
        return {
            "log_mode": self.mode(settings),
            "log_settings": dict(settings),
            "wal_bytes": counted.get(f"{self.scheme}_log_bytes"),
            "log_rewrites": counted.get(f"{self.scheme}_log_rewrites", 0),
            "log_changes": counted.get(f"{self.scheme}_changed_settings", 0),
        }

    def cpu_s(self, counted: Counters) -> tuple[float, float] | None:
        """Return the server's CPU time in a slice; None if it does not report it."""
        user_us, system_us = (
            counted.get(f"{self.scheme}_used_cpu_{mode}_us") for mode in ("user", "sys")
        )
        return None if user_us is None or system_us is None else (user_us / 1e6, system_us / 1e6)


def _redis_flags(endpoint: Endpoint) -> Mapping[str, Parameter]:
    remote: Mapping[str, Parameter] = {"allow_remote": True} if endpoint.may_be_remote else {}
    return {"store": "redis", "endpoint": endpoint.url, **remote}


def _redis_mode(settings: Settings) -> str | None:
    """Return the mode of Redis' append-only file, or of the write options of Kvrocks' RocksDB.

    With `everysec` a reply waits for no sync, nor for a write while one is under way.
    """
    if settings.get("rocksdb.write_options.disable_wal") == "yes":
        return "off"
    if "rocksdb.write_options.sync" in settings:
        return "sync" if settings["rocksdb.write_options.sync"] == "yes" else "flush"
    if settings.get("aof_enabled") == "0":
        return "off"
    if settings.get("aof_enabled") == "1":
        return _REDIS_FSYNC.get(settings.get("appendfsync", ""))
    return None


PROTOCOLS = {"redis": Protocol("redis", ("mix",), _redis_flags, _redis_mode)}
"""Keyed by the scheme of their URLs. A new one takes an entry here and a store in the driver."""


def of(endpoint: Endpoint) -> Protocol:
    """Return the protocol of an endpoint. Errors: UsageError for an unknown scheme."""
    scheme = endpoint.url.partition("://")[0]
    if scheme not in PROTOCOLS:
        known = ", ".join(f"{name}://" for name in PROTOCOLS)
        raise UsageError(f"--endpoint: found {endpoint.url}; its URL begins with {known}")
    return PROTOCOLS[scheme]
