"""The model of a profile, a TOML file of this folder, and how it is read."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, create_model, model_validator

from .. import workloads
from ..base import tomlfile
from ..base.errors import UsageError, meant
from ..base.tomlfile import Strict, matching, shown
from ..engines import EMBEDDED, ENGINES
from ..workload import Parameter
from . import ours

FOLDER = Path(__file__).parent
_NAME = matching("[a-z0-9-]+([.][0-9]+)?", "lower case, digits and dashes, as in my-quick")


def _one_value(value: object) -> object:
    if not isinstance(value, Parameter) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"found {shown(value)}, want a text, a number, true or false")
    return value


# A table of settings that another program reads: names and single values.
Settings = dict[str, Annotated[Parameter, BeforeValidator(_one_value)]]
Seconds = Annotated[float, Field(le=1e9, allow_inf_nan=False)]
Mebibytes = Annotated[int, Field(gt=0, le=1 << 30)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1, le=10**6)]
Threads = Annotated[int, Field(ge=1, le=1024)]


class Disturbed(Strict):
    """Thresholds above which a slice counts as disturbed from outside. Shares are fractions.

    On a quiet machine nearly no slice is.
    """

    foreign_cpu_share: Positive = 0.1  # of all CPU time, used by neither driver nor server
    steal_share: Positive = 0.10  # of all CPU time: the hypervisor's
    memory_pressure_share: Positive = 0.05  # of the slice, while some task waited for memory
    throttled_share: Positive = 0.02  # of the slice, while a cgroup of ours was throttled
    pause_s: Positive = 1.0  # by which a slice may be late


class Timing(Strict):
    """How a campaign spends its time, in seconds except for counts."""

    measure_s: Seconds = Field(gt=0)  # one slice's measured part
    warmup_s: Seconds = Field(ge=0)  # before each measured part
    settle_s: Seconds = Field(ge=0)  # warm-up of a fresh process's first slice
    rounds_per_session: Count
    min_sessions: Count  # the initial state of a process varies by session
    time_budget_s: Seconds = Field(gt=0)  # of one workload's slices: it then rests
    target_half_width: float = Field(gt=0, lt=1)  # of every overhead's 95 % interval, a fraction
    disturbed: Disturbed = Disturbed()  # which slices are measured again


Flags = Annotated[Settings, AfterValidator(partial(ours.refuse, ours.DRIVER))]
Options = Annotated[Settings, AfterValidator(partial(ours.refuse, ours.DB_OPTIONS))]
# Variables of a server, as its SHOW GLOBAL VARIABLES names them, with my.cnf's values.
Server = Annotated[Settings, AfterValidator(ours.refuse_variables)]


class Rocksdb(Strict):
    """RocksDB's settings: `flags` of the driver, and sections of its OPTIONS file."""

    block_cache_mb: Mebibytes
    max_total_wal_mb: Mebibytes  # live WAL at most, per cell; memory if emulated
    db: Options = Field(default={})
    column_family: Options = Field(default={})
    table: Options = Field(default={})
    flags: Flags = Field(default={})


class Section(Strict):
    """The size of a workload, and its driver's flags, with `_` for `-`."""

    data_mb: Mebibytes  # approximate size of one loaded copy on disk
    threads: Threads | None = None  # instead of the profile's
    load: Flags  # what the data set is loaded with
    run: Flags = Field(default={})
    column_family: Options = Field(default={})  # of RocksDB, instead of or beside the profile's
    server: Server = Field(default={})  # instead of or beside the profile's


