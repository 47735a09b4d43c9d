"""`--options LABEL=FILE`: set the engine by a user's file in place of the profile.

All files take turns in the same rounds. A single file is compared with the profile.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from ....engines.builds.build_names import NAME
from .axis import Axis

if TYPE_CHECKING:
    from ....profiles import Profile, overlay
    from ..campaign_file import Told
    from ..recipe import Recipe

_NAME = "options"


class OptionsFiles(Axis):
    """Files with all settings of the engine, whose values take turns."""

    options = (
        click.option(
            "--options",
            _NAME,
            multiple=True,
            callback=lambda *given: _typed(*given),
            metavar="LABEL=FILE",
            help="Files that set the engine in place of the profile, separated by blanks; "
            "repeatable: an OPTIONS file of RocksDB, Ceph's string of options, or a my.cnf. They "
            "take turns in the same rounds. A single file is compared with the profile.",
        ),
    )

    def values(self, recipe: Recipe | Told) -> Sequence[str]:
        labels = list(_files(recipe))
        return ["", *labels] if len(labels) == 1 else labels

    def require(self, recipe: Recipe) -> None:
        typed = recipe.axes.get(_NAME, ())
        if not all("=" in text for text in typed):  # only a changed campaign.json can do this
            raise UsageError("--options: found a label without a file; want LABEL=FILE")
        if len(_files(recipe)) < len(typed):
            raise UsageError("--options: found one label twice; name each file otherwise")

    def profile(self, profile: Profile, cell: Cell, recipe: Recipe) -> Profile:
        path = _files(recipe)[cell.axes[_NAME]]
        changed, _ = _over(profile, path, recipe)
        digest = hashlib.sha256(profile.digest.encode() + path.read_bytes()).hexdigest()[:12]
        return changed.model_copy(update={"digest": digest, "path": str(path)})

    def words(self, profile: Profile, cell: Cell, recipe: Recipe) -> list[str]:
        label = cell.axes[_NAME]
        path = _files(recipe)[label]
        _, entries = _over(profile, path, recipe)
        kept = sum(entry.fate == "kept" for entry in entries)
        left = [f"  {entry}" for entry in entries if entry.fate != "kept"]
        return [f"options {label}: {path}: {kept} of {len(entries)} keys are kept", *left]


def _over(profile: Profile, path: Path, recipe: Recipe) -> tuple[Profile, list[overlay.Entry]]:
    from ....profiles import overlay
    from . import release_settings

    try:
        return overlay.with_file(profile, path, release_settings.settings_of(recipe.engine))
    except UsageError as error:
        raise UsageError(f"--options: {error}") from error


def _files(recipe: Recipe | Told) -> dict[str, Path]:
    """Return the files by their labels."""
    pairs = (text.partition("=") for text in recipe.axes.get(_NAME, ()))
    return {label: Path(path) for label, _, path in pairs}


def _typed(
    _context: click.Context, _option: click.Parameter, typed: Sequence[str]
) -> tuple[str, ...]:
    """Return the files with absolute paths, which hold wherever the campaign is resumed.

    Errors: UsageError for a text without a label, and for a file that does not exist.
    """
    files = []
    for text in (word for typed_text in typed for word in typed_text.split() or [typed_text]):
        label, has_label, path = text.partition("=")
        if not has_label or not re.fullmatch(NAME, label):
            raise UsageError(
                f"--options: found {text!r}; type a label and a file, as in --options "
                "old=OPTIONS-000007"
            )
        whole = Path(path).expanduser().absolute()
        if not whole.is_file():
            raise UsageError(f"--options: {label}: {path}: found no such file")
        files.append(f"{label}={whole}")
    return tuple(dict.fromkeys(files))
