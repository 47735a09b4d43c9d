"""The options that several commands have. Each sets the field of `Asked` that it is named for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from .. import workloads
from ..cell import LONGEST_READ_US
from ..engines import DURABILITIES, EMBEDDED, WHOLE
from ..errors import UsageError
from ..runners import typed
from . import names

_ROOT = Path(__file__).parent.parent
_Command = TypeVar("_Command", bound=Callable[..., Any])
MAX_THREADS = 1024
_MIB_OF = {"M": 1, "G": 1024}
_LEAST_RATIO, _MOST_RATIO = 0.01, 100.0


class Option(Protocol):
    """Adds an option to a command's function."""

    def __call__(self, command: _Command, /) -> _Command: ...


def folder(flag: str, default: str, what: str) -> Option:
    """A folder of the repository, unless another is named."""
    return click.option(
        flag,
        type=click.Path(path_type=Path, file_okay=False),
        default=_ROOT / default,
        show_default=f"{default}/ of the repository",
        help=what,
    )


def profile(default: str, what: str = "Size of the experiment.") -> Option:
    return click.option("--profile", default=default, show_default=True, help=what)


def engine(known: Sequence[str], what: str, default: str = EMBEDDED) -> Option:
    choice = click.Choice(list(known))
    return click.option("--engine", type=choice, default=default, show_default=True, help=what)


def one_workload(known: Sequence[str], default: str) -> Option:
    """For a study of one workload; `typed.workloads` is for several."""
    return click.option(
        "--workload",
        "workloads",
        type=click.Choice(list(known)),
        default=default,
        show_default=True,
        callback=_alone,
    )


def durability(
    what: str, modes: Sequence[str] = DURABILITIES, default: str | None = None
) -> Option:
    choice = click.Choice(list(modes))
    return click.option(
        "--wal", "durability", type=choice, default=default, show_default=True, help=what
    )


def wal_dir(what: str = "A directory on the real device; takes one --device.") -> Option:
    return click.option("--wal-dir", help=what)


def wal_with_data() -> Option:
    return click.option(
        "--wal-with-data",
        is_flag=True,
        help="Beside the devices, as `with-data`: the log on the data directory's file system.",
    )


def binlog() -> Option:
    return click.option(
        "--binlog",
        metavar="DEVICE",
        callback=lambda _context, _option, name: None if name is None else names.kept(name),
        help="Of servers: a binlog on DEVICE, synced with each group of commits, in every cell; "
        "`same`: on the WAL's. Default: none.",
    )


def allow_mismatch() -> Option:
    return click.option(
        "--allow-mismatch", is_flag=True, help="Accept a --wal-dir of another class."
    )


def threads(what: str = "Default: the profile's.") -> Option:
    kind = click.IntRange(1, MAX_THREADS)
    return click.option("--threads", type=kind, callback=_alone, help=what)


def beside_the_study(default: str, what: str) -> tuple[Option, ...]:
    """What a sweep over the study's devices takes: an engine, a workload, and more devices.

    `default` is its profile, and `what` the profile's help.
    """
    return (
        typed.devices(
            "Several, separated by blanks, or repeatable: measured beside ssd, nvme and nvram. "
            "A name of the catalog, or a device file (./mybox.toml)."
        ),
        profile(default, what),
        one_workload(workloads.DRIVEN, workloads.DEFAULT[0]),
        engine(WHOLE, "rocksdb, or myrocks. innodb has no `off` to compare with."),
    )


def _alone(_context: click.Context, _option: click.Parameter, value: Any) -> tuple[Any, ...]:
    return () if value is None else (value,)


