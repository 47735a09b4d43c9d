"""Compare what must be the same on all hosts, and list the devices that are real on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ...base import proc
from ...engines import ENGINES
from ...engines.server import binaries
from ..campaign import Campaign
from ..cells.driver import loading
from ..cells.programs import digest

_ROOT = Path(__file__).parents[2]
# Folders of the repository that take no part in measuring.
_ASIDE = {"build", "data", "results", "tests", "bench", "docs"}
_SUFFIXES = {".py", ".toml"}


def facts(campaign: Campaign) -> dict[str, str]:
    """Return this machine's digests by name. Errors: WaltaxError for a missing program."""
    emulated = (place for place in campaign.places() if place.emulated)
    return {
        "waltax": digest(*sorted(_sources())),
        "the profile": campaign.profile.digest,
        "the tap": digest(proc.program("libwaltax_tap.so")),
        **{f"the program {path.name}": digest(path) for path in _programs(campaign)},
        **{f"the build {name}": build.digest for name, build in campaign.builds.items()},
        **{f"the model of {place.device.name}": place.digest for place in emulated},
    }


def differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """Return what differs on another machine, a clause each.

    A device that is real on only one of the two has a model only on the other: see `fleet`.
    """
    return [
        f"{name} is another than here ({theirs.get(name, 'none')}, here {our})"
        for name, our in ours.items()
        if theirs.get(name, our if name.startswith("the model of ") else None) != our
    ]


def real_devices(campaign: Campaign) -> set[str]:
    """Return the campaign's devices that are directories of their own on this machine."""
    real = (place for place in campaign.places() if place.kind == "real")
    return {place.device.name for place in real if not place.with_data}


def _programs(campaign: Campaign) -> Iterator[Path]:
    """Yield the programs that the cells are run with, without those of builds."""
    if campaign.builds:
        return
    for name in campaign.recipe.workloads:
        yield loading.program(name)
    if ENGINES[campaign.recipe.engine].on_server:
        yield from binaries.find(campaign.recipe.engine).files(campaign.recipe.engine)


def _sources() -> Iterator[Path]:
    """Yield every module and table of waltax."""
    for path in _ROOT.iterdir():
        aside = path.name in _ASIDE or path.name.startswith(".")
        below = path.rglob("*") if path.is_dir() and not aside else [path]
        yield from (file for file in below if file.suffix in _SUFFIXES)
