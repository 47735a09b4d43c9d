"""`waltax sweep AXIS`: how the cost of the log changes with one thing; a record for each axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..cell import BASELINE, STUDY
from ..device_names import WITH_DATA, is_point, point_name
from ..engines import EMBEDDED, ENGINES, SERVED, SHARDED, WHOLE, Shards
from ..engines.knobs import KNOBS
from ..engines.shards import OWNERS
from ..runners.recipe import axes, command_line
from ..runners.recipe.axes import load, memory_bound, shards
from ..runners.recipe.axes.simple import MAX_THREADS
from ..runners.recipe.parts import Bound
from . import memory_campaigns, names, options
from .options import WITH_OFF, Option
from .request import Request
from .study import Changes, Study, reported

if TYPE_CHECKING:
    from ..analysis import Report
    from ..devices import Device


def _shared(
    profile: str, engines: Sequence[str], works: Sequence[str], default: str
) -> tuple[Option, ...]:
    """Return the options of what runs, by default on the first engine."""
    what = "The engine under test."
    if engines is WITH_OFF:
        what += " Use waltax run for innodb, which cannot run without a log."
    return (
        options.profile(profile),
        options.engine(engines, what, engines[0]),
        options.one_workload(works, default),
    )


def _devices(default: str, *, several: bool = True) -> tuple[Option, ...]:
    what = "Devices, separated by blanks; repeatable." if several else "One device, or its file."
    return (command_line.devices(f"{what} Default: {default}.", default), options.wal_dir())


_BESIDE = command_line.devices(
    "Devices to measure beside ssd, nvme and nvram, separated by blanks; repeatable. Each is a "
    "name of the catalog, or a device file (./mybox.toml)."
)
_DRIVEN = (WITH_OFF, workloads.DRIVEN, workloads.DEFAULT[0])


def beside(request: Request, *more: str) -> Changes:
    """Change a recipe to off, these devices, the study's and the user's own, with synced logs.

    Errors: UsageError for an invalid device.
    """
    measured = {BASELINE, *STUDY}
    own = [
        name
        for name in names.logged(request.devices)
        if command_line.load_device(name).name not in measured
    ]
    is_typed = "profile" in request.given or request.engine == EMBEDDED
    return {
        "devices": tuple(dict.fromkeys([*more, *STUDY, *own])),
        "durability": "sync",
        "profile": request.profile if is_typed else "sweep",  # which MyRocks has
    }


THREADS = Study(
    kind="sweep-threads",
    about="Each number of clients has an off of its own, and all cells take turns.",
    request=Request,
    options=(
        _BESIDE,
        *_shared("sweep-threads", *_DRIVEN),
        click.option(
            "--threads",
            callback=command_line.numbers(MAX_THREADS, "1,2,4,8,16,32", fewest=2),
            default="1,2,4,8,16,32",
            show_default=True,
            help="Numbers of clients to compare, separated by commas; two or more.",
        ),
    ),
    changes=lambda request: [beside(request)],
    report=reported("threads"),
)

_LOADS = "10,30,50,80,95"


@dataclass(frozen=True)
class LoadRequest(Request):
    """`p99_ms` is the bound that a device passes at its knee."""

    p99_ms: int = 10


LOAD = Study(
    kind="sweep load",
    about="Requests arrive at random moments, at shares of what off does in a closed loop, which "
    "is measured first. Latency counts from when a request was due. All cells take turns.",
    request=LoadRequest,
    options=(
        _BESIDE,
        *_shared("sweep-load", *_DRIVEN),
        # With few of them a sync would hold up who does not wait for it.
        options.threads("Number of clients, whose requests add up to the load. Default: 64.", 64),
        click.option(
            "--load",
            "load",
            callback=command_line.numbers(load.MOST, _LOADS, fewest=2),
            default=_LOADS,
            show_default=True,
            help="Loads to compare, in percent, separated by commas; two or more.",
        ),
        options.number(
            "--p99-ms", 10, (1, 10**6), "The knee of a device is the load at which p99 passes this."
        ),
    ),
    changes=lambda request: [beside(request)],
    shows_overheads=False,
    report=lambda request, folders: reported("load", p99_ms=request.p99_ms)(request, folders),
    of_report=frozenset({"p99_ms"}),
)

# From 5 to 5,000 us in equal logarithmic steps, three per decade; 0 is the tap's floor.
LATENCIES_US = (0, 5, 11, 23, 50, 108, 232, 500, 1077, 2321, 5000)


@dataclass(frozen=True)
class LatencyRequest(Request):
    """`overhead` is in percent: the report says how fast a sync must be to cost no more."""

    overhead: float = 5.0


def _curve(request: LatencyRequest, folders: Sequence[Path]) -> Sequence[Report]:
    """Report the curve, and mark on it the catalog's devices and the user's own."""
    from . import predict

    on, emphasised = predict.on(_known(folders, request.devices)), request.overhead / 100
    return reported("latency", devices=on, emphasised=emphasised)(request, folders)


def _known(folders: Sequence[Path], named: Sequence[str]) -> list[Device]:
    """Return the user's devices to mark: those named, and measured ones whose file exists."""
    from .. import devices
    from ..runners.recipe import campaign_file

    measured = [name for folder in folders for name in campaign_file.told(folder).devices]
    there = [name for name in measured if Path(name).is_file() and not is_point(Path(name).stem)]
    return [devices.load(name) for name in dict.fromkeys([*there, *named])]


