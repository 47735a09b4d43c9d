"""Servers of the Redis protocol that their owners run: loaded once, and measured where they are.

No session begins on a fresh clone: only the driver and its connections are renewed.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from .... import devices, workloads
from ....base import proc
from ....base.errors import UsageError
from ....cell import BASELINE, Cell
from ....devices.device import NAME_PATTERN, Device
from ....devices.resolve import Placement
from ....devices.tap_page import TapCounters
from ....driver.argv import Parameters, command_line
from ....engines import DURABILITIES
from ....profiles import trial
from ...recipe.parts import Endpoint
from ...recipe.recipe import Recipe
from ..campaign import Campaign
from ..data_set import LOAD_SEED
from ..live import Measured, MeasuredNode, Node, Position, Say, Share, workloads_of
from ..setting import Setting
from . import life, loading
from .process_cell import ProcessCell

_OWNER = "owner"  # the device of an endpoint whose owner does not say where the log is
_TYPED = re.compile(
    rf"(?:(?P<place>{NAME_PATTERN})/)?(?P<mode>{'|'.join(DURABILITIES)})=(?P<url>redis://.+)"
)
_WANTED = (
    "want MODE=URL, or PLACE/MODE=URL, as in my-nvme/sync=redis:///run/a.sock; a MODE is one of "
    f"{', '.join(DURABILITIES)} (the last has no log, and no PLACE); a PLACE has lower case, "
    "digits and single dashes"
)
_PROGRAM = "mix"  # the driver that has a store for the protocol
_DRIVER_MIB = 64.0  # its histograms, its keys and its requests under way
_FSYNC = {"always": "sync", "everysec": "delayed", "no": "flush"}
_NO_TAP = TapCounters(counts=defaultdict(int))
_UNSEEN = MeasuredNode(Path(), _NO_TAP, _NO_TAP, ())
"""Nothing of ours is in front of the server's log."""


def named(texts: Sequence[str]) -> tuple[Endpoint, ...]:
    """Return the endpoints that texts name, without looking at their addresses: of
    sync=redis:///run/a.sock, or nvme/sync=redis://127.0.0.1:6379.

    Errors: UsageError for any other text, if there is no baseline or nothing beside it, and for one
    that is there twice.
    """
    endpoints = tuple(map(_named, texts))
    labels, urls = [each.label for each in endpoints], [each.url for each in endpoints]
    if BASELINE not in labels or len(endpoints) < 2:
        raise UsageError(
            f"--endpoint: found {' and '.join(labels)} alone; type two or more, off=URL among "
            "them: a server that writes no log (of Redis one with appendonly no), which the others "
            "are compared with"
        )
    for said in (*labels, *urls):
        if (labels + urls).count(said) > 1:
            raise UsageError(
                f"--endpoint: found {said} twice; give each server a place and a URL of its own, "
                "as in a/sync=... and b/sync=..., since two cells would work on the same data"
            )
    return endpoints


def _named(text: str) -> Endpoint:
    typed = _TYPED.fullmatch(text)
    if typed is None or BASELINE in (typed["place"], typed["place"] and typed["mode"]):
        raise UsageError(f"--endpoint: found {text!r}; {_WANTED}")
    place = BASELINE if typed["mode"] == BASELINE else typed["place"] or _OWNER
    return Endpoint(place, typed["mode"], typed["url"])


def of(recipe: Recipe, cell: Cell) -> Endpoint:
    """Return the endpoint that is a cell."""
    label = (cell.device, cell.durability)
    return next(each for each in recipe.endpoints if (each.device, each.durability) == label)


def placement(endpoint: Endpoint) -> Placement:
    """Return where the log is, as far as anybody but its owner knows."""
    said = (f"its owner runs it, and decides on its log: {endpoint.url}",)
    if endpoint.durability == BASELINE:
        return Placement(devices.load(BASELINE), "off", warnings=said)
    device = Device.model_validate(
        {
            "name": endpoint.device,
            "title": "its owner's",
            "stands_for": f"where the owner of {endpoint.url} put it",
            "class": "remote",
            "kind": "none",
            "power_loss_protection": "unknown",
            "notes": "",
        }
    )
    return Placement(device, "owner", warnings=said)


