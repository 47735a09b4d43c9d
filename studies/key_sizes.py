"""`waltax sweep sizes`: what the log costs at several sizes of keys and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..engines import EMBEDDED
from ..runners.recipe import command_line
from . import names, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_PROFILE = "sweep-sizes"
_DEVICE = "nvme"
# A published study's sizes and benchmarks; ratios are to the smallest size.
_SIZES = "k16-v100,k32-v100,k64-v100,k16-v200,k16-v400"
_BENCHES = {
    "fillseq": "kv-fillseq",
    "fillrandom": "kv-fillrandom",
    "readseq": "kv-read-seq",
    "readrandom": "kv-read-random",
}
_SIZE = re.compile(r"k(\d{1,4})-v(\d{1,7})")
_MIN_KEY, _MAX_KEY, _MAX_VALUE = 8, 1024, 1 << 20


@dataclass(frozen=True)
class SizesRequest(Request):
    """`sizes` is a list, separated by commas; `benches` are workloads of ours."""

    sizes: str = _SIZES
    benches: tuple[str, ...] = tuple(_BENCHES.values())


def plan(request: SizesRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign for each benchmark, in which all sizes take turns with the log and without.

    Errors: UsageError for an invalid size or device.
    """
    sizes = tuple(dict.fromkeys(request.sizes.split(",")))
    device = names.one_device(request.devices, _DEVICE)
    planned = []
    for bench in request.benches:
        mixes = {f"{bench}-{size}": sized(bench, size) for size in sizes}
        workloads.add_mixes(mixes)
        recipe = replace(
            request.recipe(STUDY.kind), workloads=tuple(mixes), mixes=mixes, devices=(device,)
        )
        planned.append(request.campaign(recipe))
    return planned


def sized(workload: str, size: str) -> str:
    """Return the file of a workload of ours with keys and values of a size. Errors: UsageError."""
    match = _SIZE.fullmatch(size)
    key, value = map(int, match.groups()) if match else (0, 0)
    if not (_MIN_KEY <= key <= _MAX_KEY and 1 <= value <= _MAX_VALUE):
        raise UsageError(
            f"--sizes: found {size!r}; type bytes of key and value as in k16-v100, of "
            f"{_MIN_KEY} to {_MAX_KEY:,} and of 1 to {_MAX_VALUE:,}"
        )
    record = workloads.WORKLOADS[workload]
    text = record.text.replace(f'"{record.title}"', f'"{record.title} {size}"')
    return text.replace("bytes = 16", f"bytes = {key}").replace("size = 100", f"size = {value}")


STUDY = Study(
    kind="sweep-sizes",
    noun="sweep of sizes",
    about="Each benchmark has a campaign, in which all sizes take turns, with the log and without. "
    "The report has operations/s and MB/s, also relative to the smallest size, write amplification "
    "and WAL bytes per operation, and what the WAL costs.",
    request=SizesRequest,
    options=(
        click.option(
            "--sizes",
            default=_SIZES,
            show_default=True,
            help="Bytes of key and value, separated by commas.",
        ),
        command_line.listed("--bench", "benches", _BENCHES, _BENCHES, "Benchmarks."),
        options.engine([EMBEDDED], "RocksDB in the driver's process."),
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
