"""Finding fio, running one job, and reading its answer strictly.

fio's JSON is not trusted: what is needed must be present, have the right type, and add up. Times
are nanoseconds in fio's answer and microseconds here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...base import proc, strictjson
from ...base.errors import WaltaxError
from ...base.printable import shorten
from .jobs import Job, command
from .quantiles import Bins, at

OLDEST = (3, 33)
_INSTALL = "install fio 3.33 or newer (Debian 12: apt-get install fio), or name it with --fio"
_PATIENCE_S = 120.0  # beyond the job's own time, for a slow disk's last flush


@dataclass(frozen=True)
class Fio:
    """The program and its version, such as "3.33"."""

    path: Path
    version: str


@dataclass(frozen=True)
class Answer:
    """fio's figures for one group of writers, taken together.

    `bins` are pairs of the middle of a bin of sync times (us, 1.6 % wide) and its count. `cpu_s` is
    the CPU time of the writers, `switches` how often one left its CPU. `write_us` is the median,
    because the mean includes moments in which others had the CPU.
    """

    writes: int
    writes_per_s: float
    write_mean_us: float
    write_us: float
    syncs: int
    sync_mean_us: float
    bins: Bins
    cpu_s: float
    switches: int


def find(path: Path | None = None) -> Fio:
    """Return fio at `path`, or from PATH. Errors: WaltaxError when it is missing or too old."""
    name = str(path or "fio")
    program = shutil.which(name)
    if program is None:
        raise WaltaxError(f"{name}: not found; {_INSTALL}")
    try:
        said = proc.run([program, "--version"], timeout_s=10).strip()
    except (OSError, proc.TimedOut) as error:
        raise WaltaxError(f"{program}: cannot be run: {error}; {_INSTALL}") from error
    match = re.fullmatch(r"fio-((\d+)\.(\d+)\S*)", said)
    if match is None:
        raise WaltaxError(f"{program}: says it is {said!r}, want fio-3.33 or newer; {_INSTALL}")
    if (int(match[2]), int(match[3])) < OLDEST:
        raise WaltaxError(f"{program}: version {match[1]} is too old; {_INSTALL}")
    return Fio(Path(program).absolute(), match[1])


def run(fio: Fio, job: Job, directory: Path) -> Answer:
    """Run the job with its files in `directory` and return its writers' answer.

    fio dies with us, and is killed when we are interrupted. Errors: WaltaxError with fio's message.
    """
    pipe, argv = subprocess.PIPE, command(job, directory, fio.path)
    with proc.launched_group(argv, cwd=directory, stdout=pipe, stderr=pipe) as child:
        try:
            out, said = child.communicate(timeout=job.seconds + _PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise WaltaxError(
                f"fio ({job.label}) still runs {_PATIENCE_S:.0f} s after its time: "
                f"{proc.standing(child.pid)}; the device hangs, or is too slow to probe"
            ) from error
    if child.returncode < 0:
        how = proc.how_ended(child.returncode)
        raise WaltaxError(f"fio ({job.label}) was {how}; no device file was written")
    return read(out.decode(errors="replace"), said.decode(errors="replace"), job, child.returncode)


class Read(BaseModel):
    """A table of fio's JSON: what is needed has its type, and the rest is left out."""

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


def _at(table: str, key: str) -> Any:
    """Declare a field that fio nests in a table of the group."""
    return Field(validation_alias=AliasPath(table, key))


class _Times(Read):
    N: Count
    mean: Amount
    bins: dict[Bin, Count] = {}


class _Group(Read):
    error: Annotated[int, Field(ge=-(2**31), lt=2**31)]
    job_runtime: Count
    usr_cpu: Amount
    sys_cpu: Amount
    ctx: Count
    writes: Annotated[Count, _at("write", "total_ios")]
    writes_per_s: Annotated[Amount, _at("write", "iops")]
    written: Annotated[_Times, _at("write", "clat_ns")]
    synced: Annotated[_Times, _at("sync", "lat_ns")] = _Times(N=0, mean=0.0)


class _Document(Read):
    jobs: tuple[_Group, ...] = Field(strict=False, min_length=1)


def read(out: str, said: str, job: Job, code: int = 0) -> Answer:
    """Return the answer in fio's standard output `out`; `said` is its standard error.

    fio prints notes before the JSON. Errors: WaltaxError.
    """
    notes, brace, text = out.partition("{")
    heard = shorten(" ".join((notes + " " + said).split()), 500) or "no message"
    try:
        document = _Document.model_validate(strictjson.loads(brace + text))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(shorten(str(part)) for part in problem["loc"])
        what = problem["msg"].removeprefix("Value error, ")
        raise WaltaxError(
            f"fio ({job.label}): its JSON is not as expected: {where}: {what}"
        ) from error
    except ValueError as error:
        why = f"no JSON ({shorten(str(error))})" if brace else "no JSON"
        raise WaltaxError(f"fio ({job.label}): exit code {code}, {why}: {heard}") from error
    for group in document.jobs:
        if group.error:
            raise WaltaxError(f"fio ({job.label}): {os.strerror(group.error)}: {heard}")
    if code:
        raise WaltaxError(f"fio ({job.label}): exit code {code}: {heard}")
    return _answer(document.jobs[0], job)


def _answer(group: _Group, job: Job) -> Answer:
    answer = Answer(
        writes=group.writes,
        writes_per_s=group.writes_per_s,
        write_mean_us=group.written.mean / 1000,
        write_us=_median_us(group.written),
        syncs=group.synced.N,
        sync_mean_us=group.synced.mean / 1000,
        bins=_bins(group.synced),
        cpu_s=(group.usr_cpu + group.sys_cpu) / 100 * group.job_runtime / 1000,
        switches=group.ctx,
    )
    _require_sums(answer, job)
    return answer


def _bins(times: _Times) -> Bins:
    return tuple(sorted((ns / 1000, count) for ns, count in times.bins.items()))


def _median_us(times: _Times) -> float:
    """Return the median of the bins in us, or the mean if fio keeps none."""
    return at(_bins(times), [50])[0] if times.bins else times.mean / 1000


def _require_sums(answer: Answer, job: Job) -> None:
    """Raise WaltaxError for an answer that does not add up to the job."""
    wanted = 0 if job.kind in ("write", "sequential") else answer.writes
    if answer.writes == 0:
        raise WaltaxError(f"fio ({job.label}): wrote nothing")
    # A writer may end before its last sync, and one that wraps around its file adds some.
    if abs(answer.syncs - wanted) > 1 + wanted / 100:
        raise WaltaxError(
            f"fio ({job.label}): {answer.syncs:,} syncs after {answer.writes:,} writes, want one "
            "each"
        )
    binned = sum(count for _, count in answer.bins)
    if binned != answer.syncs:
        raise WaltaxError(f"fio ({job.label}): {binned:,} binned of {answer.syncs:,} syncs")
