"""What was seen of a device beside its model: in other states of the drive, and by the probe."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..base.tomlfile import Strict, matching

# Bounds that no device comes near: a figure beyond them is a typo or has the wrong unit, and values
# computed from it would overflow the tap's 64 bits of nanoseconds.
Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]


class Spread(Strict):
    """The [spread] table: the same drive in other states, such as worn or freshly trimmed.

    `fastest` and `slowest` say how many times as long a sync took there on average as in the model.
    """

    fastest: Annotated[float, Field(gt=0, le=1)]
    slowest: Annotated[float, Field(ge=1, le=1e6)]
    source: str


class Probe(Strict, extra="ignore"):
    """The [probe] table: what the probe saw besides the model. The tap does not use it.

    It names no directory and no host, so that a file can be passed on. `fs_type` and `journal` are
    as in `waltax devices check`. `spread_percent` is the range of a size's median over the repeats,
    in percent of it; the median over the sizes. `foreign_cpu_cores` is the number of CPUs busy for
    others, the mean over the jobs. Files of older probes have further keys, which are ignored.
    """

    date: Annotated[str, matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a day as 2026-11-21")]
    fio: str
    cpus: Annotated[int, Field(gt=0)]
    fs_type: str = "unknown"
    journal: str = "unknown"
    spread_percent: Amount
    foreign_cpu_cores: Amount
    sequential_mb_per_s: Amount
    warnings: Annotated[tuple[str, ...], Field(strict=False)]
