"""`waltax sweep sizes`: a published db_bench study of key and value sizes, with log and without."""

from __future__ import annotations

from collections.abc import Sequence
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
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_PROFILE = "sweep-sizes"
_DEVICE = "nvme"
# The study's sizes; ratios are to the first.
SIZES = ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400")
BENCHES = ("fillseq", "fillrandom", "readseq", "readrandom")


@dataclass(frozen=True)
class SizesRequest(Request):
    """`sizes` and `bench` are lists, separated by commas; None for the study's."""

    sizes: str | None = None
    bench: str | None = None


def plan(request: SizesRequest, _say: Say) -> Sequence[Campaign]:
    """Plan every size with every benchmark, with the log and without.

    Errors: UsageError for an invalid size, benchmark or device.
    """
    benches = names.several("--bench", request.bench, BENCHES)
    recipe = replace(
        request.recipe(STUDY.kind),
        workloads=tuple(map(workload_of, benches)),
        devices=(names.one_device(request.devices, _DEVICE),),
        sizes=_sizes(request.sizes),
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
        options.profile(
            _PROFILE, f"Size: 200,000 keys; {_PROFILE}-full has the study's 10,000,000."
        ),
    ),
    plan=plan,
    shows_overheads=False,
    report=reported("sizes", each=True),
)
