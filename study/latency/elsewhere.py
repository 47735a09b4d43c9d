"""What the log would cost on a machine that one does not have, by simulation.

The simulation is fed by a campaign of this machine (`analysis/sweep/simulation`), and told other
cores, other clients and another device.
"""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import engines, workloads
from ...errors import UsageError
from . import curves
from .curves import Wanted

if TYPE_CHECKING:
    from ...analysis.sweep.modelled import Modelled
    from ...analysis.sweep.simulation import Simulated
    from ...analysis.sweep.tested import Known
    from ...devices import Device
    from ...devices.tap_model import DeviceModel

_SPREAD = 10  # the slowest sync over the fastest, at least, for the two to tell different things
_UNKNOWN_BYTES = 4096.0  # of a commit, where rows do not say
_TURNS = 5  # of groups and sync times, which depend on each other


@dataclass(frozen=True)
class Elsewhere:
    """A simulated machine. `overhead` is a fraction; the rest is what led to it."""

    cores: int
    clients: int
    sync_us: float  # the mean of the device
    sync_bytes: float
    overhead: float
    without_log: float  # requests per second
    found: Simulated


@dataclass(frozen=True)
class Measured:
    """The campaign that the simulation is fed by, and its cells of one number of clients."""

    folder: Path
    model: Modelled
    engine: str
    workload: str

    @property
    def relative(self) -> str:
        return os.path.relpath(self.folder)


def find(wanted: Wanted, cores: int) -> Measured:
    """Of --campaign, or of the newest campaign that can feed it.

    Of several numbers of clients the one with about as many a core as are asked for. Errors:
    UsageError, with what to measure, when there is none.
    """
    given = wanted.campaign
    for folder in curves.newest_first(wanted) if given is None else [given]:
        fit = [one for one in _models(folder, wanted, required=given is not None) if _feeds(one)]
        if fit:
            nearest = min(fit, key=lambda one: _apart(one, wanted.threads, cores))
            return Measured(folder, nearest, wanted.engine, wanted.workload)
    raise UsageError(*_none(wanted))


def simulated(model: Modelled, device: DeviceModel, cores: int, clients: int | None) -> Elsewhere:
    """The campaign's requests on so many cores, with its log on this device.

    More commits gather for a slower sync, and a sync of more bytes is slower: some turns settle it.
    `clients` None are as many as in the campaign.
    """
    from ...analysis.sweep import simulation
    from ...devices import tap_model

    fed = model.fed
    assert fed is not None  # `find` takes no other
    given = replace(fed.given, cores=cores, clients=clients or fed.given.clients)
    group = 1.0
    for _ in range(_TURNS):
        size = (fed.commit_bytes or _UNKNOWN_BYTES) * group
        kept_us = device.cpu_caller_us + device.cpu_caller_us_per_kib * size / 1024
        sync = simulation.Sync(tap_model.sync_quantiles(device, size), kept_us)
        found = simulation.simulate(given, sync)
        group = found.group
    return Elsewhere(
        cores=cores,
        clients=given.clients,
        sync_us=tap_model.mean_sync_us(device, size),
        sync_bytes=size,
        overhead=simulation.overhead(given, sync),
        without_log=simulation.without_log(given),
        found=found,
    )


def lines(measured: Measured, device: Device, one: Elsewhere, evidence: str) -> list[str]:
    """For people. `evidence` says what kind of it the device's times are."""
    from ...analysis.results import words

    given = measured.model.given
    assert given is not None
    found, model = one.found, measured.model
    subject = f"{words.clients(one.clients)} on {_cores(one.cores)}"
    fed = f"{words.clients(given.clients)} on {_cores(given.cores)}"
    return [
        f"simulated: {subject}, log on {device.name}: {device.stands_for}",
        f"  sync      {one.sync_us:,.1f} us at {one.sync_bytes:,.0f} bytes ({evidence})",
        f"  overhead  {100 * one.overhead:.1f} %",
        f"  that is   {found.requests_per_s:,.0f} of {one.without_log:,.0f} requests/s, on cores "
        "like the campaign's",
        f"  groups    {found.group:.1f} commits share a sync",
        f"  busy      cores {100 * found.cores_busy:.0f} %, log {100 * found.log_busy:.0f} %",
        f"  fed by    {measured.relative}, {fed}: off, {model.fastest} and {model.slowest}",
        f"  tested    {_tested(model)}",
        f"  known     {_known(measured, one)}",
        *(f"warning: {warning}" for warning in warnings(measured, one)),
    ]


