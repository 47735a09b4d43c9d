"""Keep the hosts of a campaign: what each offers, how far it has come, and why it is out."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import UsageError
from ...base.folders import atomic_file
from ...row import Row, failures
from ..campaign import Campaign
from ..progress import Progress
from ..stop_rule import Rule
from . import agreement
from .agreement import HOST

if TYPE_CHECKING:
    from distributed import Future

KEPT = "hosts.json"
"""The file in a campaign's folder with its hosts, and what `doctor` found on each."""
UNGREETED = "it has not answered yet"
GONE_WORKER = "its worker has gone"


@dataclass
class Host:
    """A host by the name that its worker announces. `progress` is what was measured there.

    `attempt` is the one whose rows count in the session under way: the first that began.
    """

    name: str
    address: str
    labels: dict[str, float]
    progress: Progress = field(default_factory=Progress)
    answer: Mapping[str, Any] = field(default_factory=dict)  # from `tasks.greet`
    lost: str = UNGREETED  # why it is out; "": it measures
    session: int | None = None  # under way
    future: Future | None = None  # of that session
    attempt: str = ""

    def left_s(self, campaign: Campaign, ended: Collection[str]) -> dict[str, float] | None:
        """Return what its own budget leaves for slices, by workload; None after its share.

        Each host has the profile's budget and its least number of sessions.
        """
        left = self.progress.left(campaign, ended)
        sessions = len({row["session"] for row in self.progress.rows})
        enough = Rule.of(campaign.profile.timing).has_sessions(sessions)
        return left if any(left.values()) or not enough else None


class Fleet:
    """All hosts that were ever seen, by name, and the facts that must agree."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._facts = agreement.facts(campaign)
        self.needs: set[str] = set()
        self.hosts: dict[str, Host] = {}

    @property
    def alive(self) -> list[Host]:
        return [host for host in self.hosts.values() if not host.lost]

    def at(self, address: str) -> Host | None:
        """Return the host whose worker is at this address."""
        return next((host for host in self.hosts.values() if host.address == address), None)

    @property
    def measuring(self) -> dict[int, Host]:
        """The hosts with a session under way, by the session's number."""
        hosts = self.hosts.values()
        return {host.session: host for host in hosts if host.session is not None}

    def see(self, workers: Mapping[str, Mapping[str, Any]]) -> list[Host]:
        """Return those of the scheduler's workers to greet: new ones, and restarted ones."""
        fresh = []
        for address, worker in workers.items():
            if self.at(address) is not None:
                continue
            # A plain worker of dask is named by its address, which cannot name a folder.
            name, resources = str(worker["name"]).rpartition("/")[2], dict(worker["resources"])
            host = self.hosts.setdefault(name, Host(name, address, {}))
            count = resources.pop(HOST, "no")
            host.address, host.labels = address, resources
            if count == 1:
                fresh.append(host)
            else:
                host.lost = (
                    f"it announces {count} {HOST}, where one is wanted: start it with waltax worker"
                )
        return fresh

    def require_labels(self) -> None:
        """Settle which devices must be real: those real here, and those that any host offers.

        Figures of a device and of its model must not meet in one cell. Errors: UsageError if no
        host offers one.
        """
        offered = {name for host in self.hosts.values() for name in host.labels}
        measured = {place.device.name for place in self._campaign.places()}
        self.needs = agreement.real_devices(self._campaign) | (offered & measured)
        for name in sorted(self.needs - offered):
            labels = "; ".join(
                f"{host.name}: {' and '.join(sorted(host.labels)) or 'none'}"
                for host in self.hosts.values()
            )
            raise UsageError(
                f"--hosts: no host offers {name}, which is real here; hosts offer {labels}"
            )

    def admit(self, host: Host, answer: Mapping[str, Any]) -> None:
        """Let a host that answered measure, or say in `lost` why it may not."""
        host.answer = answer
        differ = agreement.differences(answer["agreement"], self._facts)
        for name in sorted(set(answer["real"]) ^ self.needs):
            differ.append(
                f"{name} is emulated there, and the device itself on other hosts"
                if name in self.needs
                else f"{name} is real there, and no label says so"
            )
        host.lost = "; ".join(differ + _moved(host))

    def remember(self, rows: Sequence[Row]) -> None:
        """Give hosts what they measured in an earlier run of the campaign, and check that their
        devices have not changed.
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
        known = ("name", "address", "labels", "lost")
        hosts = [
            {name: getattr(host, name) for name in known}
            | {key: host.answer.get(key, none) for key, none in (("doctor", []), ("machine", {}))}
            for host in self.hosts.values()
        ]
        atomic_file.write(folder / KEPT, json.dumps(hosts, indent=1) + "\n")

    def words(self) -> Iterator[str]:
        """Yield a line for each host that is out, with the reason."""
        for host in self.hosts.values():
            if host.lost:
                yield f"host {host.name} is left out: {host.lost}"


def _moved(host: Host) -> list[str]:
    """Return devices that are elsewhere than when rows of this host were measured."""
    before = {row["cell"]: row.get("placement_digest") for row in host.progress.rows}
    now = host.answer.get("placements", {})
    moved = sorted(cell for cell, kept in before.items() if kept not in (None, now.get(cell)))
    return [f"the device of {cell} is another than when it began" for cell in moved[:1]]
