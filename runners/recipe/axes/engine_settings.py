"""Set the engine otherwise than the profile does: by single settings, or by files of a user's.

`--set NAME=V1,V2` gives an option of RocksDB or a variable of the server several values, and
several names give every combination; a cell's value of the axis is as typed: NAME=V,NAME=V.
`--options LABEL=FILE` replaces all settings. All values take turns in the same rounds, and a single
one is compared with the unchanged profile.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES
from ....engines.builds.build import NAME
from .axis import Axis

if TYPE_CHECKING:
    from ....profiles import Profile, overlay
    from ..recipe import Recipe

_SET, _FILES = "set", "options"
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
        return _beside_profile([",".join(p) for p in itertools.product(*by_name.values()) if p])

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
        path = f"{profile.path} with --set {value}"
        return _named(changed, path, f"{profile.digest} {value}".encode())

    def describe(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:  # noqa: ARG002
        return [f"set: {cell.axes[_SET]}"]


class OptionsFiles(Axis):
    """Files with all settings of the engine, whose values take turns."""

    name = _FILES
    options = (
        click.option(
            "--options",
            _FILES,
            multiple=True,
            callback=lambda _context, _option, typed: tuple(dict.fromkeys(_paths(typed))),
            metavar="LABEL=FILE",
            help="Files that set the engine in place of the profile, separated by blanks; "
            "repeatable: an OPTIONS file of RocksDB, or a my.cnf. They take turns in the same "
            "rounds. A single file is compared with the profile.",
        ),
    )

    def values(self, recipe: Recipe) -> Sequence[str]:
        return _beside_profile([*_files(recipe)])

    def require(self, recipe: Recipe) -> None:
        typed = self.of(recipe)
        if not all("=" in text for text in typed):  # only a changed campaign.json can do this
            raise UsageError("--options: found a label without a file; want LABEL=FILE")
        if len(_files(recipe)) < len(typed):
            raise UsageError("--options: found one label twice; name each file otherwise")

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
        path = _files(recipe)[cell.axes[_FILES]]
        changed, _, _ = _over(profile, path, recipe)
        return _named(changed, str(path), profile.digest.encode() + path.read_bytes())

    def describe(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:
        label = cell.axes[_FILES]
        path = _files(recipe)[label]
        _, kept, left = _over(profile, path, recipe)
        beside = ", but not" if left else ""
        return [f"options {label}: {path}: settings taken: {kept}{beside}"] + [
            f"  {line}" for line in left
        ]


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


def _beside_profile(values: list[str]) -> list[str]:
    """Return the values, of which a single one has the unchanged profile beside it."""
    return ["", *values] if len(values) == 1 else values


def _named(changed: Profile, path: str, content: bytes) -> Profile:
    """Return a changed profile with its place for errors, and the digest of what it is made of."""
    digest = hashlib.sha256(content).hexdigest()[:12]
    return changed.model_copy(update={"digest": digest, "path": path})


def _over(profile: Profile, path: Path, recipe: Recipe) -> tuple[Profile, int, list[str]]:
    from ....profiles import overlay

    try:
        return overlay.with_file(profile, path, settings_of(recipe.engine))
    except UsageError as error:
        raise UsageError(f"--options: {error}") from error


def _files(recipe: Recipe) -> dict[str, Path]:
    """Return the files by their labels."""
    pairs = (text.partition("=") for text in recipe.axes.get(_FILES, ()))
    return {label: Path(path) for label, _, path in pairs}


def _words(typed: Sequence[str]) -> list[str]:
    """Split texts at blanks; one without words is a word itself, to be refused as such."""
    return [word for text in typed for word in text.split() or [text]]


def _pairs(typed: Sequence[str]) -> Iterator[str]:
    """Pair each value with its name: a=1,2 is a=1 and a=2. Errors: UsageError for other texts."""
    for text in _words(typed):
        match = _TYPED.fullmatch(text)
        if match is None:
            raise UsageError(
                f"--set: found {text!r}; type an option and its values, as in --set "
                "wal_bytes_per_sync=64K,512K; a value with other characters than letters, digits "
                "and . : ; { } + - needs a file, see --options"
            )
        yield from (f"{match[1]}={value}" for value in match[2].split(","))


def _paths(typed: Sequence[str]) -> Iterator[str]:
    """Yield the files with absolute paths, which hold wherever the campaign is resumed.

    Errors: UsageError for a text without a label, and for a file that does not exist.
    """
    for text in _words(typed):
        label, has_label, path = text.partition("=")
        if not has_label or not re.fullmatch(NAME, label):
            raise UsageError(
                f"--options: found {text!r}; type a label and a file, as in --options "
                "old=OPTIONS-000007"
            )
        whole = Path(path).expanduser().absolute()
        if not whole.is_file():
            raise UsageError(f"--options: {label}: {path}: found no such file")
        yield f"{label}={whole}"
