"""Foreign programs: run one to its end, or keep one that dies with us."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from .errors import WaltaxError

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def build_dir() -> Path:
    """Where the C++ programs are: build/release, or $WALTAX_BUILD_DIR."""
    root = Path(__file__).parent
    return root / os.environ.get("WALTAX_BUILD_DIR", "build/release")


def program(name: str) -> Path:
    """The path of one of our own built programs or libraries."""
    path = build_dir() / name
    if not path.exists():
        raise WaltaxError(f"{name}: not built in {path.parent}; run: make setup")
    return path


def run(argv: Sequence[str | Path], *, check: bool = True, timeout_s: float | None = None) -> str:
    """Run `argv` to its end and return its standard output.

    Errors: WaltaxError with the command, its exit code and its standard error.
    """
    words = [str(word) for word in argv]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout_s, check=False)
    except FileNotFoundError as error:
        raise WaltaxError(f"{words[0]}: no such program; run: make setup") from error
    if check and done.returncode != 0:
        raise WaltaxError(
            f"{' '.join(words)}: exit code {done.returncode}: {done.stderr.strip() or 'no message'}"
        )
    return done.stdout


def dying_with_us() -> Callable[[], None]:
    """What a child must call before it becomes its program, to be killed when we die.

    A change of user takes it back, so the user must be dropped before.
    """
    parent = os.getpid()

    def die_with_parent() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the prctl
            os._exit(1)

    return die_with_parent


def spawn(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    stderr: IO[bytes] | int | None = None,
) -> subprocess.Popen[bytes]:
    """Start `argv` with pipes on its standard input and output.

    The kernel kills it when this process dies, whatever killed this process; a stopped
    child included. It sits in its own process group, so that a Ctrl-C at the terminal
    reaches only us and the child's slice can be finished.
    """
    return subprocess.Popen(
        [str(word) for word in argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, **(env or {})},
        preexec_fn=dying_with_us(),
        process_group=0,
    )
