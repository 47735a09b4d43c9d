"""Set the engine otherwise than the profile does, by single settings.

`--set NAME=V1,V2` gives an option of RocksDB or a variable of the server several values, and
several names give every combination; a cell's value of the axis is as typed: NAME=V,NAME=V. All
take turns in the same rounds, and a single one is compared with the unchanged profile.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES
from .axis import Axis

if TYPE_CHECKING:
    from ....profiles import Profile, overlay
    from ..recipe import Recipe

_SET = "set"
_TYPED = re.compile(r"([A-Za-z]\w*)=([\w.:;{}+-]+(?:,[\w.:;{}+-]+)*)")


class Settings(Axis):
    """Single settings of the engine, whose values take turns."""

    name = _SET
    options = (
        click.option(
            "--set",
            _SET,
            multiple=True,
            callback=lambda _context, _option, typed: tuple(dict.fromkeys(_pairs(typed))),
            metavar="NAME=VALUE,...",
            help="Values to try for an option of RocksDB or a variable of the server. They take "
            "turns in the same rounds. A single value is compared with the profile. Repeatable: "
            "every combination is measured.",
        ),
    )

    def values(self, recipe: Recipe) -> Sequence[str]:
        by_name: dict[str, list[str]] = {}
        for pair in self.of(recipe):
            by_name.setdefault(pair.partition("=")[0], []).append(pair)
        values = [",".join(pairs) for pairs in itertools.product(*by_name.values()) if pairs]
        return ["", *values] if len(values) == 1 else values

    def require(self, recipe: Recipe) -> None:
        for pair in _pairs(self.of(recipe)):
            if pair.startswith(("sync_binlog=", "binlog_")) and "binlog" not in recipe.axes:
                raise UsageError(
                    f"--set: found {pair.partition('=')[0]} without a binlog; add --binlog "
                    "same, or its device"
                )

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
        from ....profiles import overlay

        value = cell.axes[_SET]
        settings = dict(pair.split("=", 1) for pair in value.split(","))
        try:
            changed = overlay.with_settings(profile, settings, settings_of(recipe.engine))
        except UsageError as error:
            raise UsageError(f"--set: {error}") from error
        digest = hashlib.sha256(f"{profile.digest} {value}".encode()).hexdigest()[:12]
        path = f"{profile.path} with --set {value}"
        return changed.model_copy(update={"digest": digest, "path": path})

    def describe(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        return [f"set: {cell.axes[_SET]}"]


@cache
def settings_of(engine: str) -> overlay.Known:
    """Return the settings that the program of the release under test has.

    Errors: WaltaxError if the program is missing.
    """
    from ....base import proc
    from ....driver.argv import command_line
    from ....engines.server import binaries, settings
    from ....profiles import overlay, trial

    if not ENGINES[engine].on_server:
        place, flags = {"db": trial.NOWHERE}, {"durability": "sync"}
        line = command_line(proc.program("linkbench"), "run", place, flags, {"print_options": True})
        return overlay.known_options(trial.answer(tuple(line), "")[0])
    engine = ENGINES[engine].store
    server = binaries.find(engine)
    config = settings.render({"plugin_dir": str(server.plugin_dir), **settings.base(engine)})
    line = [str(server.mariadbd), f"--defaults-file={trial.OPTIONS}", "--verbose", "--help"]
    return overlay.known_variables(trial.answer(tuple(line), config)[0])


def _pairs(typed: Sequence[str]) -> Iterator[str]:
    """Pair each value with its name: a=1,2 is a=1 and a=2. Errors: UsageError for other texts."""
    for text in (word for each in typed for word in each.split() or [each]):
        match = _TYPED.fullmatch(text)
        if match is None:
            raise UsageError(
                f"--set: found {text!r}; type an option and its values, as in --set "
                "wal_bytes_per_sync=64K,512K; a value with other characters than letters, digits "
                "and . : ; { } + - stands in a --profile of your own"
            )
        yield from (f"{match[1]}={value}" for value in match[2].split(","))
