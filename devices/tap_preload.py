"""Preloading the tap into a program, with or without its recorder.

They are one library, devices/preload/hooks/start.c, controlled by environment variables.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base import proc
from ..base.errors import UsageError

_LIBRARY = "libwaltax_tap.so"


def library() -> Path:
    """Return the path of the tap's library. Errors: WaltaxError when it is not built."""
    return proc.program(_LIBRARY).absolute()


def tap_environment(
    wal_dir: Path,
    page: Path,
    model: Path | None = None,
    folder: Path | None = None,
    device: Path | None = None,
) -> dict[str, str]:
    """Return environment variables that preload the tap; without a model it only observes.

    `folder` holds a copy of `library()` for a program whose user cannot reach the original.
    `device` is the page of the emulated device whose queue the syncs share, by default `page`.
    """
    return {
        **_loading(folder),
        "WALTAX_TAP_WAL_DIR": str(wal_dir),
        "WALTAX_TAP_PAGE": str(page),
        "WALTAX_TAP_MODEL": "" if model is None else str(model),
        "WALTAX_TAP_DEVICE": "" if device is None else str(device),
        # Axes of the cell may set these: a rung, and how long a read of its data takes.
        "WALTAX_TAP_RUNG": "",
        "WALTAX_TAP_DATA_DIR": "",
        "WALTAX_TAP_READ_NS": "",
    }


def foreign_environment(
    root: Path,
    patterns: Sequence[str],
    pages: Path,
    device: Path,
    model: Path | None = None,
    rung: str = "",
    folder: Path | None = None,
) -> dict[str, str]:
    """Return variables that preload the tap into a program of any kind, and all that it starts.

    Its log is the files whose paths below `root` match one of the `patterns`. Each process that
    opens one makes a page in the folder `pages`; `device` is the page of the device that they
    share. For the others see `tap_environment`.
    """
    return {
        **tap_environment(root, pages, model, folder, device),
        "WALTAX_TAP_LOG": "\n".join(patterns),
        "WALTAX_TAP_RUNG": rung,
    }


def supervised(line: str, environment: Mapping[str, str], page: Path) -> tuple[str, dict[str, str]]:
    """Return a shell's line that runs `line` under the supervisor, and its environment.

    That is for programs that a library cannot be preloaded into: the supervisor counts all of them
    in `page`. `environment` is as of `foreign_environment`.
    """
    program = proc.program("waltax_supervise").absolute()
    variables = {name: text for name, text in environment.items() if not name.startswith("LD_")}
    quoted = shlex.join([str(program), "--", "/bin/sh", "-c", line])
    return f"exec {quoted}", {**variables, "WALTAX_TAP_PAGE": str(page)}


def witnessed(line: str, environment: Mapping[str, str], page: Path) -> tuple[str, dict[str, str]]:
    """Return a line that runs `line` with the tap preloaded, and its environment.

    A supervisor beside it counts in `page` the syncs that the tap does not see. `environment` is
    as of `foreign_environment`.
    """
    own = [f"{n}={text}" for n, text in environment.items() if n.startswith("LD_")]
    own.append(f"WALTAX_TAP_PAGE={environment['WALTAX_TAP_PAGE']}")
    tapped = shlex.join(["env", *own, "/bin/sh", "-c", line])
    return supervised(f"exec {tapped}", environment, page)


def binlog_environment(
    folder: Path, page: Path, model: Path | None, *, shared: bool, rung: str = ""
) -> dict[str, str]:
    """Return variables for a server's second log, which the tap counts in a separate page.

    If `shared`, the binlog is on the WAL's emulated device, and its syncs join that queue. `rung`
    is what the tap leaves out, as for the WAL.
    """
    return {
        "WALTAX_TAP_BINLOG_DIR": str(folder),
        "WALTAX_TAP_BINLOG_PAGE": str(page),
        "WALTAX_TAP_BINLOG_MODEL": "same" if shared else "" if model is None else str(model),
        "WALTAX_TAP_BINLOG_RUNG": rung,
    }


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
    work, too; the log then has what the program passed to it. `folder` is as in `tap_environment`.
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
