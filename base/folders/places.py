"""Folders of ours as commands use them: for the length of a `with`, swept up, taken back."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError, WaltaxError
from . import folder, machine
from .folder import HALF, Folder, HeldError, NotOursError
from .removal import MountedError

_LOCK = ".lock"
_MOMENT_S = 60.0
_MOST = 3  # of the folders left alone that are named


@contextlib.contextmanager
def borrowed(
    parent: Path, prefix: str, kind: str, *, flag: str | None = None, mode: int = 0o700
) -> Iterator[Path]:
    """A new folder below `parent`, removed at the end; its name begins with `prefix`.

    Errors: UsageError when it cannot be made, naming `flag`, which says where it is to be.
    """
    with _explained(parent, flag):
        parent.mkdir(0o755, parents=True, exist_ok=True)
        made = folder.make_unique(parent, prefix, kind, mode)
    try:
        yield made.path
    finally:
        # What cannot be removed stays with its marker, for the next sweep to name.
        with contextlib.suppress(OSError, MountedError):
            made.remove()


@contextlib.contextmanager
def results(
    path: Path, begun: Callable[[], bool], *, flag: str = "--results", resumable: bool = True
) -> Iterator[None]:
    """Hold the folder of a campaign's results, which is made when it is not there yet.

    A new folder is removed again when an error ends the campaign before it has `begun`: nothing
    could go on with it. Where nothing is `resumable`, so it is when Ctrl-C ends it. From its end on
    it has no marker, so that waltax never removes it. Errors: WaltaxError when another process
    works on the campaign; UsageError when it cannot be made, naming `flag`.
    """
    in_vain = (WaltaxError,) if resumable else (WaltaxError, KeyboardInterrupt)
    with _explained(path, flag):
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not os.path.lexists(path)
        made = folder.make(path, "results", 0o777 & ~_umask()) if is_new else _begun_before(path)
    require_own(path)
    try:
        with machine.open_lock(path / _LOCK) as handle:
            if not machine.try_lock(handle):
                raise WaltaxError(f"{path}: another process is working on this campaign")
            yield
    except in_vain:
        if made is not None and is_new and not begun():
            with contextlib.suppress(OSError, MountedError):
                made.remove()
            made = None
        raise
    finally:
        if made is not None:
            made.disown()


def _begun_before(path: Path) -> Folder | None:
    """A campaign that was killed has left its marker, which its resume takes away."""
    with contextlib.suppress(NotOursError, HeldError, OSError):
        return Folder.take(path, "results")
    return None


def require_own(path: Path) -> None:
    """Errors: UsageError unless the folder is this user's, and no one else can put links into it.

    Root would write through them.
    """
    info = path.stat()
    if info.st_uid != os.geteuid():
        raise UsageError(
            f"{path}: belongs to user {info.st_uid}, and waltax writes into no folder of another "
            "user's; type it as that user, or work on a copy"
        )
    if info.st_mode & stat.S_IWOTH:
        raise UsageError(f"{path}: everybody may write into it; type: chmod o-w {path}")


def exposed(path: Path) -> str | None:
    """Who else could put another folder in the place of one below `path` while root works there."""
    if os.geteuid() != 0:
        return None
    for above in (path.absolute(), *path.absolute().parents):
        with contextlib.suppress(OSError):
            info = above.stat()
            shared = info.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
            if info.st_uid == 0 and (not shared or info.st_mode & stat.S_ISVTX):
                continue
            whose = f"belongs to user {info.st_uid}" if info.st_uid else "is open to others"
            return (
                f"{above} {whose}, who can put another folder in the place of one of ours while "
                "root works in it; run waltax as that user, or name a directory of root's"
            )
    return None


def discard(path: Path, kind: str, flag: str) -> None:
    """Remove what stands at `path`, which waltax made, and what a killed removal left beside it.

    Silent when there is nothing. Errors: UsageError for what is not waltax's; WaltaxError when a
    process works in it, or when it cannot be removed.
    """
    sweep(path.parent, f"{HALF}*", kind)
    if not os.path.lexists(path):
        return
    try:
        Folder.take(path, kind).remove()
    except NotOursError as why:
        raise UsageError(
            f"{path}: stands in the way and {why}, so waltax leaves it alone; move it away, or "
            f"name another directory with {flag}"
        ) from None
    except HeldError:
        raise WaltaxError(f"{path}: another process is working in it; wait for it") from None
    except (OSError, MountedError) as error:
        raise WaltaxError(f"{path}: cannot be removed: {error}; remove it yourself") from error


@dataclass(frozen=True)
class Swept:
    """What a look for leftovers came to."""

    removed: tuple[Path, ...] = ()
    left: tuple[str, ...] = ()  # a sentence for each thing that is not waltax's, or is not let go

    def __add__(self, other: Swept) -> Swept:
        return Swept(self.removed + other.removed, self.left + other.left)

    def left_words(self) -> list[str]:
        """What is left, for a screen: the first few, and how many more."""
        more = len(self.left) - _MOST
        told = list(self.left[:_MOST])
        return [*told, f"and {more} more that waltax leaves alone"] if more > 0 else told


def sweep(parent: Path, pattern: str, *kinds: str) -> Swept:
    """Remove what processes of this user left that were killed, and nothing else.

    What is in use, and what is another user's, is passed over in silence.
    """
    swept = Swept()
    for path in sorted({*parent.glob(pattern), *parent.glob(f"{HALF}*")}):
        try:
            if _removed(path, kinds):
                swept += Swept(removed=(path,))
        except NotOursError as why:
            if not _just_made(path):
                swept += Swept(left=(f"{path}: left alone: it {why}",))
        except (OSError, MountedError) as error:
            swept += Swept(left=(f"{path}: left alone: it cannot be removed: {error}",))
    return swept


def _just_made(path: Path) -> bool:
    """Whether it may be a half folder that gets its marker at this moment."""
    with contextlib.suppress(OSError):
        return path.name.startswith(HALF) and time.time() - path.lstat().st_mtime < _MOMENT_S
    return True


def _removed(path: Path, kinds: tuple[str, ...]) -> bool:
    """Whether `path` was a leftover. Errors: see `Folder.take` and `Folder.remove`."""
    with contextlib.suppress(HeldError, FileNotFoundError):
        if path.lstat().st_uid != os.geteuid():
            return False
        folder.remove_left(path, *kinds)
        return True
    return False


@contextlib.contextmanager
def _explained(path: Path, flag: str | None) -> Iterator[None]:
    """A folder that cannot be made, in our words."""
    try:
        yield
    except OSError as error:
        named = "" if flag is None else f"{flag}: "
        instead = "" if flag is None else f"; name another directory with {flag}"
        raise UsageError(f"{named}{path}: cannot be written: {error.strerror}{instead}") from error


def _umask() -> int:
    """The kernel shows it without changing it for a moment, as os.umask would."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o022
