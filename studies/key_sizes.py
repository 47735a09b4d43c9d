"""`waltax sweep sizes`: a published db_bench study of key and value sizes, with log and without."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..engines import EMBEDDED
from ..runners.recipe import command_line
from ..workloads.dbbench.sizes import size
from ..workloads.dbbench.workload import workload_of
from . import names, options
from .request import Request
from .study import Study, planned, reported

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_PROFILE = "sweep-sizes"
_DEVICE = "nvme"
# The study's sizes; ratios are to the first.
SIZES = ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400")
BENCHES = ("fillseq", "fillrandom", "readseq", "readrandom")
_WORKLOADS = {name: workload_of(name) for name in BENCHES}


@dataclass(frozen=True)
class SizesRequest(Request):
    """`sizes` are of keys and values."""

    sizes: tuple[str, ...] = SIZES


def _recipe(request: SizesRequest) -> Recipe:
    """Return the recipe of every size with every benchmark, with the log and without."""
    return replace(
        request.recipe(STUDY.kind),
        devices=(names.one_device(request.devices, _DEVICE),),
        sizes=request.sizes,
    )


def _sizes(_context: click.Context, _option: click.Parameter, typed: str) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(typed.split(",")))
    for name in named:
        try:
            size(name)
        except UsageError as error:
            raise UsageError(f"--sizes: {error}") from error
    return named


STUDY = Study(
    kind="sweep-sizes",
    noun="sweep of sizes",
    about="The report has, for every size and benchmark, MB/s, operations/s, total time, "
    "compactions, write amplification and WAL bytes per operation, each also relative to the first "
    "size, and what the WAL costs.",
    request=SizesRequest,
    options=(
        options.gone(
            "--keys",
            f"found {{}}, which profiles say now: type --profile {_PROFILE}-full for the study's "
            f"10,000,000, or change num and operations in a copy of profiles/{_PROFILE}.toml",
        ),
        click.option(
            "--sizes",
            callback=_sizes,
            default=",".join(SIZES),
            show_default=True,
            help="Sizes, separated by commas: bytes of key and value, as k16-v100, or "
            "facebook-udb, zippydb, up2x. The default is the study's.",
        ),
        command_line.listed("--bench", "workloads", _WORKLOADS, BENCHES, "Benchmarks of db_bench."),
        options.engine([EMBEDDED], "db_bench contains RocksDB."),
        options.durability(
            "When a write is acknowledged. flush is db_bench's default, and the study's.",
            ["flush", "sync"],
            "flush",
        ),
        command_line.devices(f"One device, compared with off. Default: {_DEVICE}, emulated."),
        options.wal_dir("Directory for the log on the real device."),
        options.threads("Number of clients. Default: 1, as in db_bench."),
        options.profile(
            _PROFILE, f"Size: 200,000 keys; {_PROFILE}-full has the study's 10,000,000."
        ),
    ),
    plan=planned(_recipe),
    shows_overheads=False,
    report=reported("sizes", each=True),
)
