"""Which commits had been acknowledged when the power failed, by the disk's own log.

The client appends each to a file on a file system of its own on the same disk, which is mounted so
that an append returns when it is in the log (`sync`) and that it makes nothing else durable
(`barrier=0`). An acknowledgement that stands before the cut was therefore given before it, and what
its commit waited for stands before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from waltax.base import proc
from waltax.base.errors import WaltaxError

from . import replay
from .log import Entry
from .replay import BlockCut, Region

_LINE = re.compile(rb"(\d+ ){3}\d+\n")


class AckDisk:
    """The file `name` in the root of the second file system, which held `base` at the start.

    Images go to `room`.
    """

    def __init__(
        self, base: Path, log: Sequence[Entry], region: Region, name: str, room: Path
    ) -> None:
        self._base, self._name, self._room = base, name, room
        self._log = replay.within(log, region)

    def before(self, entries: int) -> list[bytes]:
        """The acknowledgements, each with its line's end, that a cut after so many entries has."""
        image = self._room / "acks.img"
        replay.write(self._base, self._log, BlockCut(entries, "kept"), image)
        content = self._room / "acks.read"
        content.unlink(missing_ok=True)
        proc.run(["debugfs", "-R", f"dump /{self._name} {content}", image])
        lines = content.read_bytes().splitlines(keepends=True) if content.exists() else []
        image.unlink()
        whole = [bool(_LINE.fullmatch(line)) for line in lines]
        return lines[: whole.index(False)] if False in whole else lines

    def span(self) -> range:
        """The cuts of which some acknowledgement is in the log, up to the last one.

        Errors: WaltaxError when there is none.
        """
        count = len(self.before(len(self._log)))
        if not count:
            raise WaltaxError("the block log has no acknowledgement; record a longer run")
        cuts = range(len(self._log) + 1)
        first = bisect_left(cuts, 1, key=lambda entries: len(self.before(entries)))
        return range(
            first, bisect_left(cuts, count, key=lambda entries: len(self.before(entries))) + 1
        )
