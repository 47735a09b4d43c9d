"""Whether a setting holds: the value that a profile asks for, beside the one that its engine shows.

The two may spell one value differently: on and 1, 64M and 67108864, 0.2 and 0.200000. Not judged is
what an engine chooses itself where it is asked for 0 or less, and what it shows as another kind of
value, such as the name of a number. Sizes may be rounded to whole blocks.
"""

from __future__ import annotations

import math
import re

from ..workload import Parameter

_SWITCHES = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_SIZE = re.compile(r"(-?[0-9]+)([kmgtpe]?)")
_BY_DEFAULT = (1 << 63) - 1  # from here on RocksDB's numbers mean that it chooses
BLOCK = 16384
"""The largest to whose multiples a server rounds without a word."""


def holds(asked: Parameter, shown: str, step: int = BLOCK, *, exactly: bool = False) -> bool:
    """Whether `shown` is what was `asked` for, or cannot be compared with it.

    `step`: less than which the engine may round a size by. `exactly`: 0 is a number like any other,
    and no beginning of a word stands for it.
    """
    want, have = _value(str(asked)), _value(shown)
    if isinstance(want, str) and isinstance(have, str) and not exactly:
        words = have.split(",")
        return all(any(word.startswith(part) for word in words) for part in want.split(","))
    if exactly or want == have:
        return want == have
    if isinstance(want, str) or isinstance(have, str):
        return True
    if isinstance(want, bool) or isinstance(have, bool):
        return not {want, have} <= {0, 1}
    rounded = have > 0 and have % 1024 == 0 and abs(have - want) < step
    close = math.isclose(want, have, abs_tol=1e-6) and not isinstance(want, int)
    return want <= 0 or want >= _BY_DEFAULT or rounded or close


def _value(text: str) -> str | float:
    """A switch, a number, or words as they are compared."""
    text = re.sub("utf8(?!mb)", "utf8mb3", text.strip().lower().replace(" ", ""))
    if text in _SWITCHES:
        return _SWITCHES[text]
    if size := _SIZE.fullmatch(text):
        return int(size[1]) << 10 * " kmgtpe".index(size[2] or " ")
    try:
        return float(text)
    except ValueError:
        return text
