"""One campaign on a machine at a time: two would measure each other."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..errors import WaltaxError

_PATH = Path(tempfile.gettempdir()) / "waltax.lock"


@contextlib.contextmanager
def only_campaign(name: str, path: Path = _PATH) -> Iterator[None]:
    """Hold the machine. The kernel gives it back however we end.

    Errors: WaltaxError naming the campaign that holds it.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = path.read_text().strip() or "another campaign"
            raise WaltaxError(
                f"{holder} is measuring on this machine, and two campaigns would measure each "
                "other; wait for it, or pass --share-machine if that is what you want"
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"campaign {name} (pid {os.getpid()})\n".encode(), 0)
        yield
    finally:
        os.close(handle)
