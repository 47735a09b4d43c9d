"""The [probe] table of a device file: the circumstances and evidence of a measured model.

Nothing of it reaches the tap. It names no directory and no host, so that a file can be passed on.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

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


class ProbedJobs(Strict):
    """So many writers at once, each with a preallocated file of its own."""

    jobs: Annotated[int, Field(gt=0)]
    bytes: Size
    syncs_per_s: Amount
    sync_us_p50: MicroSeconds
    sync_us_p99: MicroSeconds

    @model_validator(mode="after")
    def _rise(self) -> Self:
        _require_rise(self.sync_us_p50, self.sync_us_p99)
        return self


class ProbedShared(Strict):
    """One writer beside another that writes large files to the same device at this rate.

    `alone_us_mean` is the same writer's mean without that.
    """

    bytes: Size
    background_mb_per_s: Amount
    sync_us_p50: MicroSeconds
    sync_us_p99: MicroSeconds
    sync_us_mean: MicroSeconds
    alone_us_mean: MicroSeconds

    @model_validator(mode="after")
    def _rise(self) -> Self:
        _require_rise(self.sync_us_p50, self.sync_us_p99)
        return self


def _require_rise(p50: float, p99: float) -> None:
    if p50 > p99:
        raise ValueError(f"sync_us_p50 = {p50:g} is above sync_us_p99 = {p99:g}")


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
    jobs: Annotated[tuple[ProbedJobs, ...], Field(strict=False)] = ()
    shared: ProbedShared | None = None
