"""The record of a workload: facts that hold for each of its cells, on every engine.

The records and their table are in `workloads/`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Parameter = str | int | float | bool
Table = Mapping[str, Parameter]
"""A table of a profile's section: a driver's flags, with `_` for `-`."""
Event = Mapping[str, Any]
"""What a driver program prints, as one JSON object."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Unit:
    """A unit of throughput. `seconds` is its unit of time, None if that is not known."""

    name: str
    seconds: float | None
    request: str = "request"  # what one request is called
    counted: str = ""  # the request that the throughput counts, where that is another

    @property
    def counted_request(self) -> str:
        return self.counted or self.request


@dataclass(frozen=True)
class Scale:
    """How the size of a data set is counted, and how a profile's section is made smaller."""

    parameter: str  # of a load: names the data set
    thing: str = ""  # what a user counts the size in: "warehouse"
    loaded: str = ""  # what the `loaded` event calls the number of these
    # A profile's tables `load` and `run` at a share of their size, with so many threads.
    shrink: Callable[[Table, Table, float, int], tuple[dict[str, Parameter], Table]] | None = None
    fixed_mb: int = 0  # of `data_mb`: what the data take however few there are
    size: Callable[[Table], float] = field(default=lambda _: 1.0)  # of a load: as `data_mb` grows
    in_bytes: bool = False  # `data_mb` is in proportion to it, at less than the profile's and more


@dataclass(frozen=True)
class Grown:
    """What a session's slices add to the data, beside bytes: `what`, as a share of the load."""

    what: str
    share: Callable[[Row], float | None]  # of one row


def _nothing(_: Event) -> str:
    return ""


@dataclass(frozen=True)
class Workload:
    """One workload.

    `section` is the table that sizes it in a profile, which several workloads may share, as mixes
    do. Operations have the names that the driver's events give them.
    """

    name: str
    title: str  # in reports
    unit: Unit
    section: str = ""  # "": as the workload's name
    group: str = ""  # the word for it and others; "": as the section
    # Of its driver, and of the data sets that workloads with one program share; "": its name.
    program: str = ""
    # Of a file: its text, the clients that it names, and what tells its data from those of other
    # files; of a mix what makes the file that its driver takes, and what counts its data's MiB.
    text: str = ""
    driver_file: Callable[[], str] | None = None
    own_clients: int | None = None
    # In place of a section's flags, and where each was written, as FILE:LINE: KEY.
    own_load: Table = field(default_factory=dict)
    own_run: Table = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    data_mb: Callable[[], int] = field(default=lambda: 0)
    data_digest: str = ""
    engines: tuple[str, ...] | None = None  # that it runs on; None: on all
    why_engines: str = ""  # the reason, where it does not run on all
    sharded: bool = False  # its driver knows which of several nodes owns a key
    asked_only: bool = False  # measured only when it is named
    audited: bool = False  # only an audited result may be called by its name
    knows_clients: bool = True  # else only the program of the user does
    column_families: int = 1  # of its tables, RocksDB's default among them
    writes: tuple[str, ...] | None = None  # operations that commit; None: not known
    records_a_commit: int = 1  # of the log, one after the other, each durable by itself
    smallest_commit_bytes: float = 50.0  # of log, on whatever engine; seen of all workloads here
    says: tuple[str, ...] = ()  # of `ready.workload`: what every row of it carries as a column
    scale: Scale = field(default_factory=lambda: Scale(""))
    grown: Grown | None = None
    # Measured with `quick` on two cores, for plans.
    clone_growth: float = 0.0  # what a session adds to a clone at most, by the data set's size
    written_mib_per_s: float = 0.0  # of slices, to the disk of the data; the mean over devices
    # Words for people: of a load with these parameters, of its events, and of who works on it
    # (load, run, threads).
    data: Callable[[Table], str] = field(default=lambda _: "")
    progress: Callable[[Event], str] = _nothing
    loaded: Callable[[Event], str] = _nothing
    clients: Callable[[Table, Table, int], str] = field(default=lambda _load, _run, _threads: "")

    @property
    def sized_by(self) -> str:
        """Return the name of its section in a profile."""
        return self.section or self.name

    @property
    def word(self) -> str:
        """Return what `--workload` takes for it and the others of its group."""
        return self.group or self.sized_by

    @property
    def sized(self) -> bool:
        """Return whether a profile has a section that sizes it."""
        return bool(self.scale.parameter)

    @property
    def driver_program(self) -> str:
        return self.program or self.name

    @property
    def flags(self) -> dict[str, Parameter]:
        """Return the flags that its driver takes with every command."""
        return {"file": self.driver_file()} if self.driver_file else {}

    @property
    def is_mix(self) -> bool:
        """Return whether its own file says how large its data is."""
        return self.driver_file is not None

    @property
    def digest(self) -> str:
        """Return a text that differs when the file does."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def only_reads(self) -> bool:
        return self.writes == ()


def others(load: Table, *said: str) -> str:
    """Return the parameters that were not named yet, spelt as in the profile.

    So nothing that changes the data goes unsaid.
    """
    return "".join(f"; {name} = {value}" for name, value in load.items() if name not in said)
