"""A user's request, before this machine is looked at."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Self

from ...engines import DURABILITIES, EMBEDDED, ENGINES
from ...workloads import WORKLOADS
from .parts import Command, Cutting, Endpoint


@dataclass(frozen=True)
class _OneOf:
    """Has pydantic check for one of these words, which may grow; a help must not wait for it."""

    words: Collection[str]

    def __get_pydantic_core_schema__(self, kind: Any, schema_of: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(self._check, schema_of(kind))

    def _check(self, value: str) -> str:
        from ...base.tomlfile import shown

        if value not in self.words:
            raise ValueError(f"found {shown(value)}, want one of {', '.join(self.words)}")
        return value


_Workload = Annotated[str, _OneOf(WORKLOADS)]
_Durability = Annotated[str, _OneOf(DURABILITIES)]


@dataclass(frozen=True)
class Choice:
    """What a command line chooses of the matrix, and where it is measured."""

    engine: Annotated[str, _OneOf(ENGINES)] = EMBEDDED
    workloads: tuple[_Workload, ...] = ()  # none: all that the profile sizes
    profile: str = ""
    devices: tuple[str, ...] = ()
    durability: _Durability | None = None  # None: the default of `comparison.plan`
    wal_dir: str | None = None
    allow_mismatch: bool = False
    before: str | None = None  # shell commands around each session: see `local`
    after: str | None = None
    # The values, as texts, of the axes in `axes.TABLE`, by name; an axis without one is left out.
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def at(self, **values: Sequence[str]) -> Self:
        """Return it with these values of axes, instead of its own; empty: none."""
        changed = {**self.axes, **{name: tuple(texts) for name, texts in values.items()}}
        return replace(self, axes={name: texts for name, texts in changed.items() if texts})


@dataclass(frozen=True)
class Recipe(Choice):
    """What a user requested; enough to plan the same campaign again.

    Its JSON is that of campaign.json, so the annotations must hold for all that is read there.
    """

    beside: tuple[_Durability, ...] = ()  # measured beside `durability`, without knobs
    ladder: bool = False  # the rungs of `comparison.ladder` in place of all that
    twin: bool = False  # whether a baseline of each workload is measured twice
    seed: int = field(default_factory=lambda: secrets.randbelow(2**31))
    kind: str = "run"  # the study that planned it, goes on with it, and reports it
    command: Command | None = None
    cutting: Cutting | None = None  # whether and how power is cut in each cell
    # The texts of the user's own mixes, by their names among `workloads`.
    mixes: dict[str, str] = field(default_factory=dict)
    endpoints: tuple[Endpoint, ...] = ()  # servers in place of devices
    typed: str = ""  # the words behind `waltax`, quoted as for a shell
    # The content of a profile that the study made of `profile`, at another size; none: that itself.
    resized: dict[str, Any] = field(default_factory=dict)
