"""What `waltax --help` lists: literal tables, and their text.

It imports nothing that takes time: who only asks what there is waits for no library. A new
command is an entry here; what stands here is the first line of that command's own help.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping
from typing import NamedTuple

ABOUT = "What does the write-ahead log cost, on this device, for this workload?"
_OPTIONS = {"--version": "Show the version and exit.", "-h, --help": "Show this message and exit."}
WIDEST, _NARROWEST = 100, 50


class Entry(NamedTuple):
    """Where a command or a study's record is, as MODULE:NAME, and the first line of its help."""

    record: str
    help: str


STUDIES: dict[str, Entry] = {
    "run": Entry(
        ".study.devices:RUN",
        "Measure what the WAL costs on each device, interleaved with no WAL at all.",
    ),
    "run-device": Entry(".study.devices:RUN_DEVICE", "As run, of the devices that are named."),
    "why": Entry(
        ".study.why:STUDY",
        "Which step of the way to the device costs that: the records, the writes, the syncs.",
    ),
    "paper": Entry(
        ".study.paper:STUDY",
        "The paper's experiment: MyRocks, 10 clients, WAL on ssd, nvme, nvram and off.",
    ),
    "sweep-latency": Entry(
        ".study.latency.study:STUDY",
        "Overhead against the latency of a sync, and how fast one must be for at most 5 %.",
    ),
    "sweep-threads": Entry(
        ".study.threads:STUDY",
        "What the log costs one client, and what many, on the same devices in the same rounds.",
    ),
    "sweep-sizes": Entry(
        ".study.key_sizes:STUDY",
        "db_bench over sizes of keys and values, with and without the WAL, as a study had it.",
    ),
    "sweep-knobs": Entry(
        ".study.knobs:STUDY",
        "One setting of the WAL at a time, commits synced.",
    ),
    "study-memory": Entry(
        ".study.memory:STUDY",
        "What the log costs with data below, at and above the memory, and what is waited for.",
    ),
    "study-shards": Entry(
        ".study.shards:STUDY",
        "What the log costs a store on several nodes, and what the way to the right node costs.",
    ),
    "receipts": Entry(
        ".study.receipts:STUDY",
        "What each mode of the log costs, and what it loses in a kill or a power cut.",
    ),
    "floor": Entry(
        ".study.gate:FLOOR",
        "How far campaigns of one recipe come out apart here: the floor that `gate` judges by.",
    ),
    "releases": Entry(
        ".study.releases:STUDY",
        "Releases of RocksDB side by side, without compiling it: the log off, flushed and synced.",
    ),
    "serve": Entry(
        ".study.serve:STUDY",
        "Start a server placed as a campaign's is, for sysbench, tpcc-mysql or your application.",
    ),
}
"""Commands that are studies, each an entry of the table of studies."""

ROOMS: dict[str, Entry] = {
    "recovery": Entry(
        ".study.recovery.openings:command",
        "How long an engine takes to serve again after a kill, by the bytes of log to replay.",
    ),
    "recovery-modes": Entry(
        ".study.recovery.modes:command",
        "Which damaged logs each of RocksDB's recovery modes opens, and what it loses of them.",
    ),
    "bisect": Entry(
        ".study.bisect:command",
        "Judge a build beside a good and a bad one, as a step of `git bisect run`.",
    ),
    "bundle": Entry(
        ".study.bundle:command",
        "One archive of a campaign: rows, recipe and its sources, report, how to have it again.",
    ),
    "compare": Entry(
        ".study.gate:compare",
        "Devices A and B within the rounds of one campaign, or campaigns --base and --new.",
    ),
    "doctor": Entry(
        ".study.checkup:command",
        "What about this machine makes figures worth less, and what to do about it.",
    ),
    "export": Entry(
        ".study.export:command",
        "The campaign, its cells and its rows as SQLite, CSV or Parquet; its report as Markdown.",
    ),
    "gate": Entry(
        ".study.gate:gate",
        "Whether campaign NEW is worse than BASE: exit 0 within, 3 regressed, 4 unknown, 1 failed.",
    ),
    "linkbench": Entry(
        ".linkbench.original.command:command",
        "The LinkBench benchmark by its original command line and configuration files.",
    ),
    "predict": Entry(
        ".study.latency.predict:command",
        "What the log would cost on a device that was not measured, from a latency sweep.",
    ),
    "sizes": Entry(
        ".study.disk_sizes:command",
        "Bytes on disk of the same data in each engine, loaded now where it is not there yet.",
    ),
    "study-sqlops": Entry(
        ".study.statements.command:command",
        "Single SQL statements on MyRocks and InnoDB, beside a published study's figures.",
    ),
    "tpcc": Entry(
        ".tpcc.original.command:command",
        "TPC-C on an embedded store or a server, by the command line of tpcc-mysql.",
    ),
    "worker": Entry(
        ".hosts.worker:command",
        "Let this machine measure sessions of campaigns: a worker of dask at SCHEDULER.",
    ),
    "workload": Entry(
        ".study.mix:command",
        "What is in a workload that a TOML file of yours describes, and what is wrong in it.",
    ),
    "ycsb": Entry(
        ".ycsb.original.command:command",
        "The YCSB benchmark by its own letters and workload files.",
    ),
}
"""Commands that live in rooms of their own, beside the studies."""

DEVICES: dict[str, Entry] = {
    "compare": Entry(
        ".devices.probe.command:compare",
        "Two devices side by side, by name or by file, and their latency curves.",
    ),
    "probe": Entry(
        ".devices.probe.command:probe",
        "Measure what a log device can do, with fio, into a device file that can be replayed.",
    ),
}
"""Those below `waltax devices`."""

OWN: dict[str, str] = {
    "devices": "The devices, and what each resolves to on this machine.",
    "report": "Draw report.html, tables and figures again, of CAMPAIGNS or of the last one.",
}
"""The help of what `cli.py` has itself."""


def text(width: int | None = None) -> str:
    """Return what `waltax --help` prints, laid out for so many columns; None: the terminal's."""
    columns = shutil.get_terminal_size().columns if width is None else width
    columns = max(_NARROWEST, min(columns - 2, WIDEST))
    entries = {name: entry.help for name, entry in (STUDIES | ROOMS).items()} | OWN
    parts = [
        "Usage: waltax [OPTIONS] COMMAND [ARGS]...",
        textwrap.fill(ABOUT, columns, initial_indent="  ", subsequent_indent="  "),
        "Options:\n" + _listed(_OPTIONS, columns),
        "Commands:\n" + _listed(dict(sorted(entries.items())), columns),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(entries: Mapping[str, str], columns: int) -> str:
    """Names and their whole sentences in two columns."""
    wide = max(map(len, entries)) + 2
    return "\n".join(
        textwrap.fill(
            sentence,
            columns,
            initial_indent=f"  {name:<{wide}}",
            subsequent_indent=" " * (wide + 2),
            break_on_hyphens=False,
        )
        for name, sentence in entries.items()
    )
