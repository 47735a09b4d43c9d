"""Folders of ours as commands use them: for the length of a `with`, swept up, discarded."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..errors import UsageError, WaltaxError
from . import folder, machine, removal
from .folder import HALF, Folder, HeldError, NotOursError

_LOCK = ".lock"
_MOST = 3  # folders left alone that are named


@contextlib.contextmanager
def borrowed(
    parent: Path, prefix: str, kind: str, *, flag: str | None = None, mode: int = 0o700
) -> Iterator[Path]:
    """Make a folder below `parent` whose name begins with `prefix`; remove it at the end.

    Errors: UsageError when it cannot be made, naming `flag`, which sets the place.
    """
    with _explained(parent, flag):
        parent.mkdir(0o755, parents=True, exist_ok=True)
        made = folder.make(parent / f"{prefix}{secrets.token_hex(4)}", kind, mode)
    try:
        yield made.path
    finally:
        # A folder that cannot be removed keeps its marker, and the next sweep names it.
        with contextlib.suppress(OSError):
            made.remove()


@contextlib.contextmanager
def results(
    path: Path, begun: Callable[[], bool], *, flag: str = "--results", resumable: bool = True
) -> Iterator[None]:
    """Hold the folder of a campaign's results, which is made if it is missing.

    A new folder is removed again when an error ends the campaign before it has `begun`: there would
    be nothing to resume. Unless it is `resumable`, Ctrl-C has the same effect. Errors: WaltaxError
    when another process works on the campaign; UsageError when it cannot be made, naming `flag`.
    """
    in_vain = (WaltaxError,) if resumable else (WaltaxError, KeyboardInterrupt)
    is_first = not path.parent.exists()
    with _explained(path, flag):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.mkdir()
            is_new = True
        except FileExistsError:
            is_new = False
    require_own(path)
    try:
        with machine.open_lock(path / _LOCK) as handle:
            if not machine.try_lock(handle):
                raise WaltaxError(f"{path}: another process is working on this campaign")
            yield
    except in_vain:
        if is_new and not begun():
            removal.trees(path)
            if is_first:
                with contextlib.suppress(OSError):  # another campaign's folder may be there by now
                    path.parent.rmdir()
        raise


def require_own(path: Path) -> None:
    """Raise UsageError unless the folder is this user's and nobody else can put links into it.

    Root would write through such links.
    """
    info = path.stat()
    if info.st_uid != os.geteuid():
        raise UsageError(
            f"{path}: belongs to user {info.st_uid}, and waltax writes into no folder of another "
            "user's; type it as that user, or work on a copy"
        )
    if info.st_mode & stat.S_IWOTH:
        raise UsageError(f"{path}: everybody may write into it; type: chmod o-w {path}")


def discard(path: Path, kind: str, flag: str) -> None:
    """Remove waltax's folder at `path`, and what a killed removal left beside it.

    Do nothing if there is none. Errors: UsageError for what is not waltax's; WaltaxError when a
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
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be removed: {error}; remove it yourself") from error


def sweep(parent: Path, pattern: str, *kinds: str) -> list[str]:
    """Remove what killed processes of this user left behind, and nothing else.

    Folders in use and other users' folders are skipped silently. Return a sentence for each folder
    that is left alone because it is not waltax's, or cannot be removed.
    """
    left = []
    for path in sorted({*parent.glob(pattern), *parent.glob(f"{HALF}*")}):
        try:
            with contextlib.suppress(HeldError, FileNotFoundError):
                if path.lstat().st_uid == os.geteuid():
                    folder.remove_left(path, *kinds)
        except NotOursError as why:
            left.append(f"{path}: left alone: it {why}")
        except OSError as error:
            left.append(f"{path}: left alone: it cannot be removed: {error}")
    return left


def few(left: Sequence[str]) -> list[str]:
    """Return the first few of these sentences, and how many more there are."""
    more = len(left) - _MOST
    return [*left[:_MOST], *([f"and {more} more that waltax leaves alone"] if more > 0 else [])]


@contextlib.contextmanager
def _explained(path: Path, flag: str | None) -> Iterator[None]:
    """Turn an OSError into a UsageError that says how to choose another folder."""
    try:
        yield
    except OSError as error:
        named = "" if flag is None else f"{flag}: "
        instead = "" if flag is None else f"; name another directory with {flag}"
        raise UsageError(f"{named}{path}: cannot be written: {error.strerror}{instead}") from error


def existing(folder: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def require_writable(flag: str, folder: Path) -> None:
    """Raise UsageError unless files can be made in the folder, which need not exist yet."""
    place = existing(folder)
    if not place.is_dir():
        raise UsageError(f"{flag}: {place} is no directory; name another with {flag}")
    if not os.access(place, os.W_OK | os.X_OK):
        # The kernel gives this answer for a read-only file system, to root as well.
        raise UsageError(
            f"{flag}: {place} is read-only, or not writable for user {os.getuid()}; name another "
            f"directory with {flag}"
        )
