"""The request that a user typed on the command line of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..base.errors import UsageError
from ..engines import EMBEDDED, Shards
from ..engines.builds.build_names import Named
from ..engines.shards import RANGE

if TYPE_CHECKING:
    from ..runners.campaign import Campaign, Recipe
    from ..runners.loop import Executor

_Own = TypeVar("_Own", bound="Request")


@dataclass(frozen=True)
class Request:
    """The options that several studies share; a study with further options has a subclass.

    `given` maps the names of fields to the flags that were typed for them.
    """

    results: Path
    data_dir: Path
    profile: str = ""  # "": the study's own choice
    engine: str = EMBEDDED
    workloads: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    durability: str | None = None
    wal_dir: str | None = None
    wal_with_data: bool = False  # adds a device to those that are named
    allow_mismatch: bool = False
    builds: tuple[Named, ...] = ()  # of the engine; none: the usual one
    binlog: str | None = None  # the device of a server's second log, or "same"
    read_latency_us: int = 0  # 0: data are read as they are
    threads: tuple[int, ...] = ()  # empty: the profile's
    seed: int | None = None
    resume: Path | None = None
    campaigns: tuple[Path, ...] = ()  # report these again
    only_plan: bool = False
    share_machine: bool = False
    hosts: str | None = None  # hosts that measure; None: this machine
    nodes: tuple[int, ...] = ()  # numbers of shards; empty: the engine's own choice
    owner: str = RANGE
    wal_shared: bool = False  # one device for the logs of all nodes
    memory_mib: int | None = None  # a bound on each cell's memory
    ratios: tuple[float, ...] = ()  # data size over memory_mib; empty: the profile's data
    memory_by: str = "auto"  # what enforces the bound
    repeat: int = 1  # number of occasions
    interval_s: float = 0.0  # between the starts of two occasions
    before: str | None = None  # a shell command before each session
    after: str | None = None
    # Values of the axes that have their own option, by name.
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def like(cls: type[_Own], other: Request) -> _Own:
        """Return the shared options that were typed for another study; the rest are defaults."""
        return cls(**{option.name: getattr(other, option.name) for option in fields(Request)})

    @property
    def typed_data_dir(self) -> Path | None:
        """The folder that a person named; None for the default."""
        return self.data_dir if "data_dir" in self.given else None

    @property
    def shards(self) -> tuple[str, ...]:
        """The cuts that were typed, as words.

        Errors: UsageError for --owner or --wal-shared without --nodes.
        """
        beside = [name for name in ("owner", "wal_shared") if name in self.given]
        if beside and not self.nodes:
            raise UsageError(
                f"{self.given[beside[0]]}: found without --nodes, which says how many nodes there "
                "are; add --nodes 2"
            )
        return tuple(Shards(n, self.owner, self.wal_shared).word for n in self.nodes)

    def recipe(self, kind: str) -> Recipe:
        """Return the recipe, as far as it was typed, for a study of this `kind`."""
        from ..runners.campaign import Recipe
        from ..runners.recipe import command_line, mixes

        names = {option.name for option in fields(Recipe)} & {
            option.name for option in fields(Request)
        }
        typed = {name: getattr(self, name) for name in names}
        if self.seed is None:
            del typed["seed"]  # the recipe draws one
        # Only `run` has a twin: sweeps have enough cells without one.
        own = mixes.texts(self.workloads)
        return Recipe(
            kind=kind,
            shards=self.shards,
            twin=kind == "run",
            mixes=own,
            typed=command_line.typed(),
            **typed,
        )

    @property
    def executor(self) -> Executor:
        """The executor that measures. Errors: UsageError for hosts that cannot be used."""
        from ..runners.local import Local

        if self.hosts is None:
            return Local(self.share_machine)
        from ..runners.hosts.executor import OnHosts

        return OnHosts(self.hosts, self.share_machine)

    def campaign(self, recipe: Recipe) -> Campaign:
        """Make a new campaign in the results' folder. Errors: UsageError for an invalid recipe."""
        from ..runners import campaign

        return campaign.new(recipe, self.results, self.data_dir)