def require(campaign: Campaign) -> None:
    """Raise UsageError for a workload that the protocol lacks, for several, which would share one
    data set, and for what the driver refuses.
    """
    wanted, threads = workloads_of(campaign.cells), {cell.threads for cell in campaign.cells}
    if len(wanted) > 1 or len(threads) > 1:
        raise UsageError(
            f"--endpoint: found {len(wanted)} workloads and {len(threads)} counts of --threads, "
            "which would work on the same data; name one of each, as in --workload ycsb-a"
        )
    if workloads.WORKLOADS[wanted[0]].driver_program != _PROGRAM:
        raise UsageError(
            f"--workload: found {wanted[0]} with --endpoint, whose protocol has mixes alone: type "
            "--workload ycsb-a, or a mix's FILE.toml"
        )
    section = campaign.profile.workload(wanted[0])
    with contextlib.suppress(proc.NotBuilt):
        for endpoint in campaign.recipe.endpoints:
            flags = {**section.load, **section.run, "threads": min(threads), "seed": 0}
            line = _argv(endpoint, wanted[0], "run", flags)
            # A repeated flag stops the driver from connecting.
            line += [f"--socket={trial.NOWHERE}"] * 2
            trial.require(campaign.profile, wanted[0], line, stop="--socket: ")


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Load the data set into every server that is empty, and check it.

    A server that holds this data set keeps it, whatever earlier campaigns made of it. Errors:
    UsageError for a server that holds anything else; WaltaxError for one that does not obey, and
    for inconsistent data.
    """
    workload, log = campaign.cells[0].workload, campaign.folders.disk / "load.stderr"
    flags = {**campaign.profile.workload(workload).load, "threads": os.cpu_count() or 1}
    for endpoint in campaign.recipe.endpoints:
        say(f"loading {endpoint.label}, {endpoint.url}, unless it holds the data set already")
        own = {**flags, "seed": LOAD_SEED}
        loads = [_argv(endpoint, workload, "load", own)]
        check = _argv(endpoint, workload, "check", flags)
        loading.fill(f"endpoint {endpoint.url}", workload, loads, check, log, say)
    return {cell.id: None for cell in campaign.cells}


def share(campaign: Campaign) -> Share:
    """Return the driver's share; what the data take is their owners' affair."""
    return Share(processes_mib=_DRIVER_MIB * len(campaign.cells))


def words(campaign: Campaign) -> str:
    """Say what is loaded, and where."""
    facts = workloads.WORKLOADS[campaign.cells[0].workload]
    data = facts.data(campaign.profile.workload(facts.name).load)
    return "; ".join([data, *(f"{e.label} is {e.url}" for e in campaign.recipe.endpoints)])


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[EndpointCell]:
    """Connect the driver, unfrozen. Errors: WaltaxError when it cannot."""
    cell, endpoint = setting.cell, of(setting.recipe, setting.cell)
    section = setting.profile.workload(cell.workload)
    flags = {**section.load, **section.run, "threads": cell.threads, "seed": setting.seed}
    line = _argv(endpoint, cell.workload, "run", flags)
    with life.running(setting, line, {}) as driver:
        yield EndpointCell(
            cell=cell,
            placement=setting.placement,
            endpoint=endpoint,
            driver=driver,
            wal_dirs=(Path(),),  # its owner knows
            ready=driver.wait_for("ready", within_s=life.READY_S),
            argv=line,
            seed=setting.seed,
        )


@dataclass(kw_only=True)
class EndpointCell(ProcessCell):
    """A driver that is frozen except while it measures; its server never is. Use from one thread.

    Nothing is done between slices: syncs of the server take their time, whoever waits for them.
    """

    endpoint: Endpoint
    nodes: tuple[Node, ...] = ()

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice. Errors: DriverFailed naming the cell, the endpoint and the last words."""
        measured = super().measure(at, warmup_s, measure_s)
        counted = measured.slice["counters"]
        said = columns(self.ready["engine"]["variables"], counted)
        event = {**measured.slice, "told": {"endpoint": self.endpoint.url, **said}}
        del event["age_requests"]  # its data are as old as its owner made them
        return replace(measured, slice=event, nodes=(_UNSEEN,), server_cpu_s=cpu_s(counted))

    def settle(self, seconds: float) -> None:
        pass

    def catch_up(self, requests: int) -> None:
        pass


def mode_of(settings: Mapping[str, str]) -> str | None:
    """Return the durability that settings mean, None if they do not say: of Redis' append-only
    file, or of the write options of Kvrocks' RocksDB. They are as a server says them of itself.

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


def columns(settings: Mapping[str, str], counted: Mapping[str, int]) -> dict[str, Any]:
    """Return what a server said of a slice, as columns of its row.

    `counted` is what the server counted in it, by the driver's names.
    """
    return {
        "log_mode": mode_of(settings),
        "log_settings": dict(settings),
        "wal_bytes": counted.get("redis_log_bytes"),
        "log_rewrites": counted.get("redis_log_rewrites", 0),
        "log_changes": counted.get("redis_changed_settings", 0),
    }


def cpu_s(counted: Mapping[str, int]) -> tuple[float, float] | None:
    """Return the server's CPU time in a slice; None if it does not report it."""
    user_us, system_us = (counted.get(f"redis_used_cpu_{kind}_us") for kind in ("user", "sys"))
    return None if user_us is None or system_us is None else (user_us / 1e6, system_us / 1e6)


def _argv(
    endpoint: Endpoint,
    workload: str,
    command: Literal["load", "run", "check"],
    parameters: Parameters,
) -> list[str]:
    """Return the command line of a workload's driver at a server."""
    flags = {"store": "redis", "endpoint": endpoint.url, **workloads.WORKLOADS[workload].flags}
    return command_line(loading.program(workload), command, {**flags, **parameters})
