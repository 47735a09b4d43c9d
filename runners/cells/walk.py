"""How fast the machine's memory is now, by a short walk in native code (walk.c)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from ... import proc

_LIBRARY = "libwaltax_walk.so"


def step_ns() -> float:
    """Nanoseconds for one step through 1 MiB in random order; takes a millisecond or a few.

    Errors: WaltaxError when the library is not built.
    """
    return round(_walk()(), 2)


@cache
def _walk() -> Callable[[], float]:
    found = ctypes.CDLL(str(proc.program(_LIBRARY).absolute())).waltax_walk_ns
    found.restype = ctypes.c_double
    return lambda: float(found())
