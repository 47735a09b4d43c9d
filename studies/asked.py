"""What was typed on the command line of a study, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..base.errors import UsageError
from ..engines import EMBEDDED, Shards
from ..engines.shards import DIRECT, RANGE

if TYPE_CHECKING:
    from ..runners.campaign import Campaign, Recipe
    from ..runners.executor import Executor

_Own = TypeVar("_Own", bound="Request")


@dataclass(frozen=True)
class Request:
    """The options that several studies share; a study with more of them has a subclass.

    `given` are the flags that were typed, by the names of the fields that they set.
    """

    results: Path
    data_dir: Path
    profile: str = ""  # "": the study's own choice
    engine: str = EMBEDDED
    workloads: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    durability: str | None = None
    wal_dir: str | None = None
    wal_with_data: bool = False  # a device more, beside those that are named
    allow_mismatch: bool = False
    binlog: str | None = None  # of servers: the device of their second log, or "same"
    read_latency_us: int = 0  # 0: data are read as they are
    cpu_counters: bool = False
    threads: tuple[int, ...] = ()  # none: what the profile says
    seed: int | None = None
    resume: Path | None = None
    campaigns: tuple[Path, ...] = ()  # to be reported again
    only_plan: bool = False
    share_machine: bool = False
    hosts: str | None = None  # that measure; None: this machine
    nodes: tuple[int, ...] = ()  # of shards; none: the engine's own choice
    route: str = DIRECT
    owner: str = RANGE
    wal_shared: bool = False  # one device for the logs of all nodes
    memory_mib: int | None = None  # a bound on each cell's, or none
    ratios: tuple[float, ...] = ()  # of the data to it; none: the profile's data
    memory_by: str = "auto"  # who holds it
    repeat: int = 1  # occasions
    interval_s: float = 0.0  # from start to start of them
    before: str | None = None  # commands around each session
    after: str | None = None
    # Values of the axes that have an option of their own, by name.
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def like(cls: type[_Own], other: Request) -> _Own:
        """What was typed for another study, where both have the option; else the defaults."""
        return cls(**{option.name: getattr(other, option.name) for option in fields(Request)})

    @property
    def typed_data_dir(self) -> Path | None:
        """The folder that a person named; None for the default."""
        return self.data_dir if "data_dir" in self.given else None

    @property
    def shards(self) -> tuple[str, ...]:
        """The words of the cuts that were typed.

        Errors: UsageError for a way to nodes without nodes.
        """
        beside = [name for name in ("route", "owner", "wal_shared") if name in self.given]
        if beside and not self.nodes:
            raise UsageError(
                f"{self.given[beside[0]]}: found without --nodes, which says how many nodes there "
                "are; add --nodes 2 (with make: NODES=2)"
            )
        return tuple(Shards(n, self.owner, self.route, self.wal_shared).word for n in self.nodes)

    def recipe(self, kind: str) -> Recipe:
        """What to measure, as far as it was typed. `kind` is the study's."""
        from ..runners.campaign import Recipe
        from ..runners.recipe import mixes

        names = {one.name for one in fields(Recipe)} & {one.name for one in fields(Request)}
        typed = {name: getattr(self, name) for name in names}
        if self.seed is None:
            del typed["seed"]  # which the recipe draws
        # Sweeps have cells enough without a twin.
        own = mixes.texts(self.workloads)
        return Recipe(kind=kind, shards=self.shards, twin=kind == "run", mixes=own, **typed)

    @property
    def executor(self) -> Executor:
        """What measures. Errors: UsageError where hosts are asked for, and cannot be."""
        from ..runners.local import Local

        if self.hosts is None:
            return Local(self.share_machine)
        from ..runners.hosts.executor import OnHosts

        return OnHosts(self.hosts, self.share_machine)

    def campaign(self, recipe: Recipe) -> Campaign:
        """A new campaign where the results are kept. Errors: UsageError for what cannot be."""
        from ..runners import campaign

        return campaign.new(recipe, self.results, self.data_dir)