def memory(default: str | None = None, ratios: str | None = None) -> tuple[Option, ...]:
    """A bound on each cell's memory, and how large its data is beside that."""
    return (
        click.option(
            "--memory",
            "memory_mib",
            metavar="SIZE",
            callback=_memory,
            default=default,
            show_default=default is not None,
            help="Bound programs and page cache of each cell to so much: 1GiB, or 256MiB.",
        ),
        click.option(
            "--ratio",
            "ratios",
            callback=_ratios,
            default=ratios,
            show_default=ratios is not None,
            help="Size of the data over --memory: 2.5, or several, separated by blanks, each a "
            "campaign.",
        ),
        click.option(
            "--memory-by",
            type=click.Choice(["auto", "cgroup", "direct"]),
            default="auto",
            show_default=True,
            help="Who holds --memory: a control group, or the engine's cache with direct I/O. "
            "auto: a group, where this machine lets us.",
        ),
    )


def _memory(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6}(?:[.]\d{1,3})?) ?([MG])iB", text.strip(), re.IGNORECASE)
    mib = 0 if found is None else int(float(found[1]) * _MIB_OF[found[2].upper()])
    if not mib:
        raise UsageError(
            f"--memory: found {text!r}; type a size in MiB or GiB, such as --memory 1GiB (with "
            "make: MEMORY=1GiB)"
        )
    return mib


def _ratios(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> tuple[float, ...]:
    if text is None:
        return ()
    ratios = []
    for word in text.replace(",", " ").split():
        try:
            ratios.append(float(word))
        except ValueError:
            ratios.append(math.nan)
    if not ratios or not all(_LEAST_RATIO <= one <= _MOST_RATIO for one in ratios):
        raise UsageError(
            f"--ratio: found {text!r}; one or more numbers from {_LEAST_RATIO:g} to "
            f"{_MOST_RATIO:g}, separated by blanks, such as --ratio '0.25 2.5'"
        )
    return tuple(sorted(set(ratios)))


def seed() -> Option:
    return click.option(
        "--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed."
    )


def share_machine(what: str = "Run beside another campaign all the same.") -> Option:
    return click.option("--share-machine", is_flag=True, help=what)


def hosts() -> Option:
    from ..hosts import where

    return click.option(
        "--hosts",
        metavar="ADDRESS",
        callback=lambda _context, _option, text: None if text is None else where.named(text),
        help="Measure on the workers of this scheduler of dask, tcp://HOST:PORT, a session each; "
        "local:N: on N workers of this machine, in turns.",
    )


def results(what: str = "Where campaigns are kept.") -> Option:
    return folder("--results", "results", what)


def data_dir(what: str = "Where data sets and clones are.") -> Option:
    return folder("--data-dir", "data", what)


def resume() -> Option:
    return click.option(
        "--resume", type=click.Path(path_type=Path), help="Continue results/<campaign>."
    )


def only_plan() -> Option:
    return click.option(
        "--plan", "only_plan", is_flag=True, help="Say what would be done, do nothing."
    )


def read_latency() -> Option:
    return click.option(
        "--read-latency-us",
        type=click.IntRange(0, LONGEST_READ_US),
        default=0,
        show_default="as it is",
        help="What a read of data takes at least, emulated, in every cell: as on a cloud volume.",
    )


def cpu_counters() -> Option:
    return click.option(
        "--cpu-counters",
        is_flag=True,
        help="Count instructions, cycles and cache misses of each slice, where the machine can.",
    )


def campaigns() -> Option:
    return click.option(
        "--campaign",
        "campaigns",
        multiple=True,
        type=click.Path(path_type=Path),
        help="Measure nothing: report these results again. Repeatable.",
    )


def around(flag: str, when: str) -> Option:
    return click.option(
        flag,
        metavar="COMMAND",
        help=f"For a shell, {when} each session, with WALTAX_CAMPAIGN and WALTAX_SESSION.",
    )


EVERY = (
    around("--before", "before"),
    around("--after", "after"),
    read_latency(),
    cpu_counters(),
    seed(),
    resume(),
    only_plan(),
    share_machine(),
    results(),
    data_dir(),
)
"""What every study takes beside its own."""
