"""What must be the same on every host: digests of waltax, the engine, the profile, the models."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from .. import proc, workloads
from ..engines import ENGINES
from ..mariadb import binaries
from ..runners.campaign import Campaign
from ..runners.cells.dbbench import program as dbbench
from ..runners.cells.driver import loading
from ..runners.cells.programs import digest

_LETTERS = 12
_ROOT = Path(__file__).parent.parent
# Of the repository: what is no part of what measures.
_ASIDE = {"build", "data", "results", "tests", "bench", "docs"}
_SUFFIXES = {".py", ".toml"}


def facts(campaign: Campaign) -> dict[str, str]:
    """Digests by what they are of, on this machine. Errors: WaltaxError for what is missing."""
    models = {place.device.name: place.model for place in campaign.placements.values()}
    return {
        "waltax": _sources(),
        "the profile": campaign.profile.digest,
        "the tap": digest(proc.program("libwaltax_tap.so")),
        **{f"the program {path.name}": digest(path) for path in _programs(campaign)},
        **{f"the build {name}": build.digest for name, build in campaign.builds.items()},
        **{f"the model of {name}": _short(repr(model)) for name, model in models.items() if model},
    }


def differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """What another machine has otherwise, a clause each.

    A device that is real on one of the two has a model on the other alone: see `fleet`.
    """
    both = [name for name in ours if name in theirs or not name.startswith("the model of ")]
    return [
        f"{name} is another than here ({theirs.get(name, 'none')}, here {ours[name]})"
        for name in both
        if theirs.get(name) != ours[name]
    ]


def _programs(campaign: Campaign) -> Iterator[Path]:
    """Those that the cells are run with, without what builds bring."""
    engine, found = campaign.recipe.engine, set[Path]()
    for name in campaign.recipe.workloads:
        life = workloads.of(name).life
        if life == "driver" and not campaign.builds:
            found.add(loading.program(name))
        if life == "dbbench":
            found.add(dbbench.find().path)
    yield from sorted(found)
    if ENGINES[engine].on_server and not campaign.builds:
        server, plugin = binaries.find(engine), ENGINES[engine].served.plugin
        yield server.mariadbd
        if plugin:
            yield server.plugin_dir / plugin


@cache
def _sources() -> str:
    """Of every module and table of waltax, by its place in it."""
    content = hashlib.sha256()
    for path in sorted(_files()):
        name = path.relative_to(_ROOT).as_posix()
        content.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return content.hexdigest()[:_LETTERS]


def _files() -> Iterator[Path]:
    for folder, below, names in os.walk(_ROOT):
        below[:] = [name for name in below if not name.startswith((".", "__"))]
        if Path(folder) == _ROOT:
            below[:] = [name for name in below if name not in _ASIDE]
        yield from (Path(folder, name) for name in names if Path(name).suffix in _SUFFIXES)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LETTERS]
