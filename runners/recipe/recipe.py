"""A user's request, before this machine is looked at."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from ...engines import EMBEDDED
from .parts import Command, Cutting, Endpoint


@dataclass(frozen=True)
class Choice:
    """What a command line chooses of the matrix, and where it is measured."""

    engine: str = EMBEDDED
    workloads: tuple[str, ...] = ()  # none: all that the profile sizes
    profile: str = ""
    devices: tuple[str, ...] = ()
    durability: str | None = None  # None: the default of `comparison.plan`
    wal_dir: str | None = None
    allow_mismatch: bool = False
    # The values, as texts, of the axes in `axes.TABLE`, by name; an axis without one is left out.
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def at(self, **values: Sequence[str]) -> Self:
        """Return it with these values of axes, instead of its own; empty: none."""
        changed = {**self.axes, **{name: tuple(texts) for name, texts in values.items()}}
        return replace(self, axes={name: texts for name, texts in changed.items() if texts})


@dataclass(frozen=True)
class Recipe(Choice):
    """What a user requested; enough to plan the same campaign again."""

    beside: tuple[str, ...] = ()  # measured beside `durability`, without knobs
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
