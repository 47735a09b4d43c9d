"""How the tap is put in front of a program, with its recorder or without.

They are one library, devices/preload/hooks/start.c, which its environment tells what to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import proc
from ..errors import UsageError

_LIBRARY = "libwaltax_tap.so"


@dataclass(frozen=True)
class DataReads:
    """Reads of an engine's data files below `folder` last `latency_us` at least."""

    folder: Path
    latency_us: int


def library() -> Path:
    """The built tap. Errors: WaltaxError when it is not built."""
    return proc.program(_LIBRARY).absolute()


def tap_environment(
    wal_dir: Path,
    page: Path,
    model: Path | None = None,
    folder: Path | None = None,
    rung: str = "",
    reads: DataReads | None = None,
    device: Path | None = None,
) -> dict[str, str]:
    """Environment variables that preload the tap; without a model it only observes.

    `rung` is what it leaves out of the device, one of `cell.TAP_RUNGS`; "" is nothing. `folder`
    holds a copy of `library()` for a program whose user cannot reach the original. Without `reads`
    data files are read as they are. `device` is the page whose emulated device is written to, with
    whose syncs these queue; None: that of `page`.
    """
    return {
        **_loading(folder),
        "WALTAX_TAP_WAL_DIR": str(wal_dir),
        "WALTAX_TAP_PAGE": str(page),
        "WALTAX_TAP_MODEL": "" if model is None else str(model),
        "WALTAX_TAP_DEVICE": "" if device is None else str(device),
        "WALTAX_TAP_RUNG": rung,
        "WALTAX_TAP_DATA_DIR": "" if reads is None else str(reads.folder),
        "WALTAX_TAP_READ_NS": "" if reads is None else str(reads.latency_us * 1000),
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
