"""Read strictly what a campaign keeps of itself in campaign.json."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from ... import workloads
from ...base import strictjson
from ...base.errors import UsageError
from ...base.tomlfile import shown, validate_json
from ...engines import DURABILITIES, ENGINES
from .recipe import Recipe

RECIPE = "campaign.json"


def _one_of(words: Collection[str]) -> AfterValidator:
    """Validate that a text is one of these words, which may grow."""

    def check(value: str) -> str:
        if value not in words:
            raise ValueError(f"found {shown(value)}, want one of {', '.join(words)}")
        return value

    return AfterValidator(check)


_Durability = Annotated[str, _one_of(DURABILITIES)]


@dataclass(frozen=True)
class Kept(Recipe):
    """A recipe, where its data are, and what the machine was like when the campaign began."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    engine: Annotated[str, _one_of(ENGINES)] = field(kw_only=True)
    workloads: tuple[Annotated[str, _one_of(workloads.WORKLOADS)], ...] = field(kw_only=True)
    durability: _Durability | None = None
    beside: tuple[_Durability, ...] = ()
    seed: Annotated[int, Field(ge=0, lt=2**31)] = field(kw_only=True)
    kind: str = field(kw_only=True)
    profile_digest: str = field(kw_only=True)
    data_dir: str = field(kw_only=True)
    data_identity: str | None = None  # of its disk; None: whoever passed it on took that out
    doctor: tuple[dict[str, str], ...] = ()

    @property
    def recipe(self) -> Recipe:
        return Recipe(**{item.name: getattr(self, item.name) for item in fields(Recipe)})


def read(folder: Path) -> Kept:
    """Return what the campaign in `folder` keeps. Errors: UsageError that says what to do."""
    path = folder / RECIPE
    try:
        content = path.read_bytes()
    except OSError as error:
        problem = f"no {RECIPE} in it" if folder.is_dir() else "no such folder"
        raise UsageError(
            f"--resume: {folder}: {problem}; type a campaign's folder, as in --resume "
            "results/20240131-235959-123-rocksdb-linkbench-quick"
        ) from error
    try:
        workloads.recall(strictjson.loads(content, printable=False))
    except ValueError as error:
        raise UsageError(f"--resume: {path}: no JSON ({error}); start a new campaign") from error
    try:
        return validate_json(path, content, Kept)
    except UsageError as error:
        why = error.lines[0].removeprefix(f"{path}: ")
        raise UsageError(
            f"--resume: {path}: {why}; written by another waltax, or changed since: start a new "
            "campaign"
        ) from error


def told(folder: Path) -> Recipe:
    """Read what a campaign was asked to do, leniently: to find or report it, not to resume it.

    What it does not say in a valid way is empty; a file that cannot be read says nothing.
    """
    content = strictjson.read(folder / RECIPE)
    content = content if isinstance(content, dict) else {}
    axes = content.get("axes")
    return Recipe(
        str(content.get("engine", "")),
        _words(content.get("workloads")),
        devices=_words(content.get("devices")),
        axes={n: _words(typed) for n, typed in axes.items()} if isinstance(axes, dict) else {},
        kind=str(content.get("kind", "")),
    )


def _words(texts: object) -> tuple[str, ...]:
    return tuple(str(word) for word in texts) if isinstance(texts, list) else ()
