"""`--set NAME=V1,V2`: give an option of RocksDB or a variable of the server several values.

All take turns in the same rounds. A single value is compared with the unchanged profile; several
names give every combination. A cell's value of the axis is as typed: NAME=V,NAME=V.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from .axis import Axis

if TYPE_CHECKING:
    from ....profiles import Profile
    from ..campaign_file import Told
    from ..recipe import Recipe

_NAME = "set"
_TYPED = re.compile(r"([A-Za-z]\w*)=([\w.:;{}+-]+(?:,[\w.:;{}+-]+)*)")


class Settings(Axis):
    """Single settings of the engine, whose values take turns."""

    options = (
        click.option(
            "--set",
            _NAME,
            multiple=True,
            callback=lambda *given: _typed(*given),
            metavar="NAME=VALUE,...",
            help="Values to try for an option of RocksDB or a variable of the server. They take "
            "turns in the same rounds. A single value is compared with the profile. Repeatable: "
            "every combination is measured.",
        ),
    )

    def values(self, recipe: Recipe | Told) -> Sequence[str]:
        by_name: dict[str, list[str]] = {}
        for pair in recipe.axes.get(_NAME, ()):
            by_name.setdefault(pair.partition("=")[0], []).append(pair)
        values = [",".join(pairs) for pairs in itertools.product(*by_name.values()) if pairs]
        return ["", *values] if len(values) == 1 else values

    def require(self, recipe: Recipe) -> None:
        for pair in recipe.axes.get(_NAME, ()):
            if not _TYPED.fullmatch(pair):
                raise UsageError(_refusal(pair))
            if pair.startswith(("sync_binlog=", "binlog_")) and recipe.binlog is None:
                raise UsageError(
                    f"--set: found {pair.partition('=')[0]} without a binlog; add --binlog "
                    "same, or its device"
                )

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
        from ....profiles import overlay
        from . import release_settings

        value = cell.axes[_NAME]
        settings = dict(pair.split("=", 1) for pair in value.split(","))
        try:
            has = release_settings.settings_of(recipe.engine)
            changed = overlay.with_settings(profile, settings, has)
        except UsageError as error:
            raise UsageError(f"--set: {error}") from error
        digest = hashlib.sha256(f"{profile.digest} {value}".encode()).hexdigest()[:12]
        at = f"{profile.path} with --set {value}"
        return changed.model_copy(update={"digest": digest, "path": at})

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        return [f"set: {cell.axes[_NAME]}"]


def _typed(
    _context: click.Context, _option: click.Parameter, typed: Sequence[str]
) -> tuple[str, ...]:
    """Pair each value with its name: a=1,2 is a=1 and a=2. Errors: UsageError for other texts."""
    pairs = []
    for text in (word for typed_text in typed for word in typed_text.split() or [typed_text]):
        match = _TYPED.fullmatch(text)
        if match is None:
            raise UsageError(_refusal(text))
        pairs += [f"{match[1]}={value}" for value in match[2].split(",")]
    return tuple(dict.fromkeys(pairs))


def _refusal(text: str) -> str:
    return (
        f"--set: found {text!r}; type an option and its values, as in --set "
        "wal_bytes_per_sync=64K,512K; a value with "
        "other characters than letters, digits and . : ; { } + - needs a file, see --options"
    )
