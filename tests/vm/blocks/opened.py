"""What a disk holds after a cut: mounted by this machine's kernel, opened by the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.crash.runs import states
from waltax.crash.runs.engine import Engine
from waltax.crash.runs.recording import CHECK_S
from waltax.driver.client import Driver, Event

# In a name space of its own, a mount and its loop device end with the process.
_ALONE = ("unshare", "--mount", "--propagation", "private", "sh", "-euc")
_MOUNT = 'mount -t ext4 -o loop,nodev,nosuid,noexec "$1" "$2"; '
_RECOVER = _MOUNT + 'umount "$2"; e2fsck -fn "$1" >&2'
_ENTER = _MOUNT + 'shift 2; exec "$@"'


@dataclass(frozen=True)
class Opened:
    """What one state came to. `problem` is the first word on what is wrong with it, or None.

    `sound` says that the file system has no fault after the kernel's recovery. What cannot be
    mounted or opened has lost all that was acknowledged.
    """

    sound: bool
    opens: bool
    consistent: bool
    acknowledged: int
    lost: int
    problem: str | None


def require_mounts(image: Path, room: Path) -> None:
    """Errors: WaltaxError when this machine does not mount the file system `image`."""
    _recovered(image, room)


def check_line(image: Path, place: Path, acks: Path, folders: tuple[str, str]) -> list[str]:
    """The command that mounts an image at `place`, for itself alone, and checks what is in it."""
    db, wal = (place / name for name in folders)
    line = Engine().argv("check", db, wal, parameters={"acks": str(acks)})
    return [*_ALONE, _ENTER, "sh", str(image), str(place), *line]


def opened(
    write: Callable[[Path], None], acks: Sequence[bytes], room: Path, folders: tuple[str, str]
) -> Opened:
    """Have the state that `write` writes to a file looked at, and told of `acks`.

    `folders` are where in it database and log lie. An engine changes what it opens, so each look
    is at an image that was written anew.
    """
    count = len(acks)
    try:
        _recovered(_written(write, room), room)
    except WaltaxError as error:
        return Opened(False, False, False, count, count, _first_line(error))
    try:
        event = _checked(_image(room), acks, room, folders)
    except WaltaxError as error:
        return Opened(True, False, False, count, count, _first_line(error))
    finally:
        _image(room).unlink()
    consistent, lost = states.is_consistent(event), event["acknowledged"]["lost"]
    return Opened(True, True, consistent, count, lost, states.problem_of(event))


def _first_line(error: WaltaxError) -> str:
    return str(error).strip().splitlines()[-1]


def _image(room: Path) -> Path:
    return room / "state.img"


def _written(write: Callable[[Path], None], room: Path) -> Path:
    _image(room).unlink(missing_ok=True)
    write(_image(room))
    return _image(room)


def _mount_point(room: Path) -> Path:
    place = room / "mounted"
    place.mkdir(exist_ok=True)
    return place


def _recovered(image: Path, room: Path) -> None:
    """The kernel replays the journal. Errors: WaltaxError when it cannot, or leaves a fault."""
    proc.run([*_ALONE, _RECOVER, "sh", image, _mount_point(room)])


def _checked(image: Path, acks: Sequence[bytes], room: Path, folders: tuple[str, str]) -> Event:
    told = room / "told"
    told.write_bytes(b"".join(acks))
    checker = Driver(None, check_line(image, _mount_point(room), told, folders))
    try:
        return checker.wait_for("check", within_s=CHECK_S)
    finally:
        checker.kill()
