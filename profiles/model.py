"""What a profile says: the model of one TOML file of this folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from ..cell import ENGINES, WORKLOADS, bench_of
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


_OURS = {"db", "wal_dir", "durability", "threads", "seed", "store", "stats_level", "socket"}
# Variables of a server that a cell's mode and place decide.
_OURS_OF_A_SERVER = {
    *("datadir", "socket", "tmpdir", "user", "port", "log_error", "plugin_dir", "log_bin"),
    *("rocksdb_wal_dir", "rocksdb_flush_log_at_trx_commit", "rocksdb_manual_wal_flush"),
    *("rocksdb_write_disable_wal", "rocksdb_datadir"),
    *("innodb_log_group_home_dir", "innodb_flush_log_at_trx_commit"),
}


def _no_variable_of_ours(settings: dict[str, Parameter]) -> dict[str, Parameter]:
    ours = sorted(_OURS_OF_A_SERVER & set(settings))
    if ours:
        raise ValueError(f"{', '.join(ours)}: set by waltax for each cell; leave it out")
    wrong = [name for name in settings if not re.fullmatch(r"[a-z0-9_]+", name)]
    if wrong:
        raise ValueError(f"{wrong[0]}: variables are in small letters with `_`, as SHOW has them")
    return settings


# Variables of a server, as its SHOW GLOBAL VARIABLES names them, with my.cnf's values.
Server = Annotated[dict[str, Parameter], AfterValidator(_no_variable_of_ours)]


class Workload(_Strict):
    """One workload's size: its driver's flags, with `_` for `-`."""

    data_mb: int = Field(gt=0, description="about what one loaded copy takes on disk")
    threads: int | None = Field(default=None, ge=1, description="instead of the profile's")
    load: dict[str, Parameter] = Field(description="what the data set is loaded with")
    run: dict[str, Parameter] = {}
    column_family: dict[str, Parameter] = Field(
        default={}, description="of RocksDB, instead of or beside the profile's"
    )
    server: Server = Field(default={}, description="instead of or beside the profile's")

    @field_validator("load", "run")
    @classmethod
    def _not_ours(cls, parameters: dict[str, Parameter]) -> dict[str, Parameter]:
        ours = sorted(_OURS & set(parameters))
        if ours:
            raise ValueError(f"{', '.join(ours)}: set by waltax itself; leave it out")
        return parameters


class Profile(_Strict):
    """One file of `profiles/`."""

    name: str = Field(
        pattern="^[a-z0-9-]+([.][0-9]+)?$", description="of the size: part of file names"
    )
    title: str
    engine: str = Field(default="rocksdb", description="a key of `cell.ENGINES`")
    threads: int = Field(ge=1)
    timing: Timing
    rocksdb: Rocksdb | None = Field(default=None, description="of the embedded engine only")
    server: Server = Field(default={}, description="of an engine on a server only")
    linkbench: Workload | None = None
    tpcc: Workload | None = None
    dbbench: Workload | None = Field(default=None, description="all benchmarks of db_bench")
    digest: str = Field(default="", description="of the file, so that --resume sees a change")

    @model_validator(mode="after")
    def _of_its_engine(self) -> Self:
        """Errors: ValueError for the tables of another kind of engine."""
        if self.engine not in ENGINES:
            raise ValueError(f"engine: found {self.engine!r}; one of {', '.join(ENGINES)}")
        found = [self.workload(name) for name in self.workloads]
        if self.dbbench is not None and self.engine != "rocksdb":
            raise ValueError(
                f"dbbench: found with engine {self.engine}; db_bench has RocksDB inside"
            )
        if self.engine == "rocksdb":
            if self.rocksdb is None:
                raise ValueError("rocksdb: missing; the embedded engine takes its settings there")
            if self.server or any(one.server for one in found):
                raise ValueError("server: found with engine rocksdb, which has none; leave it out")
        elif self.rocksdb is not None or any(one.column_family for one in found):
            raise ValueError(
                f"rocksdb, column_family: found with engine {self.engine}, which is set by its "
                "server's variables; give them in [server]"
            )
        return self

    @property
    def embedded(self) -> Rocksdb:
        """REQUIRES: its engine is the embedded one."""
        assert self.rocksdb is not None
        return self.rocksdb

    def server_settings(self, workload: str) -> dict[str, Parameter]:
        """The server's variables for a workload."""
        return {**self.server, **self.workload(workload).server}

    @property
    def workloads(self) -> tuple[str, ...]:
        """Those of `cell.WORKLOADS` that it sizes: db_bench is run when it is asked for."""
        return tuple(name for name in WORKLOADS if self._section(name) is not None)

    def workload(self, name: str) -> Workload:
        """The section of a workload. Errors: UsageError when there is none."""
        section = self._section(name)
        if section is None:
            pattern = "quick.toml" if self.engine == "rocksdb" else f"{self.engine}-quick.toml"
            raise UsageError(
                f"--workload: found {name}, which profile {self.name} of {self.engine} does not "
                "size; type --profile quick (with make: PROFILE=quick), or add "
                f"[{'dbbench' if bench_of(name) else name}] to yours, as profiles/{pattern} has it"
            )
        return section

    def _section(self, name: str) -> Workload | None:
        if bench_of(name) is not None:
            return self.dbbench
        return {"linkbench": self.linkbench, "tpcc": self.tpcc}[name]

    def threads_of(self, workload: str) -> int:
        return self.workload(workload).threads or self.threads
