"""What a campaign keeps of itself in campaign.json, read strictly."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from .. import strictjson
from ..cell import BENCHES, DURABILITIES, ENGINES, WORKLOADS, workload_of
from ..errors import UsageError
from ..tomlfile import Strict, shown, validate

RECIPE = "campaign.json"
_MOST_BYTES = 1 << 20
_MOST = 1000  # of anything that is repeated
_PATH, _NAME = 4096, 255  # the kernel's longest, in bytes


def _place(text: str) -> str:
    try:
        parts = os.fsencode(text).split(b"/")
    except UnicodeEncodeError:
        parts = [b"\0"]
    if b"\0" in b"".join(parts) or len(text) > _PATH or max(map(len, parts)) > _NAME:
        raise ValueError("found what cannot be a file's name")
    return text


def _one_of(*words: str) -> AfterValidator:
    def check(text: str) -> str:
        if text not in words:
            raise ValueError(f"found {shown(text)}, want one of {', '.join(words)}")
        return text

    return AfterValidator(check)


_Place = Annotated[str, AfterValidator(_place)]
_Workload = Annotated[str, _one_of(*WORKLOADS, *map(workload_of, BENCHES))]
_Durability = Annotated[str, _one_of(*DURABILITIES)]
_Threads = Annotated[int, Field(ge=1, le=1024)]
_Many = Field(strict=False, max_length=_MOST)


class Kept(Strict):
    """A recipe and where its data are, which older campaigns did not say: then it is None."""

    engine: Annotated[str, _one_of(*ENGINES)]
    workloads: Annotated[tuple[_Workload, ...], _Many]
    profile: _Place
    devices: Annotated[tuple[_Place, ...], _Many]
    durability: _Durability | None
    threads: Annotated[tuple[_Threads, ...], _Many]
    sizes: Annotated[tuple[str, ...], _Many]
    knobs: Annotated[tuple[str, ...], _Many]
    wal_dir: _Place | None
    allow_mismatch: bool
    seed: Annotated[int, Field(ge=0, lt=2**31)]
    profile_digest: str
    data_dir: _Place | None = None
    data_identity: str | None = None


def read(folder: Path) -> Kept:
    """What the campaign in `folder` keeps. Errors: UsageError that says what to do instead."""
    path = folder / RECIPE
    try:
        content = path.read_bytes()
    except OSError as error:
        found = f"no {RECIPE} in it" if folder.is_dir() else "no such folder"
        raise UsageError(
            f"--resume: {folder}: {found}; type a campaign's folder, as in --resume "
            "results/20240131-235959-123-rocksdb-linkbench-quick"
        ) from error
    try:
        if len(content) > _MOST_BYTES:
            raise ValueError(f"{len(content):,} bytes")
        saved = strictjson.loads(content, printable=False)
    except ValueError as error:
        raise UsageError(f"--resume: {path}: no JSON ({error}); start a new campaign") from error
    try:
        return validate(path, saved, Kept)
    except UsageError as error:
        why = error.lines[0].removeprefix(f"{path}: ")
        raise UsageError(
            f"--resume: {path}: {why}; written by another waltax, or changed since: start a new "
            "campaign"
        ) from error
