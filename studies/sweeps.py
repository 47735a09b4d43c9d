"""`waltax sweep AXIS`: how the cost of the log changes with one thing; a record for each axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..cell import BASELINE, STUDY
from ..device_names import WITH_DATA, is_point, point_name
from ..engines import EMBEDDED, ENGINES, SERVED, SHARDED, WHOLE, Shards
from ..engines.knobs import KNOBS, Knob
from ..engines.shards import OWNERS
from ..runners.recipe import axes, command_line
from ..runners.recipe.axes import load, memory_bound, shards
from ..runners.recipe.axes.axis import Option
from ..runners.recipe.axes.simple import MAX_THREADS
from ..runners.recipe.parts import Bound
from . import options
from .options import WITH_OFF
from .request import Request
from .study import Changes, Study, reported

if TYPE_CHECKING:
    from ..analysis import Report


def _beside_study(profile: str) -> tuple[Option, ...]:
    """Return the options of a sweep that measures the paper's devices in any case."""
    devices = command_line.devices(
        "Devices to measure beside ssd, nvme and nvram, separated by blanks; repeatable. Each is a "
        "name of the catalog, or a device file (./mybox.toml)."
    )
    return devices, *options.matrix(profile, WITH_OFF, workloads.DRIVEN, workloads.DEFAULT[0])


def beside(request: Request, *more: str) -> Changes:
    """Change a recipe to off, these devices, the study's and the user's own, with synced logs.

    Errors: UsageError for an invalid device.
    """
    measured = {BASELINE, *STUDY}
    own = [
        name
        for name in options.logged(request.devices)
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
    options=(
        *_beside_study("sweep-threads"),
        options.numbers("--threads", MAX_THREADS, "1,2,4,8,16,32", "Numbers of clients"),
    ),
    changes=lambda request: [beside(request)],
    report=reported("threads"),
)

LOAD = Study(
    kind="sweep load",
    about="Requests arrive at random moments, at shares of what off does in a closed loop, which "
    "is measured first. Latency counts from when a request was due. All cells take turns.",
    options=(
        *_beside_study("sweep-load"),
        # With few of them a sync would hold up who does not wait for it.
        options.threads("Number of clients, whose requests add up to the load. Default: 64.", 64),
        options.numbers("--load", load.MOST, "10,30,50,80,95", "Loads, in percent"),
        options.number(
            "--p99-ms", 10, (1, 10**6), "The knee of a device is the load at which p99 passes this."
        ),
    ),
    changes=lambda request: [beside(request)],
    shows_overheads=False,
    report=reported("load", "p99_ms"),
    of_report=frozenset({"p99_ms"}),
)

# From 5 to 5,000 us in equal logarithmic steps, three per decade; 0 is the tap's floor.
LATENCIES_US = (0, 5, 11, 23, 50, 108, 232, 500, 1077, 2321, 5000)


def _curve(request: Request, folders: Sequence[Path]) -> Sequence[Report]:
    """Report the curve, and mark on it the catalog's devices, and measured ones of the user's."""
    from .. import devices
    from ..analysis import reports
    from ..runners.recipe import campaign_file
    from . import curve_lookup

    names = dict.fromkeys(name for of in folders for name in campaign_file.told(of).devices)
    files = [name for name in names if Path(name).is_file() and not is_point(Path(name).stem)]
    on = curve_lookup.lookup(map(devices.load, files))
    return [reports.latency(folders, devices=on, emphasised=request.own["overhead"] / 100)]


