"""A server that its owner runs: waltax loads it and measures it, and neither places nor sets it."""

from __future__ import annotations

from dataclasses import replace

from .engine import Engine

ENGINE = replace(
    Engine.unknown("endpoint"),
    title="endpoints",
    modes=("sync", "flush", "delayed", "off"),
    elsewhere=True,
)
