"""Prepare and bring up cells at servers that their owners run: loaded once, measured in place.

No session begins on a fresh clone: only the driver and its connections are renewed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from .... import devices, workloads
from ....base.errors import UsageError, WaltaxError
from ....cell import BASELINE, Cell
from ....devices.device import Device
from ....devices.resolve import Placement
from ....driver.client import Driver
from ....profiles import Profile, trial
from ...recipe.parts import Endpoint
from ..campaign import Campaign
from ..life import Say, Share, workloads_of
from ..setting import Setting
from . import loading, protocol
from .cell import EndpointCell

TITLE = "an endpoint"
_READY_S = 300.0
_DRIVER_MIB = 64.0  # its histograms, its keys and its requests under way
_WORDS = "its owner runs it, and decides on its log: {}"


def placement(endpoint: Endpoint) -> Placement:
    """Return where the log is, as far as anybody but its owner knows."""
    said = (_WORDS.format(endpoint.url),)
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
    wanted = workloads_of(campaign.cells)
    if len(wanted) > 1 or len({cell.threads for cell in campaign.cells}) > 1:
        raise UsageError(
            f"--endpoint: found {len(wanted)} workloads and "
            f"{len({cell.threads for cell in campaign.cells})} counts of --threads, which would "
            "work on the same data; name one of each, as in --workload ycsb-a"
        )
    if workloads.WORKLOADS[wanted[0]].driver_program != protocol.PROGRAM:
        raise UsageError(
            f"--workload: found {wanted[0]} with --endpoint, whose protocol has mixes alone: type "
            "--workload ycsb-a, or a mix's FILE.toml"
        )
    campaign.profile.workload(wanted[0])
    for cell in campaign.cells:
        _try(campaign, cell)


def _try(campaign: Campaign, cell: Cell) -> None:
    """Raise UsageError for a refused flag; a repeated flag stops the driver from connecting."""
    try:
        line = _argv(cell, campaign.profile, 0, campaign.endpoints[cell.id])
    except WaltaxError:  # it is not built yet
        return
    line += [f"--socket={trial.NOWHERE}"] * 2
    trial.require(campaign.profile, cell.workload, line, stop="--socket: found 2 times")


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Load the data set into every server, unless it is there already; once for each process."""
    workload = campaign.cells[0].workload
    log = None if campaign.workspace is None else campaign.folders.disk / "load.stderr"
    for endpoint in campaign.endpoints.values():
        loading.load(endpoint, workload, campaign.profile.workload(workload).load, log, say)
    return {cell.id: None for cell in campaign.cells}


def share(campaign: Campaign) -> Share:
    """Return the driver's share; what the data take is their owners' affair."""
    return Share(processes_mib=_DRIVER_MIB * len(campaign.cells))


def words(campaign: Campaign) -> str:
    """Say what is loaded, and where."""
    facts = workloads.WORKLOADS[campaign.cells[0].workload]
    data = facts.data(campaign.profile.workload(facts.name).load)
    return "; ".join([data, *(f"{e.label} is {e.url}" for e in campaign.endpoints.values())])


def options(_campaign: Campaign) -> dict[str, str]:
    """Return nothing: every row has a server's settings, as the server reports them."""
    return {}


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[EndpointCell]:
    """Connect the driver, unfrozen; the server's settings mean what its label says.

    Errors: WaltaxError where they do not.
    """
    endpoint = setting.endpoint
    assert endpoint is not None
    line = _argv(setting.cell, setting.profile, setting.seed, endpoint)
    log = setting.folders.kept / f"{setting.cell.id}.stderr"
    driver = Driver(setting.cell.id, line, log=log)
    try:
        ready = driver.wait_for("ready", within_s=_READY_S)
        _require_mode(endpoint, protocol.mode(ready["engine"]["variables"]))
        yield EndpointCell(
            cell=setting.cell,
            placement=setting.placement,
            endpoint=endpoint,
            driver=driver,
            wal_dirs=(Path(),),  # its owner knows
            ready=ready,
            argv=line,
            seed=setting.seed,
        )
    finally:
        driver.kill()


def _require_mode(endpoint: Endpoint, mode: str | None) -> None:
    if mode not in (None, endpoint.durability):
        raise WaltaxError(
            f"endpoint {endpoint.url}: labelled {endpoint.durability}, but its settings mean "
            f"{mode}; change the label or the server (docs/method.md)"
        )


def _argv(cell: Cell, profile: Profile, seed: int, endpoint: Endpoint) -> list[str]:
    section = profile.workload(cell.workload)
    parameters = {**section.load, **section.run, "threads": cell.threads, "seed": seed}
    return protocol.argv(endpoint, cell.workload, "run", parameters)