class Profile(Strict):
    """A file of `profiles/`. Its sections are fields of `Sized`, by the table of workloads."""

    name: Annotated[str, _NAME]  # of the size: part of file names
    title: str
    engine: str = EMBEDDED  # a key of `engines.ENGINES`
    threads: Threads
    timing: Timing
    rocksdb: Rocksdb | None = None  # of the embedded engine only
    server: Server = Field(default={})  # of an engine on a server only
    digest: str = Field(default="", exclude=True)  # of the file, so that --resume sees a change
    path: str = Field(default="", exclude=True)  # of the file, for errors

    @model_validator(mode="after")
    def _of_its_engine(self) -> Self:
        """Reject the tables of another kind of engine. Errors: ValueError."""
        if self.engine not in ENGINES:
            raise ValueError(f"engine: found {shown(self.engine)}; one of {', '.join(ENGINES)}")
        for name, section in self.sections.items():
            if (size := workloads.sized_by(name).scale.parameter) not in section.load:
                raise ValueError(f"{name}.load.{size}: missing; it is the size of the data set")
        sections = self.sections.values()
        if not ENGINES[self.engine].on_server:
            if self.rocksdb is None:
                raise ValueError("rocksdb: missing; the embedded engine takes its settings there")
            if self.server or any(section.server for section in sections):
                raise ValueError(
                    f"server: found with engine {self.engine}, which has none; leave it out"
                )
        elif self.rocksdb is not None or any(section.column_family for section in sections):
            raise ValueError(
                f"rocksdb, column_family: found with engine {self.engine}, which is set by its "
                "server's variables; give them in [server]"
            )
        return self

    @property
    def embedded(self) -> Rocksdb:
        """The embedded engine's settings. REQUIRES: its engine is the embedded one."""
        assert self.rocksdb is not None
        return self.rocksdb

    def tables(self, workload: str) -> list[tuple[str, Settings]]:
        """Return the tables of settings for a workload, by name; later ones override earlier."""
        name, section = workloads.of(workload).sized_by, self._section(workload)
        whole, own = (
            [(f"{of}.{part}", getattr(of_it, part, {})) for part in parts]
            for of, of_it, parts in (
                ("rocksdb", self.rocksdb, ("db", "column_family", "table", "flags")),
                (name, section, ("server", "column_family", "load", "run")),
            )
        )
        return [*whole, ("server", self.server), *own]

    def table_of(self, workload: str, setting: str) -> str:
        """Return the name of the table that sets something for a workload's servers."""
        tables = reversed(self.tables(workload))
        return next((name for name, table in tables if setting in table), "server")

    def server_settings(self, workload: str) -> Settings:
        """Return the server's variables for a workload."""
        return {**self.server, **self.workload(workload).server}

    @property
    def sections(self) -> dict[str, Section]:
        """The sections that it has, by name."""
        sections = {name: getattr(self, name, None) for name in workloads.SECTIONS}
        return {name: section for name, section in sections.items() if section is not None}

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads that it sizes and that are measured by default."""
        return tuple(name for name in workloads.DEFAULT if self._section(name) is not None)

    def workload(self, name: str) -> Section:
        """Return the section of a workload. Errors: UsageError when there is none."""
        section = self._section(name)
        if section is None:
            of = f"{self.engine}-" if ENGINES[self.engine].on_server else ""
            raise UsageError(
                f"--workload: found {name}, which profile {self.name} of {self.engine} does not "
                "size; type --profile quick, or add "
                f"[{workloads.of(name).sized_by}] to yours, as profiles/{of}quick.toml has it"
            )
        return section

    def _section(self, name: str) -> Section | None:
        """Return the section of a workload: of a file's with the size and the flags of the file."""
        record, section = workloads.of(name), self.section_as_it_is(name)
        if section is not None and record.own_load:
            times = record.scale.size(record.own_load) / record.scale.size(section.load)
            mib = math.ceil(section.data_mb * times)
            own = {"load": record.own_load, "run": record.own_run, "data_mb": mib}
            return section.model_copy(update=own)
        if section is None or not record.is_mix:
            return section
        mib = section.data_mb + math.ceil(record.data_mb() * float(section.load["scale"]))
        return section.model_copy(update={"data_mb": mib})

    def section_as_it_is(self, workload: str) -> Section | None:
        """Return a workload's section, without what its own file says. A mix needs none."""
        record = workloads.of(workload)
        whole = Section(data_mb=1, load={"scale": 1.0}) if record.is_mix else None
        of_mixes = self.sections.get("mix", whole) if record.is_mix else None
        return self.sections.get(record.sized_by, of_mixes)

    def threads_of(self, workload: str) -> int:
        """Return a workload's number of clients, which a user's program alone knows: then 1."""
        if not workloads.of(workload).knows_clients:
            return 1
        record, section = workloads.of(workload), self.workload(workload)
        return section.threads or record.own_clients or self.threads


