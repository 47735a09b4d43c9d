"""Preloading the tap into a program, with or without its recorder.

They are one library, devices/preload/hooks/start.c, which finds the tap's page by its environment.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base import proc
from ..base.errors import UsageError
from .tap_page import TapPage

# RocksDB's 000012.log; InnoDB's ib_logfile0, and ib_logfile101 while it makes a new one. Not
# MariaDB's tc.log, ddl_recovery.log and aria_log.00000001, nor its list of binlogs.
_LOGS = ("*[0-9].log", "*ib_logfile[0-9]", "*ib_logfile101")
_LIBRARY, _PAGE = "libwaltax_tap.so", "WALTAX_TAP_PAGE"


def library() -> Path:
    """Return the path of the tap's library. Errors: WaltaxError when it is not built."""
    return proc.program(_LIBRARY).absolute()


def tap_environment(
    root: Path,
    page: Path,
    model: bytes | None = None,
    device: Path | None = None,
    rung: str = "",
    *,
    patterns: Sequence[str] = _LOGS,
    pages: Path | None = None,
    folder: Path | None = None,
) -> dict[str, str]:
    """Tell the tap by its page what to do, and return environment variables that preload it.

    They are for a program and all that it starts. The log is the files whose paths below `root`
    match one of the `patterns`. Without a packed model the tap only observes. `device` is the page
    of the emulated device whose queue the syncs share, by default `page`. Of a foreign program,
    each process that opens a log makes a page in the folder `pages`. `folder` holds a copy of
    `library()` for a program whose user cannot reach the original.
    """
    tell(page, root, patterns, model, rung, device=device, pages=pages)
    return {**_loading(folder), _PAGE: str(page)}


def binlog_environment(
    folder: Path, page: Path, model: bytes | None, device: Path | None = None, rung: str = ""
) -> dict[str, str]:
    """Do the same for a server's second log, beside the variables of its WAL."""
    tell(page, folder, ["*binlog.[0-9]*"], model, rung, device=device)
    return {"WALTAX_TAP_BINLOG": str(page)}


def tell(
    page: Path,
    root: Path,
    patterns: Sequence[str],
    model: bytes | None = None,
    rung: str = "",
    **others: Path | None,
) -> None:
    """Say in a page what `tap_environment` says; a supervisor finds it by `supervised`."""
    paths = {"log_dir": root, **others}
    texts = {name: str(path) for name, path in paths.items() if path is not None}
    with contextlib.closing(TapPage.open(page, ours=True)) as mapped:
        mapped.tell(model, rung, patterns="".join(f"{each}\0" for each in patterns), **texts)


def supervised(line: str, page: Path) -> tuple[str, dict[str, str]]:
    """Return a shell's line that runs `line` under the supervisor, and its environment.

    That is for programs that a library cannot be preloaded into: the supervisor counts all of them
    in `page`, which `tell` has told what to do.
    """
    program = proc.program("waltax_supervise").absolute()
    return f"exec {shlex.join([str(program), '--', '/bin/sh', '-c', line])}", {_PAGE: str(page)}


def witnessed(line: str, environment: Mapping[str, str], page: Path) -> tuple[str, dict[str, str]]:
    """Return a line that runs `line` with the tap preloaded, and its environment.

    A supervisor beside it counts in `page` the syncs that the tap does not see. `environment` is
    as of `tap_environment`.
    """
    own = [f"{name}={text}" for name, text in environment.items()]
    return supervised(f"exec {shlex.join(['env', *own, '/bin/sh', '-c', line])}", page)


def recorder_environment(
    log: Path,
    roots: Sequence[Path],
    acks: Path | None = None,
    tapped: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> dict[str, str]:
    """Return environment variables that record a program, with all processes that it starts.

    Changes below the existing directories `roots`, and what is appended to `acks`, are logged in
    `log`, which `crash.log.create` made. `tapped` are the variables of the tap, if it should
    work, too; the log then has what the program passed to it. `folder`: as `tap_environment`.
    Errors: UsageError for a root whose name has a line break.
    """
    for root in roots:
        if "\n" in str(root):
            raise UsageError(f"{str(root)!r}: found a line break in its name; name another folder")
    return {
        **(tapped or {}),
        **_loading(folder),
        "WALTAX_RECORDER_LOG": str(log),
        "WALTAX_RECORDER_ROOTS": "\n".join(map(str, roots)),
        "WALTAX_RECORDER_ACKS": "" if acks is None else str(acks),
    }


def _loading(folder: Path | None) -> dict[str, str]:
    """Return variables that preload the library by name: LD_PRELOAD splits paths at spaces."""
    return {
        "LD_PRELOAD": _LIBRARY,
        "LD_LIBRARY_PATH": str(library().parent if folder is None else folder),
    }
