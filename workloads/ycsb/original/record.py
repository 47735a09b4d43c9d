"""A workload file of the original's as a workload of campaigns, in which a profile sizes it."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import replace
from pathlib import Path

from ....base import proc
from ....driver.original.properties import parse
from ....workload import Workload
from ..workload import core
from . import phases
from .settings import settled

# What the original does where a file says nothing of an operation.
_SHARES = {"read": 0.95, "update": 0.05, "insert": 0.0, "scan": 0.0, "readmodifywrite": 0.0}
_SIZES = ("recordcount", "insertstart", "insertcount")  # which a profile says


def read(path: Path, text: str) -> tuple[str, ...]:
    """Return notes on what in a file has no effect.

    Errors: UsageError with file, line and property for what is wrong in it; what only the driver
    program knows, it says as far as it is built.
    """
    settings = settled(parse(text, str(path)))
    with contextlib.suppress(proc.NotBuilt):
        phases.require(settings)
    return settings.notes


def record(name: str, text: str) -> Workload:
    """Make the record of a workload file from its text. REQUIRES: `read` accepts it."""
    settings = settled(parse(text, name))
    data = {key: value for key, value in settings.data().items() if key not in _SIZES}
    run = {key: value for key, value in settings.requests().items() if key not in settings.data()}
    shares = {
        share: float(run.pop(f"{share}proportion", usual)) for share, usual in _SHARES.items()
    }
    rate = settings.values.get("target")
    return replace(
        core(name, f"YCSB {name}", shares, {**run, **({"rate": rate} if rate else {})}),
        group=name,
        text=text,
        data_flags=data,
        own_clients=settings.whole("threadcount", 0) or None,
        data_digest=hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12],
    )


def words(name: str, text: str) -> str:
    """Return in words what a workload file asks for. REQUIRES: `read` accepts it."""
    run = record(name, text).run
    shares = {share: float(run[f"{share}proportion"]) for share in _SHARES}
    said = ", ".join(f"{100 * share:g} % {name}" for name, share in shares.items() if share)
    records = run.get("requestdistribution", "uniform")
    return f"{name}, a workload file of YCSB's: {said}; records asked for: {records}"