LATENCY = Study(
    kind="sweep-latency",
    about="Emulated devices from 0 to 5,000 us take turns with off, ssd, nvme and nvram. The curve "
    "is fitted to the grid alone, so that these three, and each --device, test its predictions.",
    options=(
        *_beside_study("sweep"),
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
)


def _cuts(request: Request) -> tuple[str, ...]:
    """Return each cut once: some differ only when there are several nodes.

    Those of one process share a device.
    """
    in_one_process = not ENGINES[request.engine].on_server
    cuts = (
        Shards(cut.nodes, owner, cut.shared or in_one_process).word
        for cut in map(Shards.of, request.axes["shards"])
        for owner in request.own["ways"]
    )
    return tuple(dict.fromkeys(cuts))


_WAYS = {way: way for way in OWNERS}
_SHARDED = [name for name, of in workloads.WORKLOADS.items() if of.sharded]
NODES = Study(
    kind="study-shards",
    about="All cuts take turns, each with its log off, flushed and synced. A key's owner is the "
    "node of its range, or that of a hash. The nodes of rocksdb-shards are in one process, without "
    "a network, and their logs always share a device, as with --wal-shared.",
    options=(
        *shards.nodes("1,2,4"),
        command_line.listed("--ways", "ways", _WAYS, _WAYS, "Ways to cut, separated by commas."),
        *options.logs("nvme"),
        *options.matrix("shards", SHARDED, _SHARDED, _SHARDED[0]),
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


def _of_benches(request: Request) -> Iterator[Changes]:
    """Yield a campaign for each benchmark, in which all sizes take turns. Errors: UsageError."""
    sizes = tuple(dict.fromkeys(request.own["sizes"].split(",")))
    devices = options.one_device(request.devices)
    for bench in request.own["benches"]:
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
        *options.logs("nvme", several=False),
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


def knobs_of(engine: str) -> dict[str, Knob]:
    """Return the settings of the log that an engine has, by name."""
    on_server = ENGINES[engine].on_server
    return {
        name: knob
        for name, knob in KNOBS.items()
        if (engine in knob.served if on_server else knob.is_embedded)
    }


def _of_knobs(request: Request) -> Iterator[Changes]:
    """Yield the default, every knob, `flush` and `off`. Errors: UsageError for unknown names."""
    has, named = knobs_of(request.engine), request.own["knobs"]
    if named is not None:
        knobs = command_line.several("--knobs", named, list(has))
    elif ENGINES[request.engine].on_server:
        has_binlog = "binlog" in request.axes
        knobs = tuple(name for name, of in has.items() if has_binlog or not of.is_of_binlog)
    else:
        rare = {name for name, of in has.items() if of.log_mib or of.bounds_loss or of.dies}
        knobs = tuple(name for name in has if name not in rare)
    # The profile for knobs has no data but that of mixes.
    is_embedded_kv = not ENGINES[request.engine].on_server and _KV in request.workloads
    yield {
        "profile": request.profile or ("sweep-knobs" if is_embedded_kv else "quick"),
        "devices": options.one_device(request.devices),
        "durability": "sync",
        "beside": ("flush",),
        "axes": request.at(knob=knobs).axes,
    }


EACH_KNOB = Study(
    kind="sweep-knobs",
    about="The report has, for every setting, its throughput against the default's and against no "
    "log, CPU, syncs and bytes per operation, and what it does to durability. The log is on the "
    f"disk of --data-dir ({WITH_DATA}), unless a device is named: recycled logs, fallocate and "
    "fsync need a real file system.",
    options=(
        click.option(
            "--knobs",
            help=f"Settings, separated by commas: {','.join(KNOBS)}. Default: all but log-N, which "
            "limits the log to N MiB; sync-Nms, whose commits wait for no sync; and recycled-logs, "
            "of which RocksDB 7.8 dies. sync-binlog-N needs --binlog. The default, flush and off "
            "are always measured. A server has log-N, sync-binlog-N and, of innodb, log-every-Ns.",
        ),
        *options.logs(WITH_DATA, several=False),
        *axes.options("binlog"),
        options.profile("", f"Size. Default: sweep-knobs for {_KV} on {EMBEDDED}, else quick."),
        *options.matrix("", WHOLE, _EMBEDDED, _KV)[1:],
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
    from . import profile_scale

    usual, typed = _MEMORY_MIB[request.engine], map(Bound.of, request.axes["memory"])
    memory = [replace(bound, mib=bound.mib or usual).word for bound in typed]
    request = request.at(memory=memory, threads=request.axes.get("threads", ("1", "4")))
    for bounded in profile_scale.bounded(request, request.workloads):
        yield {**bounded, "durability": "sync"}


MEMORY = Study(
    kind="study-memory",
    about="Each ratio of data to memory is a campaign: off and the devices, one client and four. "
    "Memory is 128 MiB, or 256 with MyRocks, unless --memory says otherwise. The report has "
    "throughput, tails, device reads and waits per operation, and the overhead.",
    options=(
        *memory_bound.options(ratios="0.25 0.75 1.25 2.5 5"),
        *options.logs("nvme")[:1],
        *options.matrix("memory", WITH_OFF, _SIZED, "shop"),
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
    options=(
        command_line.listed(
            "--statements",
            "workloads",
            _STATEMENTS,
            ("insert", "insert-random", "update-hot", "update-random"),
            f"Some of {','.join(_STATEMENTS)}, separated by commas.",
        ),
        *options.logs("nvme"),
        options.profile("ci"),
        options.threads("Number of clients. Default: 10.", 10),
    ),
    changes=lambda _: [
        {"engine": engine, "durability": "sync", "beside": ("flush",)} for engine in SERVED
    ],
)
