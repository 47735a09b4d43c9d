"""How the recorder is put in front of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .. import proc
from ..errors import UsageError

_LIBRARY = "libwaltax_recorder.so"


def library() -> Path:
    """The built recorder. Errors: WaltaxError when it is not built."""
    return proc.program(_LIBRARY).absolute()


def recorder_environment(
    log: Path,
    roots: Sequence[Path],
    acks: Path | None = None,
    behind: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> dict[str, str]:
    """Environment variables that preload the recorder over a program of one process.

    It logs into `log`, which `log.create` made, what changes below the directories `roots`, which
    exist, and what is appended to `acks`. `behind` are the variables that preload the tap: the
    recorder goes first, since the tap makes its system calls itself and calls no one behind it.
    `folder` holds a copy of `library()` for a program whose user cannot reach the original.
    Errors: UsageError for a root whose name has a line break.
    """
    for root in roots:
        if "\n" in str(root):
            raise UsageError(f"{str(root)!r}: found a line break in its name; name another folder")
    variables = dict(behind or {})
    libraries = [_LIBRARY, *filter(None, [variables.get("LD_PRELOAD", "")])]
    own = library().parent if folder is None else folder
    folders = [str(own), *filter(None, [variables.get("LD_LIBRARY_PATH", "")])]
    return variables | {
        # By their names, since LD_PRELOAD would split their paths at a space.
        "LD_PRELOAD": ":".join(libraries),
        "LD_LIBRARY_PATH": ":".join(dict.fromkeys(folders)),
        "WALTAX_RECORDER_LOG": str(log),
        "WALTAX_RECORDER_ROOTS": "\n".join(map(str, roots)),
        "WALTAX_RECORDER_ACKS": "" if acks is None else str(acks),
    }
