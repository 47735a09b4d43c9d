"""`waltax sweep-sizes`: a published db_bench study of key and value sizes, log on and off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ... import profiles
from ...cell import workload_of
from ...dbbench.sizes import size
from ...errors import UsageError
from ...runners import typed
from . import dbbench, scaling, shared

if TYPE_CHECKING:
    from rich.console import Console

    from ...profiles import Profile
    from ...runners.campaign import Campaign

_PROFILE = "sweep-sizes"
_DEVICE = "nvme"
_KEYS = 200_000  # 10,000,000 is the study
_MIN_KEYS = 1_000
# Those of the study; the first is what the others' ratios are to.
SIZES = ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400")
BENCHES = ("fillseq", "fillrandom", "readseq", "readrandom")


@click.command()
@click.option(
    "--keys",
    type=click.IntRange(_MIN_KEYS),
    default=_KEYS,
    show_default=True,
    help="In the database, and operations of every slice. 10000000 is the study.",
)
@click.option(
    "--sizes",
    help="Separated by commas: key and value bytes as in k16-v100, or facebook-udb, zippydb, up2x. "
    f"Default: the study's, {','.join(SIZES)}.",
)
@click.option("--bench", help=f"Separated by commas. Default: the study's, {','.join(BENCHES)}.")
@click.option(
    "--wal",
    "durability",
    type=click.Choice(["flush", "sync"]),
    default="flush",
    show_default=True,
    help="When a write is acknowledged. flush is db_bench's default, and the study's.",
)
@typed.devices(f"One, beside off. Default: {_DEVICE}, emulated.")
@click.option("--wal-dir", help="A directory on the real device.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Default: 1, as db_bench has it.")
@click.option("--profile", default=_PROFILE, show_default=True, help="What --keys scales.")
@shared.options
def command(**options: Any) -> None:
    """db_bench over sizes of keys and values, with and without the WAL, as a study had it.

    For every size and benchmark: MB/s, operations/s, total time, compactions, write amplification
    and WAL bytes per operation, each also over the first size's, and what the WAL costs.
    """
    from ...terminal import Terminal

    console = Terminal()
    if options["campaigns"]:
        shared.require_only_drawing(*dbbench.PLACES)
        for folder in options["campaigns"]:
            _print(folder, console)
        return
    campaign = shared.resumed(options)
    if campaign is None:
        campaign = plan(options)
        dbbench.require_disk(campaign, lambda share: _fewer(options["keys"], share))
    shared.refuse_another(campaign, bool(campaign.recipe.sizes), "sweep of sizes")
    raise SystemExit(dbbench.run(campaign, options, console, _report))


def plan(options: dict[str, Any]) -> Campaign:
    """Every size with every benchmark, with the log and without.

    Errors: UsageError for a size, benchmark or device that is none.
    """
    from ...runners import campaign

    sizes = _sizes(options["sizes"])
    benches = dbbench.split("--bench", options["bench"], BENCHES)
    seed = {} if options["seed"] is None else {"seed": options["seed"]}
    with shared.place(options) as folder:
        recipe = campaign.Recipe(
            engine="rocksdb",
            workloads=tuple(map(workload_of, benches)),
            profile=_profile(options["profile"], options["keys"], sizes, folder / "profiles"),
            devices=(dbbench.one_device(options, _DEVICE),),
            durability=options["durability"],
            threads=() if options["threads"] is None else (options["threads"],),
            sizes=sizes,
            wal_dir=options["wal_dir"],
            **seed,
        )
        return campaign.new(recipe, options["results"], options["data_dir"])


def _sizes(asked: str | None) -> tuple[str, ...]:
    found = SIZES if asked is None else tuple(dict.fromkeys(asked.split(",")))
    for one in found:
        try:
            size(one)
        except UsageError as error:
            raise UsageError(f"--sizes: {error}") from error
    return found


def _profile(name: str, keys: int, sizes: tuple[str, ...], folder: Path) -> str:
    """The path of the profile at so many keys."""
    shipped = _sizing_dbbench(profiles.load(name))
    largest = max(size(one).pair_bytes for one in sizes)
    return str(scaling.write(shipped, keys, largest, folder))


def _sizing_dbbench(profile: Profile) -> Profile:
    missing = [one for one in scaling.SHRINKING if one not in profile.embedded.column_family]
    if "dbbench" not in profile.sections or missing:
        found = "no [dbbench]" if "dbbench" not in profile.sections else f"no {missing[0]}"
        raise UsageError(
            f"--profile: {profile.name} has {found}, which --keys scales; take profiles/"
            f"{_PROFILE}.toml as a pattern"
        )
    return profile


def _fewer(keys: int, share: float) -> str:
    """In round numbers, and with a little left."""
    fits = int(0.9 * share * keys)
    rounded = fits // 10 ** (len(str(fits)) - 2) * 10 ** (len(str(fits)) - 2) if fits > 99 else fits
    if rounded < _MIN_KEYS:
        return f"--keys: found {keys:,}, and not even {_MIN_KEYS:,} fit"
    return f"--keys: found {keys:,}; type --keys {rounded} (with make: KEYS={rounded}) or fewer"


def _report(campaign: Campaign, console: Console) -> None:
    _print(campaign.folder, console)


def _print(folder: Path, console: Console) -> None:
    from ...analysis.dbbench import sizes as report

    dbbench.widen(console)
    dbbench.say_files(report.report(folder, console), console)
