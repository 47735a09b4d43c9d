"""A profile and its strict reading from TOML."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..cell import WORKLOADS
from ..errors import UsageError

FOLDER = Path(__file__).parent
Parameter = str | int | float | bool
# TPC-C's longest pause: a think time of ten times the mean of 12 s (clause 5.2.5.4). In a
# shorter slice the transactions with the long pauses would be missing from the mix.
_PACED_SLICE_S = 120.0


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Timing(_Strict):
    """How a campaign spends its time. Every figure is in seconds but the counts."""

    measure_s: float = Field(gt=0, description="one slice's measured part")
    warmup_s: float = Field(ge=0, description="before each measured part")
    settle_s: float = Field(ge=0, description="warm-up of a fresh process's first slice")
    rounds_per_session: int = Field(ge=1)
    min_sessions: int = Field(ge=3, description="state a process is born with varies by session")
    time_budget_s: float = Field(gt=0, description="of one workload's slices: it then rests")
    target_half_width: float = Field(
        gt=0, lt=1, description="of every overhead's 95 % interval, as a fraction"
    )


class Rocksdb(_Strict):
    """How RocksDB is set: `flags` of the driver, and sections of its OPTIONS file."""

    block_cache_mb: int = Field(gt=0)
    max_total_wal_mb: int = Field(
        gt=0, description="live WAL at most, per cell; memory if emulated"
    )
    db: dict[str, Parameter] = {}
    column_family: dict[str, Parameter] = {}
    table: dict[str, Parameter] = {}
    flags: dict[str, Parameter] = {}


_OURS = {"db", "wal_dir", "durability", "threads", "seed", "store", "stats_level"}


class Workload(_Strict):
    """One workload's size: its driver's flags, with `_` for `-`."""

    note: str = Field(description="what a reader of the table must know of this size")
    data_mb: int = Field(gt=0, description="about what one loaded copy takes on disk")
    threads: int | None = Field(default=None, ge=1, description="instead of the profile's")
    load: dict[str, Parameter] = Field(description="what the data set is loaded with")
    run: dict[str, Parameter] = {}
    column_family: dict[str, Parameter] = Field(
        default={}, description="of RocksDB, instead of or beside the profile's"
    )

    @field_validator("load", "run")
    @classmethod
    def _not_ours(cls, parameters: dict[str, Parameter]) -> dict[str, Parameter]:
        ours = sorted(_OURS & set(parameters))
        if ours:
            raise ValueError(f"{', '.join(ours)}: set by waltax itself; leave it out")
        return parameters


class Profile(_Strict):
    """One file of `profiles/`."""

    name: str = Field(pattern="^[a-z0-9-]+$", description="part of file names")
    title: str
    threads: int = Field(ge=1)
    timing: Timing
    rocksdb: Rocksdb
    linkbench: Workload | None = None
    tpcc: Workload | None = None
    digest: str = Field(default="", description="of the file, so that --resume sees a change")

    @property
    def workloads(self) -> tuple[str, ...]:
        """Those of `cell.WORKLOADS` that it sizes."""
        return tuple(name for name in WORKLOADS if self._section(name) is not None)

    def workload(self, name: str) -> Workload:
        """The section of one of `cell.WORKLOADS`. Errors: UsageError when there is none."""
        section = self._section(name)
        if section is None:
            raise UsageError(
                f"--workload: found {name}, which profile {self.name} does not size; "
                f"add [{name}], as in profiles/quick.toml"
            )
        return section

    def _section(self, name: str) -> Workload | None:
        return {"linkbench": self.linkbench, "tpcc": self.tpcc}[name]

    def threads_of(self, workload: str) -> int:
        return self.workload(workload).threads or self.threads


def names() -> list[str]:
    """The profiles of this folder."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Profile:
    """Read one profile by name, or a TOML of the user's by path.

    Errors: UsageError naming the file, the key, what was found and what is accepted.
    """
    path = _path(name)
    text = path.read_bytes()
    try:
        table = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    try:
        profile = Profile(**table)
    except (ValidationError, TypeError) as error:
        raise UsageError(_explain(path, error)) from error
    if path.parent != FOLDER and profile.name in names():
        raise UsageError(
            f"{path}: name: found {profile.name!r}, which is a shipped profile's; choose another"
        )
    _refuse_no_workload(path, profile)
    _refuse_short_paced_slices(path, profile)
    return profile.model_copy(update={"digest": hashlib.sha256(text).hexdigest()[:12]})


def _path(name: str) -> Path:
    if name.endswith(".toml") and Path(name).is_file():
        return Path(name)
    if re.fullmatch(r"[a-z0-9-]+", name) and (FOLDER / f"{name}.toml").is_file():
        return FOLDER / f"{name}.toml"
    raise UsageError(
        f"--profile: found {name!r}; one of {', '.join(names())} (profiles/*.toml), "
        "or the path of a TOML of yours"
    )


def _refuse_no_workload(path: Path, profile: Profile) -> None:
    if not profile.workloads:
        tables = " or ".join(f"[{name}]" for name in WORKLOADS)
        raise UsageError(f"{path}: found no workload; add {tables}, as in profiles/quick.toml")


def _refuse_short_paced_slices(path: Path, profile: Profile) -> None:
    measure_s = profile.timing.measure_s
    paced = profile.tpcc is not None and profile.tpcc.run.get("paced", False)
    if paced and measure_s < _PACED_SLICE_S:
        raise UsageError(
            f"{path}: tpcc.run.paced: found true with timing.measure_s = {measure_s:g}; a paced "
            f"transaction can need {_PACED_SLICE_S:g} s: leave paced out, and type: "
            "waltax tpcc run --paced"
        )


def _explain(path: Path, error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return f"{path}: {error}"
    lines = []
    for problem in error.errors():
        key = ".".join(str(part) for part in problem["loc"])
        found = problem.get("input")
        if problem["type"] == "extra_forbidden":
            lines.append(f"{path}: {key}: unknown key; accepted here: {_accepted(problem['loc'])}")
        elif problem["type"] == "missing":
            lines.append(f"{path}: {key}: missing")
        else:
            lines.append(f"{path}: {key}: found {found!r}; {problem['msg'].lower()}")
    return "\n".join(lines)


def _accepted(location: tuple[int | str, ...]) -> str:
    """The keys of the table that `location` points into."""
    model: type[BaseModel] = Profile
    for part in location[:-1]:
        annotation = model.model_fields[str(part)].annotation
        of = (annotation, *get_args(annotation))  # a table that may be left out is `... | None`
        tables = [one for one in of if isinstance(one, type) and issubclass(one, BaseModel)]
        if not tables:
            break
        model = tables[0]
    return ", ".join(name for name in model.model_fields if name != "digest")