LATENCY = Study(
    kind="sweep-latency",
    about="Emulated devices from 0 to 5,000 us take turns with off, ssd, nvme and nvram. The curve "
    "is fitted to the grid alone, so that these three, and each --device, test its predictions.",
    request=LatencyRequest,
    options=(
        _BESIDE,
        *_shared("sweep", *_DRIVEN),
        options.threads(),
        options.number(
            "--overhead",
            5.0,
            (0.01, 99.99),
            "The most percent that the log may cost; the report says how fast a sync must be.",
        ),
    ),
    changes=lambda request: [beside(request, *map(point_name, LATENCIES_US))],
    report=_curve,
    of_report=frozenset({"overhead"}),
    of_report_again=frozenset({"devices"}),
)


@dataclass(frozen=True)
class NodesRequest(Request):
    """`ways` are how the owner of a key is found."""

    ways: tuple[str, ...] = OWNERS


def _cuts(request: NodesRequest) -> tuple[str, ...]:
    """Return each cut once: some differ only when there are several nodes.

    Those of one process share a device.
    """
    in_one_process = not ENGINES[request.engine].on_server
    cuts = (
        Shards(cut.nodes, owner, cut.shared or in_one_process).word
        for cut in map(Shards.of, request.axes["shards"])
        for owner in request.ways
    )
    return tuple(dict.fromkeys(cuts))


_WAYS = {way: way for way in OWNERS}
_SHARDED = [name for name, of in workloads.WORKLOADS.items() if of.sharded]
NODES = Study(
    kind="study-shards",
    about="All cuts take turns, each with its log off, flushed and synced. A key's owner is the "
    "node of its range, or that of a hash. The nodes of rocksdb-shards are in one process, without "
    "a network, and their logs always share a device, as with --wal-shared.",
    request=NodesRequest,
    options=(
        *shards.nodes("1,2,4"),
        command_line.listed("--ways", "ways", _WAYS, _WAYS, "Ways to cut, separated by commas."),
        *_devices("nvme"),
        *_shared("shards", SHARDED, _SHARDED, _SHARDED[0]),
        options.threads(),
    ),
    changes=lambda request: [
        {
            "durability": "sync",
            "beside": ("flush",),
            "axes": request.at(shards=_cuts(request)).axes,
        }
    ],
    shows_overheads=False,
    report=reported("shards"),
)

# A published study's sizes and benchmarks; ratios are to the smallest size.
_SIZES = "k16-v100,k32-v100,k64-v100,k16-v200,k16-v400"
_BENCHES = {
    "fillseq": "kv-fillseq",
    "fillrandom": "kv-fillrandom",
    "readseq": "kv-read-seq",
    "readrandom": "kv-read-random",
}
_SIZE = re.compile(r"k(\d{1,4})-v(\d{1,7})")
_MIN_KEY, _MAX_KEY, _MAX_VALUE = 8, 1024, 1 << 20


