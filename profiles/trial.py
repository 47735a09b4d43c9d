"""Trying a profile's settings on the program that will use them, without opening any data.

The program is started on a database that cannot exist. Any other complaint would also end the run,
after minutes of loading; here it becomes an error that names the key in the user's own file.
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
from . import ours
from .model import Profile

NOWHERE = Path("/proc/self/nowhere")
"""The place of the database, the log and the socket, where no file can be made."""
OPTIONS = Path("/dev/stdin")
"""The OPTIONS file of a command line on trial."""
_LONGEST_S = 60.0
_FLAG = re.compile(r"--(?:no-)?([a-z0-9][a-z0-9_-]*)(?:=\S*)?(?=[\s:,;)]|$)")
# gflags' messages, from db_bench: an unknown flag, or an invalid value.
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

    Errors: UsageError for what it rejects, with the profile's file, section and key.

    `argv` names `NOWHERE` as the place, and `OPTIONS` as the file, whose text is `options`. A
    complaint that contains `stop` means that everything else is valid.
    """
    printed, said = answer(tuple(argv), options)
    if said and stop not in said:
        raise UsageError(_explained(profile, workload, said))
    return printed


def require_served(profile: Profile, workload: str, argv: Sequence[str], config: str) -> None:
    """Raise UsageError likewise, for what a server rejects in `config`, its my.cnf."""
    for match in _SERVER.finditer(answer(tuple(argv), config)[1]):
        name = (match[1] or match[3] or match[4] or match[6] or match[9]).replace("-", "_")
        if name not in profile.server_settings(workload):
            continue
        section = profile.server_section(workload, name)
        does = f"makes {match[8]}" if match[8] else "does not take"
        why = f"found {match[2] or match[5] or match[7]}, which this server {does}"
        why = "this server does not have it; leave it out" if match[1] or match[9] else why
        raise UsageError(f"{profile.path}: {section}: {name}: {why}")


@cache
def answer(argv: tuple[str, ...], options: str) -> tuple[str, str]:
    """Return a program's output and complaints; nothing if it takes too long."""
    with os.fdopen(os.memfd_create("options"), "w") as file:
        file.write(options)
        file.flush()
        os.fchmod(file.fileno(), 0o600)  # a server ignores files that others can write
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
    """Return the program's complaint in the profile's terms, if it concerns the profile."""
    sections = dict(_sections(profile, workload))
    if match := _OPTIONS.search(said):
        return _option(profile, sections, next(filter(None, match.groups())))
    if match := _GFLAGS.search(said):
        return _flag(profile, sections, match[2], f"found an {match[1] or 'unknown flag'}", ())
    line = said.splitlines()[-1]
    if match := _FLAG.search(line):
        known = [flag[1].replace("-", "_") for flag in _FLAG.finditer(line, match.end())]
        hidden = ours.DRIVER | workloads.WORKLOADS[workload].reserved | {"help"}
        accepted = [name for name in known if name not in hidden]
        keys = {key for table in sections.values() for key in table}
        words = _FLAG.sub(lambda flag: _key(flag, keys), line[match.end() :])
        return _flag(profile, sections, match[1], words.strip(": "), accepted)
    return line


def _key(flag: re.Match[str], keys: Collection[str]) -> str:
    """Return a flag's key in the profile; a flag of the command line is unchanged."""
    name = flag[1].replace("-", "_")
    return name if name in keys else flag[0]


def _sections(profile: Profile, workload: str) -> Iterator[tuple[str, Mapping[str, Parameter]]]:
    """Yield the tables of its command line and its OPTIONS file, in order of precedence."""
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
    """Return the error for an option that RocksDB does not have or cannot read."""
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
