"""fio's JSON, read strictly: what is needed has its type, and the rest is left out.

Times are nanoseconds in fio's JSON and microseconds in what is returned.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...base import strictjson
from ...base.printable import shorten
from ..quantiles import Bins, Pairs, table


class _Read(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


def _nanoseconds(name: object) -> int:
    """Return the middle of a bin, which is a name in JSON."""
    if not isinstance(name, str) or re.fullmatch("[0-9]{1,18}", name) is None:
        raise ValueError(f"found {shorten(str(name))!r}, want a bin in whole nanoseconds")
    return int(name)


# A count beyond 64 bits, or a time of years in nanoseconds, cannot be genuine.
Count = Annotated[int, Field(ge=0, lt=2**63)]
Amount = Annotated[float, Field(ge=0, lt=1e18, allow_inf_nan=False)]
Bin = Annotated[int, BeforeValidator(_nanoseconds)]


class FioTimes(_Read):
    """A distribution of times: bins (`json+`), or percentiles alone."""

    N: Count
    mean: Amount
    min: Amount = 0.0
    bins: dict[Bin, Count] = Field(default_factory=dict)
    percentile: dict[str, Amount] = Field(default_factory=dict)

    @property
    def mean_us(self) -> float:
        """The mean, in us."""
        return self.mean / 1000

    def bins_us(self) -> Bins:
        """Return the bins, rising, as (us, count) pairs."""
        return sorted((ns / 1000, count) for ns, count in self.bins.items())

    def pairs(self) -> Pairs:
        """Return (percent, us) pairs. Ends of bins may lie beyond the maximum; fio prints them."""
        if self.bins:
            pairs = table(self.bins_us())[:-1]
        else:
            pairs = [(float(percent), ns / 1000) for percent, ns in self.percentile.items()]
        low = min([self.min / 1000, *(us for _, us in pairs)])  # a bin's middle may lie below it
        return [(0.0, low), *sorted(pairs)]


_NONE = FioTimes(N=0, mean=0.0)


class FioWrites(_Read):
    """The writes of a job; `clat_ns` are the times of the calls."""

    total_ios: Count = 0
    iops: Amount = 0.0
    clat_ns: FioTimes = _NONE


class FioJob(_Read):
    """A job or a group of jobs; `ctx` counts how often its writers left their CPU."""

    jobname: str
    groupid: Count = 0
    options: dict[str, str] = Field(validation_alias="job options", default_factory=dict)
    job_runtime: Count = 0
    usr_cpu: Amount = 0.0
    sys_cpu: Amount = 0.0
    ctx: Count = 0
    write: FioWrites = FioWrites()
    synced: FioTimes = Field(validation_alias=AliasPath("sync", "lat_ns"), default=_NONE)


class FioRun(_Read):
    """All that fio said; `common` are the options of every job."""

    version: str = Field(validation_alias="fio version")
    common: dict[str, str] = Field(validation_alias="global options", default_factory=dict)
    jobs: tuple[FioJob, ...] = Field(strict=False, min_length=1)


def parse(text: str) -> FioRun:
    """Return the run in the text, which may have notes before the JSON and behind it.

    Errors: ValueError, in one line.
    """
    found = re.search(r"^\{.*?^\}", text, re.MULTILINE | re.DOTALL)
    if found is None:
        lines = len(text.rstrip().split("\n"))
        raise ValueError(f"its JSON ends in line {lines}, before its end; copy the whole file")
    try:
        return FioRun.model_validate(strictjson.loads(found[0]))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(shorten(str(part)) for part in problem["loc"])
        raise ValueError(f"{where}: {problem['msg'].removeprefix('Value error, ')}") from error
