"""What `waltax --help` lists: a literal table. A new command is an entry here."""

from __future__ import annotations

from typing import NamedTuple

ABOUT = "What does the write-ahead log cost, on this device, for this workload?"
MORE = (
    "waltax COMMAND --help lists its options. --workload also takes files of LinkBench's and of "
    "YCSB's, and waltax tpcc the letters of tpcc-mysql."
)

TYPED = "waltax.typed"
"""Where click's contexts keep the words behind `waltax`."""


class Entry(NamedTuple):
    """A command: the study or click command that does it, and the first line of its help.

    `record` is MODULE:NAME; a command without one only leads to those that follow it.
    """

    record: str
    help: str
    listed: bool = True


COMMANDS: dict[str, Entry] = {
    "run": Entry(
        ".studies.devices:RUN",
        "What does the log cost on each device, compared with no log at all?",
    ),
    "run-device": Entry(
        ".studies.devices:RUN", "Measure what run does, on the devices that you name.", False
    ),
    "why": Entry(
        ".studies.why:STUDY",
        "Which step costs that: making records, writing them, handing over, or waiting for syncs?",
    ),
    "sweep": Entry(
        "",
        "How does the cost change with latency, threads, load, sizes, knobs, memory, nodes, "
        "statements?",
    ),
    "sweep latency": Entry(
        ".studies.sweeps:LATENCY",
        "The overhead over the latency of a sync, and how fast a sync must be for at most 5 %.",
    ),
    "sweep threads": Entry(
        ".studies.sweeps:THREADS",
        "What the log costs one client, and what it costs many, in the same rounds.",
    ),
    "sweep load": Entry(
        ".studies.sweeps:LOAD",
        "What the log adds to latency at a tenth of the load and at nearly all, and the knee.",
    ),
    "sweep sizes": Entry(
        ".studies.sweeps:SIZES",
        "What the log costs at several sizes of keys and values, as in a published study.",
    ),
    "sweep knobs": Entry(
        ".studies.sweeps:EACH_KNOB",
        "What each setting of the log changes, one at a time, with synced commits.",
    ),
    "sweep memory": Entry(
        ".studies.sweeps:MEMORY",
        "What the log costs when the data fit in memory and when they do not, and what waits.",
    ),
    "sweep nodes": Entry(
        ".studies.sweeps:NODES",
        "What the log costs a store on several nodes, and what the way to the right node costs.",
    ),
    "sweep statements": Entry(
        ".studies.sweeps:STATEMENTS",
        "What the log costs single SQL statements on MyRocks and on InnoDB.",
    ),
    "paper": Entry(
        ".studies.devices:PAPER",
        "How does the paper's table look today? MyRocks, 10 clients, its devices.",
    ),
    "receipts": Entry(
        ".studies.receipts:STUDY",
        "What does each mode of the log cost, and what does it lose in a kill or a power cut?",
    ),
    "receipts recovery": Entry(
        ".studies.recovery:command",
        "How long an engine takes to serve again after a kill, by the bytes of log to replay.",
    ),
    "try": Entry(
        ".studies.own_program:STUDY",
        "What would another log device, or a weaker durability, cost my own program?",
    ),
    "compare": Entry(
        ".studies.compare:command",
        "Are two results different: two devices of a campaign, or two campaigns?",
    ),
    "compare floor": Entry(
        ".studies.devices:FLOOR",
        "How far equal campaigns come out apart on this machine: the noise that --gate allows for.",
    ),
    "compare bisect": Entry(
        ".studies.bisect:command",
        "Judge a build beside a good and a bad one, as a step of `git bisect run`.",
    ),
    "report": Entry(
        ".studies.report:command",
        "Write the report of the last campaign, or of CAMPAIGNS, again, in any format.",
    ),
    "report gallery": Entry(
        ".studies.gallery:command",
        "Measure ten small campaigns, and write one offline site of their reports.",
    ),
    "devices": Entry(
        ".devices.listing:devices", "Which devices are there, and what is each on this machine?"
    ),
    "devices check": Entry(
        ".devices.listing:check_directory", "What does the directory DIR really sit on?"
    ),
    "devices probe": Entry(
        ".devices.probe.command:probe",
        "Measure what a log device can do, with fio, into a device file that can be replayed.",
    ),
    "devices import": Entry(
        ".devices.importing.command:import_files",
        "Make a device file of what fio, pg_test_fsync or ioping printed on any machine.",
    ),
    "devices predict": Entry(
        ".studies.predict:command",
        "Predict what the log would cost on a device that was not measured, from a latency sweep.",
    ),
    "workload": Entry(
        ".studies.mix:command",
        "What does the file of a workload say, and what is wrong in it?",
    ),
    "doctor": Entry(
        ".studies.checkup:command",
        "Is this machine fit to measure on, and what can be done about it?",
    ),
    "worker": Entry(
        ".runners.hosts.worker:command",
        "Let this machine measure sessions of campaigns: a worker of dask at SCHEDULER.",
        False,
    ),
    "tpcc": Entry(
        ".studies.devices:TPCC",
        "What does the log cost TPC-C, sized by the letters of tpcc-mysql?",
        False,
    ),
}
"""Each command by its words: one, or two where a command answers several questions."""

