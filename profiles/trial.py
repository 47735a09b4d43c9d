"""A profile's settings, tried on the program that will take them: no data is opened, none written.

The program is told to work on a database where none can be. What it says of anything else it would
say of the run, too, after minutes of loading; here it becomes a word of the person's own file.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from .. import workloads
from ..base import proc
from ..base.errors import UsageError, meant
from ..base.tomlfile import shown
from ..workload import Parameter
from . import options, ours
from .model import Profile

NOWHERE = Path("/proc/self/nowhere")
"""Of the database, the log and the socket: no file can be made there."""
OPTIONS = Path("/dev/stdin")
"""The OPTIONS file of a command line that is tried."""
_LONGEST_S = 60.0
_FLAG = re.compile(r"--(?:no-)?([a-z0-9][a-z0-9_-]*)(?:=\S*)?(?=[\s:,;)]|$)")
# As gflags has it, of db_bench: an unknown flag, or a value that is none.
_GFLAGS = re.compile(r"ERROR: (?:unknown|(illegal value '.*?')).* flag '(\w+)'")
_OPTIONS = re.compile(
    r"--options-file: (found \w+=.*)|options file \S+ --- (.*)|RocksDB cannot read \((.*)\), want"
)
_SERVER = re.compile(
    r"unknown (?:variable|option) '(?:--)?([\w-]+)|Error while setting value '(.*?)' to '([\w-]+)'"
    r"|variable '([\w-]+)' \(value '(.*?)'\)|option '([\w-]+)': \w+ value (\S+) adjusted to (\S+)"
    r"|'([\w-]+)' was removed"
)


def require(
    profile: Profile,
    workload: str,
    argv: Sequence[str],
    options: str = "",
    stop: str = str(NOWHERE),
) -> str:
    """Return what a program prints.

    Errors: UsageError for what it refuses, with the profile's file, section and key.

    `argv` names `NOWHERE` as its place, and `OPTIONS` as the file of which `options` is the text.
    `stop` is in the complaint that means that all the rest is well.
    """
    printed, said = answer(tuple(argv), options)
    if said and stop not in said:
        raise UsageError(_explained(profile, workload, said))
    return printed


def require_served(profile: Profile, workload: str, argv: Sequence[str], config: str) -> None:
    """Errors: UsageError likewise, for what a server refuses of `config`, its my.cnf."""
    for found in _SERVER.finditer(answer(tuple(argv), config)[1]):
        name = (found[1] or found[3] or found[4] or found[6] or found[9]).replace("-", "_")
        if name not in profile.server_settings(workload):
            continue
        section = profile.server_section(workload, name)
        does = f"makes {found[8]}" if found[8] else "does not take"
        why = f"found {found[2] or found[5] or found[7]}, which this server {does}"
        why = "this server does not have it; leave it out" if found[1] or found[9] else why
        raise UsageError(f"{profile.path}: {section}: {name}: {why}")


def section_of(argv: Sequence[str], option: str) -> str:
    """The table below [rocksdb] that takes `option`; "" where this RocksDB has none of the name.

    `argv` is as in `require`.
    """
    for kind, table in options.TABLES.items():
        said = answer(tuple(argv), options.of_one(kind, option))[1]
        if said and "Could not find" not in said:
            return table
    return ""


@cache
def answer(argv: tuple[str, ...], options: str) -> tuple[str, str]:
    """What a program prints and complains of; nothing where it takes too long to say anything."""
    with os.fdopen(os.memfd_create("options"), "w") as file:
        file.write(options)
        file.flush()
        os.fchmod(file.fileno(), 0o600)  # a server takes no file that others can write
        pipe = subprocess.PIPE
        child = proc.launch(argv, stdin=file.fileno(), stdout=pipe, stderr=pipe)
        try:
            printed, said = child.communicate(timeout=_LONGEST_S)
            return printed.decode(errors="replace"), said.decode(errors="replace").strip()
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return "", ""


def _explained(profile: Profile, workload: str, said: str) -> str:
    """What the program says, in words of the profile as far as it is about that."""
    sections = dict(_sections(profile, workload))
    if found := _OPTIONS.search(said):
        return _option(profile, sections, next(filter(None, found.groups())))
    if found := _GFLAGS.search(said):
        return _flag(profile, sections, found[2], f"found an {found[1] or 'unknown flag'}", ())
    line = said.splitlines()[-1]
    if found := _FLAG.search(line):
        known = [flag[1].replace("-", "_") for flag in _FLAG.finditer(line, found.end())]
        hidden = ours.DRIVER | workloads.WORKLOADS[workload].reserved | {"help"}
        accepted = [name for name in known if name not in hidden]
        keys = {key for table in sections.values() for key in table}
        words = _FLAG.sub(lambda one: _key(one, keys), line[found.end() :])
        return _flag(profile, sections, found[1], words.strip(": "), accepted)
    return line


def _key(flag: re.Match[str], keys: Collection[str]) -> str:
    """A flag as the profile has it; one of the command line stays as it is."""
    name = flag[1].replace("-", "_")
    return name if name in keys else flag[0]


def _sections(profile: Profile, workload: str) -> Iterator[tuple[str, Mapping[str, Parameter]]]:
    """The tables that its command line and its OPTIONS file are made of, what wins first."""
    name, section = workloads.of(workload).sized_by, profile.workload(workload)
    for part in ("run", "load", "column_family"):
        yield f"{name}.{part}", getattr(section, part)
    if profile.rocksdb is not None:
        for part in ("flags", "column_family", "table", "db"):
            yield f"rocksdb.{part}", getattr(profile.rocksdb, part)


def _flag(
    profile: Profile,
    sections: Mapping[str, Mapping[str, Parameter]],
    flag: str,
    words: str,
    accepted: Collection[str],
) -> str:
    names = {flag.replace("-", "_"), f"no_{flag}".replace("-", "_")}
    for section, table in sections.items():
        for key in table:
            if key.replace("-", "_") in names and not section.endswith("column_family"):
                if "unknown flag" in words:
                    of = f"; one of {', '.join(accepted)}" if accepted else ""
                    words = f"unknown key{meant(key, accepted)}{of or '; leave it out'}"
                return f"{profile.path}: {section}: {key}: {words}"
    return f"--{flag}: {words}"


def _option(profile: Profile, sections: Mapping[str, Mapping[str, Parameter]], words: str) -> str:
    """RocksDB names the option that it does not have, or whose value it cannot read."""
    said = re.findall(r"\w+", words)
    for section, table in sections.items():
        for key in (key for key in table if key in said and not section.endswith(("load", "run"))):
            if "Could not find" in words:
                why = "this release of RocksDB does not have it; leave it out"
            elif words.startswith("found"):
                why = words.replace(f"{key}=", "", 1)
            else:
                why = f"found {shown(table[key])}, which RocksDB cannot read ({words})"
            return f"{profile.path}: {section}: {key}: {why}"
    return f"{profile.path}: rocksdb: RocksDB cannot read its settings ({words})"