@dataclass(frozen=True)
class SizesRequest(Request):
    """`sizes` is a list, separated by commas; `benches` are workloads of ours."""

    sizes: str = _SIZES
    benches: tuple[str, ...] = tuple(_BENCHES.values())


def _of_benches(request: SizesRequest) -> Iterator[Changes]:
    """Yield a campaign for each benchmark, in which all sizes take turns. Errors: UsageError."""
    sizes = tuple(dict.fromkeys(request.sizes.split(",")))
    devices = names.one_device(request.devices)
    for bench in request.benches:
        mixes = {f"{bench}-{size}": sized(bench, size) for size in sizes}
        workloads.add_mixes(mixes)
        yield {"workloads": tuple(mixes), "mixes": mixes, "devices": devices}


def sized(workload: str, size: str) -> str:
    """Return the file of a workload of ours with keys and values of a size. Errors: UsageError."""
    match = _SIZE.fullmatch(size)
    key, value = map(int, match.groups()) if match else (0, 0)
    if not (_MIN_KEY <= key <= _MAX_KEY and 1 <= value <= _MAX_VALUE):
        raise UsageError(
            f"--sizes: found {size!r}; type bytes of key and value as in k16-v100, of "
            f"{_MIN_KEY} to {_MAX_KEY:,} and of 1 to {_MAX_VALUE:,}"
        )
    record = workloads.WORKLOADS[workload]
    text = record.text.replace(f'"{record.title}"', f'"{record.title} {size}"')
    return text.replace("bytes = 16", f"bytes = {key}").replace("size = 100", f"size = {value}")


SIZES = Study(
    kind="sweep-sizes",
    about="Each benchmark has a campaign, in which all sizes take turns, with the log and without. "
    "The report has operations/s and MB/s, also relative to the smallest size, write amplification "
    "and WAL bytes per operation, and what the WAL costs.",
    request=SizesRequest,
    options=(
        click.option(
            "--sizes",
            default=_SIZES,
            show_default=True,
            help="Bytes of key and value, separated by commas.",
        ),
        command_line.listed("--bench", "benches", _BENCHES, _BENCHES, "Benchmarks."),
        options.engine([EMBEDDED], "RocksDB in the driver's process."),
        options.durability(
            "When a write is acknowledged. flush is db_bench's default, and the study's.",
            ["flush", "sync"],
            "flush",
        ),
        *_devices("nvme", several=False),
        options.threads("Number of clients. Default: 1, as in db_bench."),
        options.profile(
            "sweep-sizes", "Size: 200,000 keys; sweep-sizes-full has the study's 10,000,000."
        ),
    ),
    changes=_of_benches,
    shows_overheads=False,
    report=reported("sizes", each=True),
)

_KV = "kv-fillrandom"
_EMBEDDED = [
    name for name in workloads.DRIVEN if EMBEDDED in (workloads.of(name).engines or (EMBEDDED,))
]


@dataclass(frozen=True)
class KnobsRequest(Request):
    """`knobs` are separated by commas; None for all."""

    knobs: str | None = None


def _of_knobs(request: KnobsRequest) -> Iterator[Changes]:
    """Yield the default, every knob, `flush` and `off`. Errors: UsageError for unknown names."""
    # The profile for knobs has no data but that of mixes.
    knobs = _knobs(request.knobs, request.engine, binlog="binlog" in request.axes)
    is_embedded_kv = not ENGINES[request.engine].on_server and _KV in request.workloads
    yield {
        "profile": request.profile or ("sweep-knobs" if is_embedded_kv else "quick"),
        "devices": names.one_device(request.devices),
        "durability": "sync",
        "beside": ("flush",),
        "axes": request.at(knob=knobs).axes,
    }