MOVED: dict[str, str] = {
    "bisect": "compare bisect",
    "bundle": "report --format bundle",
    "devices compare": "devices",
    "export": "report --format bundle",
    "floor": "compare floor",
    "gate": "compare BASE NEW --gate",
    "linkbench": "run --workload ./FILE",
    "predict": "devices predict",
    "paper sizes": "paper --plan",
    "probe": "devices probe",
    "recovery": "receipts recovery",
    "recovery-modes": "receipts --recovery-modes",
    "receipts modes": "receipts --recovery-modes",
    "releases": "run --release VERSIONS",
    "serve": "try --preset innodb --device nvme",
    "sizes": "paper --plan",
    "study-memory": "sweep memory",
    "study-shards": "sweep nodes",
    "study-sqlops": "sweep statements",
    "sweep-knobs": "sweep knobs",
    "sweep-latency": "sweep latency",
    "sweep-sizes": "sweep sizes",
    "sweep-threads": "sweep threads",
    **dict.fromkeys(("tpcc load", "tpcc run", "tpcc check"), "tpcc -w 10 -c 10 -r 10 -l 60"),
    "ycsb": "run --workload ./FILE",
}
"""What to type for the names of the release before; ./FILE is what -c or -P named."""

_SERVED = (
    "waltax starts no server for a command any more; MariaDB is a preset, and COMMAND its load: "
    "waltax try --preset innodb --metric REGEX --load COMMAND"
)
_AS_ITS_DISK = "data are read as their disk reads them; leave it out"
_BESIDE = "type it as a device beside the others, as in --device 'nvme with-data'"
_SYNCED = "commits of a sweep are synced: leave it out"
_PROBED = "its devices are emulated: type waltax devices probe DIR, and --device with the new file"
_SWEEP = "a sweep has one of each: name the sweep, as in --campaign results/..."
_NO_PLAN = "doctor plans no campaign: type waltax run --plan with --profile and --engine"
_IN_SCRIPTS = """type --json, as in waltax doctor --json | jq -e 'all(.state != "warn")'"""
_STUDIES = (
    *("run", "why", "paper", "receipts", "try", "compare floor"),
    *(words for words in COMMANDS if words.startswith("sweep ")),
)
_AROUND = "no command of yours runs between sessions: type it before waltax, and after it"
_DIRECT = "data go past the page cache, and the engine's cache holds the bound: leave it out"
_EMULATED = ("sweep latency", "sweep threads", "sweep load")
GONE: dict[str, str] = {
    "run --allow-remote": "leave it out; an address says itself where its server is",
    "run --fetch": "leave it out; a run fetches what it lacks, and keeps it",
    "run --receipts": "type waltax receipts --device NAME, for one device",
    "run --remove-data": "such a database holds nothing else: redis-cli -u URL FLUSHDB empties it",
    **{f"{words} --read-latency-us": _AS_ITS_DISK for words in _STUDIES},
    **{f"{words} --memory-by": _DIRECT for words in ("run", "sweep memory")},
    **{f"{words} --wal-with-data": _BESIDE for words in ("run", "why")},
    **dict.fromkeys(("run --before", "run --after"), _AROUND),
    "run --route": "clients ask the node that owns a key; leave it out",
    **{f"{sweep} --wal": _SYNCED for sweep in _EMULATED},
    **{f"{sweep} --wal-dir": _PROBED for sweep in _EMULATED},
    "sweep nodes --value-sizes": "a file of yours sets the size: type --workload ./mine.toml",
    "paper --campaign": "its report has the paper's; type waltax report results/...",
    "receipts --again": "open the state with the engine's own tools, as ldb --db=DIR/db",
    "receipts recovery --after": "leave it out; waltax receipts opens what power cuts leave",
    **dict.fromkeys(("try --engine", "try --prepare", "try --wal"), _SERVED),
    **dict.fromkeys(("try --wal-with-data", "try --binlog"), _SERVED),
    "devices predict --check": "a sweep's report has what it predicts beside what it measured",
    "devices predict --json": "curve.json of waltax sweep latency --campaign results/... has it",
    **{f"devices predict --{flag}": _SWEEP for flag in ("engine", "workload", "threads")},
    **dict.fromkeys(("doctor --profile", "doctor --engine"), _NO_PLAN),
    **dict.fromkeys(("doctor --strict", "doctor --accept"), _IN_SCRIPTS),
    "doctor --seconds": "leave it out; it watches the machine for one second",
}
"""What to type for flags that a command no longer takes."""


def instead(command: str, flag: str) -> str:
    """Return "; leave it out", to end an error about a flag that a command took; "" for others."""
    said = GONE.get(f"{command.removesuffix('-device')} {flag}")
    return f"; {said}" if said else ""


def words_of(kind: str) -> str:
    """Return the words of the command that goes on with campaigns of this kind."""
    words = MOVED.get(kind, kind)
    return words if words in COMMANDS else "run"


def record_of(kind: str) -> str:
    """Return where the study of a kind, or of a command's words, stands; "" for an unknown one."""
    words = words_of(kind) if kind == "releases" else MOVED.get(kind, kind)
    return COMMANDS[words].record if words in COMMANDS else ""


def below(command: str) -> dict[str, Entry]:
    """Return the commands that begin with this word, by the word that follows it."""
    pairs = ((words.partition(" "), entry) for words, entry in COMMANDS.items())
    return {second: entry for (first, _, second), entry in pairs if first == command and second}


def listed() -> list[tuple[str, str]]:
    """Return each command that `waltax --help` lists, with its help and those that follow it."""
    return [
        (words, entry.help + _also(words, entry))
        for words, entry in COMMANDS.items()
        if entry.listed and " " not in words
    ]


def _also(words: str, entry: Entry) -> str:
    """What follows a command that also stands alone."""
    more = [f"{words} {word}" for word in below(words)] if entry.record else []
    return f" Also: {', '.join(more)}." if more else ""
