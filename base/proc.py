"""Foreign programs: started so that they end with us, run to their end, and how they stand."""

from __future__ import annotations

import ctypes
import os
import pwd
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TypedDict, Unpack

import psutil

from .errors import UsageError, WaltaxError

Child = subprocess.Popen[bytes]
Stream = IO[bytes] | int | None

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
# It has nothing to read: the pipe tells it by its end that we are gone. The kernel may hang up on a
# stopped group that loses us.
_GUARD = ("/bin/sh", "-c", "trap '' HUP; read -r _; kill -KILL 0")
_LONGEST_S = 600.0  # of a program that is run for what it prints
_LAST_LINES = 3  # that a message quotes of what a program printed
_STATES = {"T": "stopped by a signal", "t": "stopped by a debugger", "D": "waiting for a disk"}


class TimedOut(WaltaxError):
    """A program that `run` killed, since it was not done in time."""


def build_dir() -> Path:
    """Return where the C++ programs are: build/release, or $WALTAX_BUILD_DIR."""
    root = Path(__file__).parents[1]
    return root / os.environ.get("WALTAX_BUILD_DIR", "build/release")


class NotBuilt(WaltaxError):
    """A program of ours is not there."""


def program(name: str, folder: Path | None = None) -> Path:
    """Return the path of one of our own programs or libraries. Errors: NotBuilt.

    `folder` is where it is looked for, if not in `build_dir`.
    """
    path = (folder or build_dir()) / name
    if not path.exists():
        raise NotBuilt(f"{name}: not built in {path.parent}; run: make setup")
    return path


def run(argv: Sequence[str | Path], *, check: bool = True, timeout_s: float = _LONGEST_S) -> str:
    """Run `argv` to its end and return its standard output.

    Whatever it started ends with it. Errors: WaltaxError with the command, how it ended and its
    standard error; TimedOut after `timeout_s`, with what hangs.
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
        raise WaltaxError(f"{words[0]}: no such program; run: make setup") from error
    if check and child.returncode != 0:
        said = err.decode(errors="replace").strip() or "no message"
        raise WaltaxError(f"{' '.join(words)}: {how_ended(child.returncode)}: {said}")
    return out.decode(errors="replace")


class Choices(TypedDict, total=False):
    """How to start a child: as Popen has it, but `env` is added to ours, and stdin is empty.

    `groups` are control groups that it is born in, so that what it touches first counts there, too.
    """

    env: Mapping[str, str]
    cwd: Path
    stdin: Stream
    stdout: Stream
    stderr: Stream
    user: int
    group: int
    extra_groups: Sequence[int]
    pass_fds: Sequence[int]
    groups: Sequence[Path]


def launch(
    argv: Sequence[str | Path], *, process_group: int = 0, **choices: Unpack[Choices]
) -> Child:
    """Start `argv`. Every child of ours is started here.

    The kernel kills it when this process dies, whatever killed this process; a stopped child
    included. It sits in a process group of its own, so that a Ctrl-C at the terminal reaches only
    us and what the child does can be finished. Call it from a thread that lives as long as the
    child may: to the kernel that thread is the parent. Errors: OSError when it cannot be started.
    """
    with ExitStack() as stack:
        # Open before a child has another user, who might not be let in.
        doors = [
            stack.enter_context((group / "cgroup.procs").open("wb", buffering=0))
            for group in choices.get("groups", ())
        ]
        return _started([str(word) for word in argv], process_group, doors, choices)


def _started(
    words: list[str], process_group: int, doors: Sequence[IO[bytes]], choices: Choices
) -> Child:
    return subprocess.Popen(
        words,
        stdin=choices.get("stdin", subprocess.DEVNULL),
        stdout=choices.get("stdout"),
        stderr=choices.get("stderr"),
        env={**os.environ, **choices.get("env", {})},
        cwd=choices.get("cwd"),
        user=choices.get("user"),
        group=choices.get("group"),
        extra_groups=choices.get("extra_groups"),
        pass_fds=choices.get("pass_fds", ()),
        # In this order: the user is dropped first, then this runs.
        preexec_fn=_before_it_runs(doors),
        process_group=process_group,
    )


def _before_it_runs(doors: Sequence[IO[bytes]]) -> Callable[[], None]:
    """What a child does before it becomes its program: it goes into its groups."""
    die_with_us = dying_with_us()

    def prepare() -> None:
        die_with_us()
        for door in doors:
            door.write(b"0")  # the kernel's word for the process that writes

    return prepare


def was_stopped(pid: int) -> bool:
    """Whether a child was stopped, or went on after that, since this was asked last."""
    with suppress(ChildProcessError):
        asked = os.WSTOPPED | os.WCONTINUED | os.WNOHANG
        return os.waitid(os.P_PID, pid, asked) is not None
    return False


@contextmanager
def launched_group(argv: Sequence[str | Path], **choices: Unpack[Choices]) -> Iterator[Child]:
    """Start `argv`, which may start others, for the length of a `with`; see `launch`.

    At the end, and when this process dies, all that is in its process group is killed. The kernel
    does that to the child alone, so a guard leads the group.
    """
    guard = subprocess.Popen(
        _GUARD,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # It may have been stopped with its group.
        preexec_fn=dying_with_us(signal.SIGCONT),
        process_group=0,
    )
    child: Child | None = None
    try:
        child = launch(argv, process_group=guard.pid, **choices)
        yield child
    finally:
        with suppress(ProcessLookupError):
            os.killpg(guard.pid, signal.SIGKILL)
        for process in filter(None, (child, guard)):
            _forget(process)


def _forget(child: Child) -> None:
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def dying_with_us(by: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """Return what a child must call before it becomes its program, to be killed when we die.

    A change of user takes it back, so the user must be dropped before.
    """
    parent = os.getpid()

    def die_with_parent() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, by)
        if os.getppid() != parent:  # it died before the prctl
            os._exit(1)

    return die_with_parent


def how_ended(code: int) -> str:
    """Say what a `returncode` means: "exit code 3", "killed by SIGKILL"."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:  # most of the real-time signals have no name
        return f"killed by signal {-code}"


