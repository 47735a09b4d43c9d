"""The request that a user typed on the command line of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import workloads
from ..runners.recipe import command_line
from ..runners.recipe.recipe import Choice, Recipe

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.loop import Executor


@dataclass(frozen=True, kw_only=True)
class Request(Choice):
    """What a command line adds to a choice.

    `own` has the values of the options that only its study has, and `given` maps the names of
    parameters to the flags that were typed for them.
    """

    results: Path
    data_dir: Path
    seed: int | None = None  # None: each recipe draws one
    resume: Path | None = None
    campaigns: tuple[Path, ...] = ()  # report these again
    only_plan: bool = False
    share_machine: bool = False
    hosts: str | None = None  # hosts that measure; None: this machine
    repeat: int = 1  # number of occasions
    interval_s: float = 0.0  # between the starts of two occasions
    own: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    @property
    def typed_data_dir(self) -> Path | None:
        """The folder that a person named; None for the default."""
        return self.data_dir if "data_dir" in self.given else None

    def recipe(self, kind: str) -> Recipe:
        """Return the recipe, as far as it was typed, for a study of this `kind`."""
        names = [item.name for item in fields(Choice)] + ["seed"] * (self.seed is not None)
        # Only `run` has a twin: sweeps have enough cells without one.
        return Recipe(
            **{name: getattr(self, name) for name in names},
            kind=kind,
            twin=kind == "run",
            mixes=workloads.own_texts(self.workloads),
            typed=command_line.typed(),
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
