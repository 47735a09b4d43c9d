"""The hosts of a campaign: what each offers, how far it has come, and why it is out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..owned import whole
from ..row import Row, failures
from ..runners.campaign import Campaign
from ..runners.progress import Progress
from ..runners.stopping import Rule
from . import agreement, labels

KEPT = "hosts.json"
"""In a campaign's folder: its hosts, with what `doctor` found on each."""


@dataclass
class Host:
    """A host by the name that its worker announces. `progress` is what was measured there."""

    name: str
    address: str
    labels: dict[str, float]
    progress: Progress = field(default_factory=Progress)
    doctor: list[dict[str, Any]] = field(default_factory=list)
    machine: dict[str, Any] = field(default_factory=dict)
    placements: dict[str, str] = field(default_factory=dict)  # their digests, by cell
    lost: str = "it has not answered yet"  # why it is out; "": it measures
    session: int | None = None  # under way

    @property
    def is_free(self) -> bool:
        return not self.lost and self.session is None

    def left_s(self, campaign: Campaign, ended: frozenset[str]) -> dict[str, float] | None:
        """What its own budget leaves of slices, by workload; None where it has had its share.

        The profile's budget and its least number of sessions are each host's.
        """
        rule = Rule.of(campaign.profile.timing)
        going_on = {cell.workload for cell in self.progress.due(campaign, ended)}
        left = {one: max(0.0, rule.budget_s - self.progress.spent_s(one)) for one in going_on}
        sessions = len({row["session"] for row in self.progress.rows})
        return left if any(left.values()) or not rule.has_sessions(sessions) else None

    def kept(self) -> dict[str, Any]:
        """What hosts.json has of it."""
        names = ("name", "address", "labels", "doctor", "machine", "lost")
        return {name: getattr(self, name) for name in names}


class Fleet:
    """All hosts that were ever seen, by name; `ours` are the facts that must agree."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._facts = agreement.facts(campaign)
        self._devices = {cell.device for cell in campaign.cells} | {
            binlog.placement.device.name for binlog in campaign.binlogs.values()
        }
        self.needs: set[str] = set()
        self.hosts: dict[str, Host] = {}

    @property
    def alive(self) -> list[Host]:
        return [host for host in self.hosts.values() if not host.lost]

    def at(self, address: str) -> Host | None:
        """The host whose worker is at this address."""
        return next((one for one in self.hosts.values() if one.address == address), None)

    def see(self, workers: Mapping[str, Mapping[str, Any]]) -> list[Host]:
        """Those of the scheduler's workers that are to be greeted: new ones, and restarted ones."""
        fresh = []
        for address, worker in workers.items():
            if self.at(address) is not None:
                continue
            # A plain worker of dask is called by its address, which is no name of a folder.
            name, resources = str(worker["name"]).rpartition("/")[2], worker["resources"]
            host = self.hosts.setdefault(name, Host(name, address, {}))
            host.address, host.labels = address, labels.of_resources(resources)
            if resources.get(labels.HOST) != 1:
                host.lost = (
                    f"it announces {resources.get(labels.HOST, 'no')} {labels.HOST}, where one is "
                    "wanted: start it with waltax worker"
                )
                continue
            fresh.append(host)
        return fresh

    def require_labels(self) -> None:
        """Settle which devices must be real: what is real here, and what any host offers.

        Figures of a device and of its model must not meet in one cell. Errors: UsageError where no
        host offers one.
        """
        offered = {name for host in self.hosts.values() for name in host.labels}
        self.needs = labels.real_devices(self._campaign) | (offered & self._devices)
        for name in sorted(self.needs - offered):
            told = "; ".join(
                f"{host.name}: {' and '.join(sorted(host.labels)) or 'none'}"
                for host in self.hosts.values()
            )
            raise UsageError(
                f"--hosts: no host offers {name}, which is real here; hosts offer {told}"
            )

    def admit(self, host: Host, answer: Mapping[str, Any]) -> None:
        """Let a host measure that has answered, or say in `lost` why it may not."""
        host.doctor, host.machine = answer["doctor"], answer["machine"]
        host.placements = answer["placements"]
        differ = agreement.differences(answer["agreement"], self._facts)
        differ += self._otherwise_placed(answer) + _moved(host)
        host.lost = "; ".join(differ)

    def _otherwise_placed(self, answer: Mapping[str, Any]) -> list[str]:
        real = set(answer["real"])
        return [
            f"{name} is {'emulated there, and the device itself' if name in self.needs else 'real'}"
            f"{' on other hosts' if name in self.needs else ' there, and no label says so'}"
            for name in sorted(real ^ self.needs)
        ]

    def remember(self, rows: Sequence[Row]) -> None:
        """Give hosts what they measured in an earlier run of the campaign, and look whether their
        devices are still what they were.
        """
        for row in rows:
            host = self.hosts.setdefault(row["host"], Host(row["host"], "", {}))
            host.progress.rows.append(row)
            host.progress.failures |= failures([row])
            if not host.address:
                host.lost = "its worker is not there any more"
        for host in self.alive:
            host.lost = "; ".join(_moved(host))

    def keep(self, folder: Path) -> None:
        """Write hosts.json. Errors: OSError."""
        text = json.dumps([host.kept() for host in self.hosts.values()], indent=1)
        whole.write(folder / KEPT, text + "\n")

    def words(self) -> Iterator[str]:
        """A line for each host that is out, and why."""
        for host in self.hosts.values():
            if host.lost:
                yield f"host {host.name} is left out: {host.lost}"


def _moved(host: Host) -> list[str]:
    """Devices that are elsewhere than when rows of this host were measured."""
    before = {
        row["cell"]: row["placement_digest"]
        for row in host.progress.rows
        if "placement_digest" in row
    }
    now = host.placements
    moved = sorted({cell for cell, digest in before.items() if now.get(cell) != digest})
    return [f"the device of {cell} is another than when it began" for cell in moved[:1]]