def warnings(measured: Measured, one: Elsewhere) -> list[str]:
    """What the tested error does not cover."""
    given = measured.model.given
    assert given is not None
    said = []
    if one.cores != given.cores:
        said.append(
            f"the test was on {_cores(given.cores)}: memory, caches and locks that "
            f"{_cores(one.cores)} would share otherwise are not simulated"
        )
    if given.lanes is not None and one.clients > given.clients:
        from ...analysis.results import words

        said.append(
            f"{given.lanes} of {words.clients(given.clients)} committed at once, for others "
            "waited for their locks; it is taken for the same here"
        )
    return said


def content(measured: Measured, device: Device, one: Elsewhere, wanted: Wanted) -> dict[str, Any]:
    """For programs. Fractions, not percent; units are in the names."""
    model, known = measured.model, known_error(measured, one)
    return {
        "device": device.name,
        "device_kind": device.kind,
        "engine": wanted.engine,
        "workload": wanted.workload,
        "cores": one.cores,
        "threads": one.clients,
        "sync_us": one.sync_us,
        "bytes_per_sync": one.sync_bytes,
        "simulated_overhead": one.overhead,
        "simulated_requests_per_s": one.found.requests_per_s,
        "simulated_requests_per_s_without_log": one.without_log,
        "commits_per_group": one.found.group,
        "cpu_share": one.found.cores_busy,
        "log_share": one.found.log_busy,
        "tested": None if model.tested is None else asdict(model.tested),
        "known": None if known is None else _for_programs(known),
        "fed": None if model.given is None else asdict(model.given),
        "campaign": measured.folder.name,
        "warnings": warnings(measured, one),
    }


def tested_line(models: list[Modelled]) -> str | None:
    """How far the simulation is off in a campaign; None where it cannot be fed by it."""
    fit = [one for one in models if _feeds(one)]
    return f"simulation: {_tested(fit[0])}" if fit else None


def _tested(model: Modelled) -> str:
    if model.tested is None:
        return "not at all: the campaign has no device beside the two that feed it"
    return model.tested.sentence


def known_error(measured: Measured, one: Elsewhere) -> Known | None:
    """What `make bench-model` found, with other devices, or with other clients where these are."""
    from ...analysis.sweep import tested

    given = measured.model.given
    assert given is not None
    held_out = tested.DEVICES if one.clients == given.clients else tested.CLIENTS
    return tested.known(measured.engine, measured.workload, held_out)


def _known(measured: Measured, one: Elsewhere) -> str:
    known = known_error(measured, one)
    return "nothing: make bench-model has not tested this" if known is None else known.sentence


def _for_programs(known: Known) -> dict[str, Any]:
    return asdict(known) | {"clients": list(known.clients)}


def _models(folder: Path, wanted: Wanted, *, required: bool) -> list[Modelled]:
    from ...analysis.sweep.modelled import models

    return models(curves.rows_of(folder, required=required), wanted.engine, wanted.workload)


def _feeds(model: Modelled) -> bool:
    low, high = model.range_us
    return model.fed is not None and low > 0 and high >= _SPREAD * low


def _apart(model: Modelled, clients: int | None, cores: int) -> float:
    """How many times as many clients a core, as a logarithm."""
    given = model.given
    assert given is not None
    if clients is None:
        return -float(given.clients)
    return abs(math.log(given.clients / given.cores * cores / clients))


def _none(wanted: Wanted) -> tuple[str, ...]:
    engine, where = engines.of(wanted.engine), wanted.campaign or wanted.results
    what = f"{workloads.of(wanted.workload).title} on {engine.title}"
    if not engine.has_off or engine.commit_groups is None:
        return (
            f"--engine: {engine.title} cannot be simulated: it has no `off`, or counts no commits; "
            "type --engine rocksdb or myrocks",
        )
    flags = f"--engine {wanted.engine} --workload {wanted.workload}"
    return (
        f"{os.path.relpath(where)}: no campaign of {what} there that has `off`, a fast device and "
        f"one whose sync takes {_SPREAD} times as long or more, which the simulation is fed by; "
        f"measure one: waltax run {flags} --device 'nvram nvme ssd'",
    )


def _cores(count: int) -> str:
    return "1 core" if count == 1 else f"{count} cores"
