"""`waltax sweep sizes`: a published db_bench study of key and value sizes, with log and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..engines import EMBEDDED
from ..runners.recipe import command_line
from ..workloads.dbbench.sizes import size
from ..workloads.dbbench.workload import SECTION, workload_of
from . import files, head, names, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..profiles import Profile
    from ..runners.campaign import Campaign

_PROFILE = "sweep-sizes"
_DEVICE = "nvme"
_KEYS = 200_000  # the study has 10,000,000
_MIN_KEYS = 1_000
# The study's sizes; ratios are to the first.
SIZES = ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400")
BENCHES = ("fillseq", "fillrandom", "readseq", "readrandom")


@dataclass(frozen=True)
class SizesRequest(Request):
    """`sizes` and `bench` are lists, separated by commas; None for the study's."""

    keys: int = _KEYS
    sizes: str | None = None
    bench: str | None = None


def plan(request: SizesRequest, _say: Say) -> Sequence[Campaign]:
    """Plan every size with every benchmark, with the log and without.

    Errors: UsageError for an invalid size, benchmark or device.
    """
    sizes = _sizes(request.sizes)
    benches = names.several("--bench", request.bench, BENCHES)
    with files.place(request) as folder:
        recipe = replace(
            request.recipe(STUDY.kind),
            workloads=tuple(map(workload_of, benches)),
            profile=_profile(request.profile, request.keys, sizes, folder / "profiles"),
            devices=(names.one_device(request.devices, _DEVICE),),
            sizes=sizes,
        )
        return [request.campaign(recipe)]


def _sizes(typed_sizes: str | None) -> tuple[str, ...]:
    named = SIZES if typed_sizes is None else tuple(dict.fromkeys(typed_sizes.split(",")))
    for name in named:
        try:
            size(name)
        except UsageError as error:
            raise UsageError(f"--sizes: {error}") from error
    return named


def _profile(name: str, keys: int, sizes: tuple[str, ...], folder: Path) -> str:
    """Write the profile at this number of keys, and return its path."""
    from .. import profiles
    from . import profile_scale

    shipped = _sizing_db_bench(profiles.load(name))
    largest = max(size(name).pair_bytes for name in sizes)
    return str(profile_scale.write(profile_scale.at_keys(shipped, keys, largest), folder))


def _sizing_db_bench(profile: Profile) -> Profile:
    from . import profile_scale

    missing = [
        name for name in profile_scale.SHRINKING if name not in profile.embedded.column_family
    ]
    sized = SECTION in profile.sections
    if not sized or missing:
        found = f"no {missing[0]}" if sized else f"no [{SECTION}]"
        raise UsageError(
            f"--profile: {profile.name} has {found}, which --keys scales; take profiles/"
            f"{_PROFILE}.toml as a pattern"
        )
    return profile


def _fewer(campaign: Campaign, share: float) -> str:
    """Advise a number of keys that fits, rounded down and with a margin."""
    keys = int(campaign.profile.workload(campaign.recipe.workloads[0]).load["num"])
    fits = int(0.9 * share * keys)
    rounded = fits // 10 ** (len(str(fits)) - 2) * 10 ** (len(str(fits)) - 2) if fits > 99 else fits
    if rounded < _MIN_KEYS:
        return f"--keys: found {keys:,}, and not even {_MIN_KEYS:,} fit"
    return f"--keys: found {keys:,}; type --keys {rounded} or fewer"


STUDY = Study(
    kind="sweep-sizes",
    noun="sweep of sizes",
    about="The report has, for every size and benchmark, MB/s, operations/s, total time, "
    "compactions, write amplification and WAL bytes per operation, each also relative to the first "
    "size, and what the WAL costs.",
    request=SizesRequest,
    options=(
        options.number(
            "--keys",
            _KEYS,
            (_MIN_KEYS, None),
            "Keys in the database, and operations in every slice. The study has 10000000.",
        ),
        click.option(
            "--sizes",
            help="Sizes, separated by commas: bytes of key and value, as k16-v100, or "
            f"facebook-udb, zippydb, up2x. Default: the study's, {','.join(SIZES)}.",
        ),
        click.option("--bench", help=f"Benchmarks. Default: the study's, {','.join(BENCHES)}."),
        options.engine([EMBEDDED], "db_bench contains RocksDB."),
        options.durability(
            "When a write is acknowledged. flush is db_bench's default, and the study's.",
            ["flush", "sync"],
            "flush",
        ),
        command_line.devices(f"One device, compared with off. Default: {_DEVICE}, emulated."),
        options.wal_dir("Directory for the log on the real device."),
        options.threads("Number of clients. Default: 1, as in db_bench."),
        options.profile(_PROFILE, "The profile that --keys scales."),
    ),
    plan=plan,
    head=head.turns,
    shows_overheads=False,
    report=reported("sizes", each=True),
    smaller=_fewer,
)