def _knobs(named: str | None, engine: str, *, binlog: bool) -> tuple[str, ...]:
    """Return the named knobs, or all but those that are measured only when named.

    Errors: UsageError.
    """
    if ENGINES[engine].on_server:
        has = {name: of for name, of in KNOBS.items() if engine in of.served}
        usual = [name for name, of in has.items() if binlog or not of.is_of_binlog]
    else:
        has = {name: of for name, of in KNOBS.items() if of.is_embedded}
        usual = [name for name, of in has.items() if not (of.log_mib or of.bounds_loss or of.dies)]
    return tuple(usual) if named is None else command_line.several("--knobs", named, list(has))


EACH_KNOB = Study(
    kind="sweep-knobs",
    about="The report has, for every setting, its throughput against the default's and against no "
    "log, CPU, syncs and bytes per operation, and what it does to durability. The log is on the "
    f"disk of --data-dir ({WITH_DATA}), unless a device is named: recycled logs, fallocate and "
    "fsync need a real file system.",
    request=KnobsRequest,
    options=(
        click.option(
            "--knobs",
            help=f"Settings, separated by commas: {','.join(KNOBS)}. Default: all but log-N, which "
            "limits the log to N MiB; sync-Nms, whose commits wait for no sync; and recycled-logs, "
            "of which RocksDB 7.8 dies. sync-binlog-N needs --binlog. The default, flush and off "
            "are always measured. A server has log-N, sync-binlog-N and, of innodb, log-every-Ns.",
        ),
        *_devices(WITH_DATA, several=False),
        *axes.options("binlog"),
        options.profile("", f"Size. Default: sweep-knobs for {_KV} on {EMBEDDED}, else quick."),
        *_shared("", WHOLE, _EMBEDDED, _KV)[1:],
        options.threads(),
    ),
    changes=_of_knobs,
    shows_overheads=False,
    report=reported("knobs", each=True),
)

_MEMORY_MIB = {"rocksdb": 128, "myrocks": 256}  # a server takes much of it for itself
_SIZED = [name for name, of in workloads.WORKLOADS.items() if of.scale.in_bytes]


def _of_ratios(request: Request) -> Iterator[Changes]:
    """Yield a campaign for each ratio. Errors: UsageError for a bound that is too small."""
    usual, typed = _MEMORY_MIB[request.engine], map(Bound.of, request.axes["memory"])
    memory = [replace(bound, mib=bound.mib or usual).word for bound in typed]
    request = request.at(memory=memory, threads=request.axes.get("threads", ("1", "4")))
    for bounded in memory_campaigns.bounded(request, request.workloads):
        yield {**bounded, "durability": "sync"}


MEMORY = Study(
    kind="study-memory",
    about="Each ratio of data to memory is a campaign: off and the devices, one client and four. "
    "Memory is 128 MiB, or 256 with MyRocks, unless --memory says otherwise. The report has "
    "throughput, tails, device reads and waits per operation, and the overhead.",
    request=Request,
    options=(
        *memory_bound.options(ratios="0.25 0.75 1.25 2.5 5"),
        *_devices("nvme")[:1],
        *_shared("memory", WITH_OFF, _SIZED, "shop"),
        options.threads("Number of clients. Default: 1 and 4."),
    ),
    changes=_of_ratios,
    shows_overheads=False,
    report=reported("memory"),
)

_PREFIX = "sqlops-"
_STATEMENTS: Mapping[str, str] = {
    name.removeprefix(_PREFIX): name for name in workloads.WORKLOADS if name.startswith(_PREFIX)
}


STATEMENTS = Study(
    kind="sweep statements",
    about="Each engine has a campaign, in which all statements take turns: synced, flushed, and "
    "with no log (MyRocks) or a log that nobody waits for (InnoDB).",
    request=Request,
    options=(
        command_line.listed(
            "--statements",
            "workloads",
            _STATEMENTS,
            ("insert", "insert-random", "update-hot", "update-random"),
            f"Some of {','.join(_STATEMENTS)}, separated by commas.",
        ),
        *_devices("nvme"),
        options.profile("ci"),
        options.threads("Number of clients. Default: 10.", 10),
    ),
    changes=lambda _: [
        {"engine": engine, "durability": "sync", "beside": ("flush",)} for engine in SERVED
    ],
)