def user_name(otherwise: str) -> str:
    """Return the name of the user who runs us. Errors: UsageError without one, with `otherwise`."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        user = os.geteuid()
        raise UsageError(
            f"user {user} has no name (getent passwd {user} finds none), and {otherwise}"
        ) from None


def last_words(*outputs: str) -> str:
    """Return the last three lines of the first output that says anything, as one; else ""."""
    for output in outputs:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        if lines:
            return " | ".join(lines[-_LAST_LINES:])
    return ""


def standing(pid: int) -> str:
    """Say what a process that does not answer is doing: "linkbench (pid 7) is stopped by a signal".

    When what it started hangs, that is named instead.
    """
    try:
        first = psutil.Process(pid)
        everyone = [first, *first.children(recursive=True)]
    except psutil.Error:
        return f"pid {pid} is gone"
    hung = [words for words in map(_hung, everyone) if words]
    return hung[0] if hung else f"{_named(first)} runs (state {_letters(pid)[:1] or '?'})"


def hangs(pid: int) -> bool:
    """Say whether a process is stopped, or waits for a disk."""
    return any(letter in _STATES for letter in _letters(pid))


def _hung(process: psutil.Process) -> str | None:
    hung = [letter for letter in _letters(process.pid) if letter in _STATES]
    return f"{_named(process)} is {_STATES[hung[0]]} (state {hung[0]})" if hung else None


def _named(process: psutil.Process) -> str:
    name = "a program"
    with suppress(psutil.Error):
        name = process.name()
    return f"{name} (pid {process.pid})"


def _letters(pid: int) -> str:
    """Return the state of each thread as a letter: one that waits for a disk holds up all."""
    letters = ""
    with suppress(OSError):
        for task in sorted(Path(f"/proc/{pid}/task").iterdir(), key=lambda path: int(path.name)):
            # The program's name is in brackets and may hold anything.
            with suppress(OSError):
                letters += (task / "stat").read_text().rpartition(")")[2].split()[0]
    return letters
