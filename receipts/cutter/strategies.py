"""The table of crash states: which bytes and which names each has that were not synced."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..log import Call
from . import content

Failure = Literal["kill", "power"]
Change = Callable[[bytearray, Sequence[Call], int, random.Random], None]


@dataclass(frozen=True)
class Strategy:
    """`failure` is what leaves such a state; `names` a key of each model of `names.MODELS`."""

    failure: Failure
    content: Change
    names: Literal["all", "durable", "some"]
    help: str


STRATEGIES: dict[str, Strategy] = {
    "kill": Strategy("kill", content.kept, "all", "all that the process gave to the kernel"),
    "kept": Strategy("power", content.kept, "all", "all of it reached the disk by chance"),
    "dropped": Strategy("power", content.dropped, "durable", "nothing that was not synced"),
    "empty": Strategy("power", content.dropped, "all", "names without their content"),
    "nameless": Strategy("power", content.kept, "durable", "content without its names"),
    "prefix": Strategy("power", content.prefix, "some", "the first bytes, the last sector torn"),
    "sectors": Strategy("power", content.sectors, "some", "any sectors of 512 bytes"),
}
