"""Trying a profile's settings on the program that will use them, without opening any data.

The program is started on a database that cannot exist. Any other complaint would also end the run,
after minutes of loading; here it becomes an error that names the key in the user's own file.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .. import workloads
from ..base import proc
from ..base.errors import UsageError
from .model import Profile

NOWHERE = Path("/proc/self/nowhere")
"""The place of the database, the log and the socket, where no file can be made."""
OPTIONS = Path("/dev/stdin")
"""The OPTIONS file of a command line on trial."""
_LONGEST_S = 60.0
# What a driver writes before its words on a flag or the OPTIONS file, and a server before all.
_WHERE = re.compile(
    rf'^\w+: --[\w-]+(?:=\S*)?: (?:found "{OPTIONS}", which )?|^(?:.*\] )?(?:/\S+: )?'
)
_MENTIONED = r"(?:\b|__)(?:no_)?{}\b"  # a key, with `_` for `-`
# What a server says of a setting that it does not have, does not take, or changes.
_SERVER = re.compile(
    r"\b(?:unknown (?:variable|option) '|Error while setting value '|adjusted to|was removed)"
    r"|variable '[\w-]+' \(value '"
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
    for line in filter(_SERVER.search, answer(tuple(argv), config)[1].splitlines()):
        words = _explained(profile, workload, line)
        if words != line:
            raise UsageError(words)


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
    """Return a program's last words, behind the file, section and key that they name first.

    The file is a workload's own where the key is from there.
    """
    line, origins = said.splitlines()[-1], workloads.of(workload).origins
    found = [
        (
            match.start(),
            f"{origins.get(key, f'{profile.path}: {section}: {key}')}: {_WHERE.sub('', line)}",
        )
        for section, table in reversed(profile.tables(workload))
        for key in table
        if (match := re.search(_MENTIONED.format(key.replace("-", "_")), line.replace("-", "_")))
    ]
    return min(found, key=lambda one: one[0])[1] if found else line