_SECTIONS: dict[str, Any] = dict.fromkeys(workloads.SECTIONS, (Section | None, None))
Sized: type[Profile] = create_model("Profile", __base__=Profile, **_SECTIONS)
"""The model of a file: a profile with a section for each workload that is sized."""


def names(engine: str = EMBEDDED) -> list[str]:
    """Return the sizes in this folder for an engine: NAME.toml, or ENGINE-NAME.toml."""
    return list(_shipped(ENGINES[engine].store))


def _shipped(engine: str) -> dict[str, Path]:
    prefix = "" if engine == EMBEDDED else f"{engine}-"
    files = {path.stem: path for path in sorted(FOLDER.glob(f"{prefix}*.toml"))}
    return {
        stem.removeprefix(prefix): path
        for stem, path in files.items()
        if prefix or stem.partition("-")[0] not in ENGINES
    }


def load(name: str, engine: str = EMBEDDED) -> Profile:
    """Read a profile by the name of its size, or a user's TOML file by path.

    Errors: UsageError naming the file, the key, what was found and what is accepted.
    """
    if ENGINES[engine].elsewhere or ENGINES[engine].is_program:
        engine = EMBEDDED  # they share its sizes; their owners take care of the settings
    engine = ENGINES[engine].store
    shipped, is_path = _shipped(engine), name.endswith(".toml")
    path = Path(name) if is_path and Path(name).is_file() else shipped.get(name)
    if path is None:
        of, files = "", "*"
        if engine != EMBEDDED:
            of, files = f" with --engine {engine}", f"{engine}-*"
        of += ", which is no file" * is_path
        raise UsageError(
            f"--profile: found {name!r}{of}; one of {', '.join(shipped)} "
            f"(profiles/{files}.toml), or the path of a TOML file of yours{meant(name, shipped)}"
        )
    content = tomlfile.read_bytes(path)
    table = tomlfile.parse(path, content)
    for key in sorted({"digest", "path"} & table.keys()):
        raise UsageError(f"{path}: {key}: unknown key; it is computed from the file")
    profile = _validated(path, table, content, engine)
    return profile.model_copy(update={"path": str(path)})


def resized(table: Mapping[str, Any], engine: str) -> Profile:
    """Return the profile that a recipe holds because a study made it of another. Errors: as `load`.

    Its digest is that of its content.
    """
    content = json.dumps(table, sort_keys=True).encode()
    return _validated(Path(str(table.get("name"))), table, content, ENGINES[engine].store)


def _validated(path: Path, table: Mapping[str, Any], content: bytes, engine: str) -> Profile:
    """Return the profile. Errors: UsageError also for a name that is taken, and another engine."""
    profile = tomlfile.validate(path, table, Sized)
    if path.parent != FOLDER and profile.name in _shipped(engine):
        raise UsageError(
            f"{path}: name: found {profile.name!r}, which is a shipped profile's; choose another"
        )
    if profile.engine != engine:
        raise UsageError(
            f"{path}: engine: found {profile.engine!r} with --engine {engine}; type "
            f"--engine {profile.engine}, or another --profile"
        )
    if not profile.sections:
        tables = " or ".join(f"[{name}]" for name in workloads.DEFAULT)
        raise UsageError(f"{path}: found no workload; add {tables}, as in profiles/quick.toml")
    return profile.model_copy(update={"digest": hashlib.sha256(content).hexdigest()[:12]})
