"""How the tap is put in front of a program, with its recorder or without.

They are one library, devices/preload/hooks/start.c, which its environment tells what to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base import proc
from ..base.errors import UsageError

_LIBRARY = "libwaltax_tap.so"


def library() -> Path:
    """The built tap. Errors: WaltaxError when it is not built."""
    return proc.program(_LIBRARY).absolute()


def tap_environment(
    wal_dir: Path,
    page: Path,
    model: Path | None = None,
    folder: Path | None = None,
    device: Path | None = None,
) -> dict[str, str]:
    """Environment variables that preload the tap; without a model it only observes.

    `folder` holds a copy of `library()` for a program whose user cannot reach the original.
    `device` is the page whose emulated device is written to, with whose syncs these queue; None:
    that of `page`.
    """
    return {
        **_loading(folder),
        "WALTAX_TAP_WAL_DIR": str(wal_dir),
        "WALTAX_TAP_PAGE": str(page),
        "WALTAX_TAP_MODEL": "" if model is None else str(model),
        "WALTAX_TAP_DEVICE": "" if device is None else str(device),
        # What an axis of the cell may say: a rung, and how long a read of its data takes.
        "WALTAX_TAP_RUNG": "",
        "WALTAX_TAP_DATA_DIR": "",
        "WALTAX_TAP_READ_NS": "",
    }


def binlog_environment(
    folder: Path, page: Path, model: Path | None, *, shared: bool
) -> dict[str, str]:
    """What the tap is told besides of a server's second log, which it counts in a page of its own.

    `shared`: the binlog is on the WAL's emulated device, whose syncs it then queues with.
    """
    return {
        "WALTAX_TAP_BINLOG_DIR": str(folder),
        "WALTAX_TAP_BINLOG_PAGE": str(page),
        "WALTAX_TAP_BINLOG_MODEL": "same" if shared else "" if model is None else str(model),
    }


def recorder_environment(
    log: Path,
    roots: Sequence[Path],
    acks: Path | None = None,
    tapped: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> dict[str, str]:
    """Environment variables that have a program of one process recorded.

    It logs into `log`, which `receipts.log.create` made, what changes below the directories
    `roots`, which exist, and what is appended to `acks`. `tapped` are the variables of the tap, if
    it is to do its work, too: what is logged is what the program told it. `folder` is as that of
    `tap_environment`. Errors: UsageError for a root whose name has a line break.
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
    """What preloads the library. It goes by its name: LD_PRELOAD would split a path at a space."""
    return {
        "LD_PRELOAD": _LIBRARY,
        "LD_LIBRARY_PATH": str(library().parent if folder is None else folder),
    }
