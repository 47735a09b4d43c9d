"""A profile and its strict reading from TOML."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import UsageError

FOLDER = Path(__file__).parent
Parameter = str | int | float | bool


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Timing(_Strict):
    """How a campaign spends its time. Every figure is in seconds but the counts."""

    measure_s: float = Field(gt=0, description="one slice's measured part")
    warmup_s: float = Field(ge=0, description="before each measured part")
    settle_s: float = Field(ge=0, description="warm-up of a fresh process's first slice")
    rounds_per_session: int = Field(ge=1)
    min_sessions: int = Field(ge=3, description="state a process is born with varies by session")
    time_budget_s: float = Field(gt=0, description="of slices of one workload, at most")
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
    linkbench: Workload
    tpcc: Workload
    digest: str = Field(default="", description="of the file, so that --resume sees a change")

    def workload(self, name: str) -> Workload:
        """The section of one of `cell.WORKLOADS`."""
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
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            break
        model = annotation
    return ", ".join(name for name in model.model_fields if name != "digest")
