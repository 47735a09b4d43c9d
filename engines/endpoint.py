"""A server run by its owner: waltax loads and measures it, but neither places nor configures it."""

from __future__ import annotations

from .engine import Engine

ENGINE = Engine(
    name="endpoint",
    title="endpoints",
    modes=("sync", "flush", "delayed", "off"),
    elsewhere=True,
)
