"""The [probe] table of a device file: the circumstances and evidence of a measured model.

Nothing of it reaches the tap. It names no directory and no host, so that a file can be passed on.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ..tomlfile import Strict, matching

# Bounds that no device comes near: beyond them a figure is a slip of the pen or of a unit, and
# the tap's 64 bits of nanoseconds would not hold what is computed from it.
Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
MicroSeconds = Annotated[float, Field(ge=0, le=60e6, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=10**18)]
Size = Annotated[int, Field(gt=0, le=1 << 40)]
Word = Literal["yes", "no", "unknown"]


class ProbedDirectory(Strict):
    """The file system that was probed; words as `waltax devices check` has them."""

    fs_type: str
    journal: str
    barriers: str
    dax: str
    mount_options: Annotated[tuple[str, ...], Field(strict=False)]
    layers: Annotated[tuple[str, ...], Field(strict=False)]


class ProbedDisk(Strict):
    """One whole disk below it; "unknown" where the kernel does not say."""

    name: str
    model: str
    bus: str
    device_class: Annotated[str, Field(alias="class")]
    write_cache: str
    fua: Word
    rotational: Word
    scheduler: str


class Probe(Strict):
    """What was seen besides the model.

    `spread_percent`: range of a size's median over the repeats, in percent of it; the median over
    the sizes. `foreign_cpu_cores`: CPUs busy for others, the mean over the jobs.
    `bytes_written`: what fio handed to the file system.
    """

    date: Annotated[str, matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a day as 2026-11-21")]
    fio: str
    kernel: str
    cpus: Annotated[int, Field(gt=0)]
    seconds: Amount
    bytes_written: Count
    preallocated_bytes: Count
    spread_percent: Amount
    foreign_cpu_cores: Amount
    sequential_mb_per_s: Amount
    warnings: Annotated[tuple[str, ...], Field(strict=False)]
    directory: ProbedDirectory
    disk: Annotated[tuple[ProbedDisk, ...], Field(strict=False)] = ()
    # Which files of older probes have, and nothing reads.
    jobs: Any = Field(default=None, exclude=True)
    shared: Any = Field(default=None, exclude=True)
