"""What strace sees a program write and sync, in a run of its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

_SYNCS = ("fsync", "fdatasync")
_WRITES = ("write", "writev", "pwrite64", "pwritev", "pwritev2")
# A call that another thread's came between stands on two lines, the second without arguments.
_CALL = re.compile(
    r"^(?P<thread>\d+) +(?:<\.\.\. )?(?P<name>\w+)"
    r"(?:\((?P<fd>\d+)<(?P<path>[^>]*)>)?.*?(?: = (?P<result>\d+)(?:<(?P<opened>[^>]*)>)?)?$"
)


@dataclass
class Traced:
    """The syncs of all files and folders, those of the log, and the bytes written to that."""

    syncs: int = 0
    log_syncs: int = 0
    log_bytes: int = 0


def traced(line: str, data: Path, log: str, env: Mapping[str, str], trace: Path) -> Traced:
    """Run a shell's line in the folder `data`, where its log is what `log` matches."""
    calls = ",".join((*_SYNCS, *_WRITES, "openat"))
    argv = ["strace", "-f", "--seccomp-bpf", "-y", "-s0", "-e", f"trace={calls}", "-o", str(trace)]
    shell = ["/bin/sh", "-c", line]
    subprocess.run([*argv, *shell], cwd=data, env=env, check=True, capture_output=True)
    seen, pattern = Traced(), f"{data}/{log}"
    writes_sync: set[tuple[str, str]] = set()
    begun: dict[str, str] = {}  # the path of a thread's last call
    for call in filter(None, map(_CALL.match, trace.read_text().splitlines())):
        name, thread, file = call["name"], call["thread"], (call["fd"], call["path"])
        if name == "openat" and "O_DSYNC" in call[0] and call["opened"]:
            writes_sync.add((call["result"], call["opened"]))
        if call["fd"]:
            begun[thread] = call["path"]
            syncs = name in _SYNCS or (name in _WRITES and file in writes_sync)
            seen.syncs += syncs
            seen.log_syncs += syncs and fnmatchcase(call["path"], pattern)
        if name in _WRITES and call["result"] and fnmatchcase(begun.get(thread, ""), pattern):
            seen.log_bytes += int(call["result"])
    return seen
