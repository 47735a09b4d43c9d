"""Foreign programs: starting them so that they die with us, running them, and their state."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from . import home
from .errors import WaltaxError

Child = subprocess.Popen[bytes]

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
# The guard reads nothing: the end of its pipe tells it that we are gone. The kernel may send SIGHUP
# to a stopped group when we die.
_GUARD = ("/bin/sh", "-c", "trap '' HUP; read -r _; kill -KILL 0")
_LONGEST_S = 600.0  # for a program that is run for its output
_LAST_LINES = 3  # of a program's output that a message quotes
_STATES = {"T": "stopped by a signal", "t": "stopped by a debugger", "D": "waiting for a disk"}


class TimedOut(WaltaxError):
    """A program that `run` killed because it did not finish in time."""


class NotBuilt(WaltaxError):
    """A program of ours has not been built."""


def program(name: str, folder: Path | None = None) -> Path:
    """Return the path of one of our own programs or libraries. Errors: NotBuilt.

    It is looked up in `folder`, by default `home.programs`. There an installed waltax builds it.
    """
    path = (folder or home.programs()) / name
    if not path.exists() and folder is None and home.IS_INSTALLED:
        _build(path.parent)
    if not path.exists():
        raise NotBuilt(f"{name}: not built in {path.parent}; run: {home.SET_UP}")
    return path


def _build(folder: Path) -> None:
    """Build all programs by the set-up of the repository, which says on stderr how far it is."""
    env = {"WALTAX_INSTALLED": "yes", "BUILD_DIR": str(folder), "SET_UP": home.SET_UP}
    with launched_group(["/bin/sh", home.ROOT / "setup.sh"], env=env) as child:
        code = child.wait()
    if code:
        raise NotBuilt("the C++ programs are missing, and cannot be built: see above")


def run(argv: Sequence[str | Path], *, check: bool = True, timeout_s: float = _LONGEST_S) -> str:
    """Run `argv` to its end and return its standard output.

    Whatever it started ends with it. Errors: WaltaxError with the command, its exit status and its
    standard error; TimedOut after `timeout_s`, naming the process that hangs.
    """
    words = [str(word) for word in argv]
    try:
        with launched_group(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            try:
                out, err = child.communicate(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                raise TimedOut(
                    f"{' '.join(words)}: not done in {timeout_s:g} s, and killed: "
                    f"{standing(child.pid)}"
                ) from None
    except FileNotFoundError as error:
        raise WaltaxError(f"{words[0]}: no such program; run: {home.SET_UP}") from error
    if check and child.returncode != 0:
        said = err.decode(errors="replace").strip() or "no message"
        raise WaltaxError(f"{' '.join(words)}: {how_ended(child.returncode)}: {said}")
    return out.decode(errors="replace")


def launch(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    process_group: int = 0,
    **choices: Any,
) -> Child:
    """Start `argv`. Every child process of ours is started here.

    The kernel kills the child when this process dies for any reason, even if the child is stopped.
    It has a process group of its own, so that Ctrl-C at the terminal reaches only us and the child
    can finish its work. Call this from a thread that lives as long as the child may: the kernel
    regards that thread as the parent.

    `env` extends our environment. `choices` are Popen's; stdin is empty by default. Errors:
    OSError when it cannot be started.
    """
    return subprocess.Popen(
        [str(word) for word in argv],
        env={**os.environ, **(env or {})},
        preexec_fn=dying_with_us(),
        process_group=process_group,
        **{"stdin": subprocess.DEVNULL, **choices},
    )


@contextmanager
def launched_group(argv: Sequence[str | Path], **choices: Any) -> Iterator[Child]:
    """Start `argv`, which may start others, for the length of a `with`; see `launch`.

    At the end, and when this process dies, everything in its process group is killed. The kernel
    kills only the child itself, so a guard leads the group.
    """
    with (
        subprocess.Popen(
            _GUARD,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # The guard may have been stopped with its group.
            preexec_fn=dying_with_us(signal.SIGCONT),
            process_group=0,
        ) as guard,
        launch(argv, process_group=guard.pid, **choices) as child,
    ):
        try:
            yield child
        finally:
            with suppress(ProcessLookupError):  # a server's end may have ended all
                os.killpg(guard.pid, signal.SIGKILL)


def any_ended(pids: Sequence[int], within_s: float) -> bool:
    """Wait for one of these processes to end; return False if none has `within_s`."""
    with ExitStack() as stack:
        handles = []
        for pid in pids:
            try:
                handles.append(os.pidfd_open(pid))
            except ProcessLookupError:
                return True
            stack.callback(os.close, handles[-1])
        return bool(select.select(handles, [], [], within_s)[0])


def used(child: Child, within_s: float) -> resource.struct_rusage | None:
    """Wait for a child's end and return what it used, with children that it waited for.

    It is None for a child that still runs after `within_s`.
    """
    if not any_ended([child.pid], within_s):
        return None
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage


def dying_with_us(by: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """Return the function that a child must call before it execs, to be killed when we die."""
    parent = os.getpid()

    def die_with_parent() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, by)
        if os.getppid() != parent:  # the parent died before the prctl
            os._exit(1)

    return die_with_parent


def how_ended(code: int) -> str:
    """Describe a `returncode`: "exit code 3", "killed by SIGKILL"."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:  # most real-time signals have no name
        return f"killed by signal {-code}"


def last_words(*outputs: str) -> str:
    """Return the last three lines of the first output that is not blank, joined; else ""."""
    for output in outputs:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        if lines:
            return " | ".join(lines[-_LAST_LINES:])
    return ""


def standing(pid: int) -> str:
    """Describe what a silent process is doing: "linkbench (pid 7) is stopped by a signal".

    When a process that it started hangs, that one is named instead.
    """
    try:
        first = psutil.Process(pid)
        everyone = [first, *first.children(recursive=True)]
        named = next((process for process in everyone if hangs(process.pid)), first)
        state = _state(named.pid)
        what = f"is {_STATES[state]}" if state in _STATES else "runs"
        return f"{named.name()} (pid {named.pid}) {what} (state {state})"
    except psutil.Error:
        return f"pid {pid} is gone"


def hangs(pid: int) -> bool:
    """Return whether a process is stopped or waits for a disk."""
    return _state(pid) in _STATES


def _state(pid: int) -> str:
    """Return a letter for a process: a thread that waits for a disk holds up all."""
    letters = ""
    with suppress(OSError):
        for task in sorted(Path(f"/proc/{pid}/task").iterdir(), key=lambda path: int(path.name)):
            # The program's name is in brackets and may hold anything.
            with suppress(OSError):
                letters += (task / "stat").read_text().rpartition(")")[2].split()[0]
    return next(filter(_STATES.__contains__, letters), letters[:1] or "?")
