"""Workload files and the words of -p, checked: every property known, in its range and at peace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...driver.argv import Scalar
from ...driver.original.properties import Properties, Property, override, read
from ...errors import UsageError, meant
from ...printable import shorten
from .keys import KEYS, SHARES, Key

_TOLERANCE = 1e-6  # of a sum of shares, as in the driver
_LONGEST_S = 10**7


@dataclass(frozen=True)
class Settings:
    """Values by property; one that was not given is absent. `notes` say what has no effect."""

    values: Mapping[str, Scalar]
    notes: tuple[str, ...]

    def data(self) -> dict[str, Scalar]:
        """Return the flags that the driver's load, run and check take."""
        return self._flags(of_data_only=True)

    def requests(self) -> dict[str, Scalar]:
        """Return the flags of the driver's run."""
        return self._flags(of_data_only=False)

    def _flags(self, *, of_data_only: bool) -> dict[str, Scalar]:
        return {
            key.flag: self.values[name]
            for name, key in KEYS.items()
            if key.flag
            and self.values.get(name) not in (None, key.endless)
            and (key.of_data or not of_data_only)
        }

    def whole(self, name: str, default: int) -> int:
        """Return a property that its kind has made a whole number."""
        value = self.values.get(name, default)
        assert isinstance(value, int)
        return value

    @property
    def threads(self) -> int:
        """Return how many there are, as in the original no more than operations."""
        threads, operations = self.whole("threadcount", 1), self.whole("operationcount", 0)
        return min(threads, operations or threads)

    @property
    def longest_s(self) -> int:
        """Return how long a run may take; the whole of it, where nothing was said."""
        return self.whole("maxexecutiontime", 0) or _LONGEST_S

    @property
    def operations_a_thread(self) -> tuple[int, int]:
        """Return each thread's operations, and how many threads do one more, so that all together
        are exactly what was asked for; 0: as many as there is time for.
        """
        return divmod(self.whole("operationcount", 0), self.threads)


def settle(files: Sequence[Path], words: Sequence[str]) -> Settings:
    """Read the files of -P, of which a later one wins, and the words of -p, which win over all.

    Errors: UsageError with the property, its file and line, what was found and what is accepted.
    """
    written: Properties = {}
    for path in files:
        written |= read(path)
    written |= dict(override("-p", word) for word in words)
    for name, prop in written.items():
        _refuse_unknown(name, prop)
    values = {name: _parse(KEYS[name], prop) for name, prop in written.items()}
    if "recordcount" not in values:
        raise UsageError(
            "recordcount: missing; give it in a file of -P, or as -p recordcount=100000"
        )
    _refuse_mix(values, written)
    _refuse_range(values, written)
    unused = [name for name in written if KEYS[name].unused]
    return Settings(values, tuple(f"{name}: no effect: {KEYS[name].unused}" for name in unused))


def require_end(settings: Settings) -> None:
    """Errors: UsageError for a run without an end."""
    if not settings.whole("operationcount", 0) and not settings.whole("maxexecutiontime", 0):
        raise UsageError(
            "operationcount: missing, and maxexecutiontime, too: a run would have no end; "
            "add -p operationcount=100000"
        )


def _refuse_unknown(name: str, prop: Property) -> None:
    if name in KEYS:
        return
    hint = meant(name, KEYS) or "; leave it out"
    raise UsageError(f"{prop.origin}: {shorten(name)}: unknown property{hint}")


def _parse(key: Key, prop: Property) -> Scalar:
    try:
        return key.kind.parse(prop.value.strip())
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {key.name}: found {shorten(prop.value)!r}, want {key.kind.accepted}"
        ) from None


def _refuse_mix(values: Mapping[str, Scalar], written: Properties) -> None:
    shares = {name: float(values.get(name, default)) for name, default in SHARES.items()}
    if abs(sum(shares.values()) - 1) <= _TOLERANCE:
        return
    told = ", ".join(
        f"{name} {share:g} ({_origin(name, written)})" for name, share in shares.items()
    )
    raise UsageError(f"{told}: found a sum of {sum(shares.values()):g}, want 1")


def _refuse_range(values: Mapping[str, Scalar], written: Properties) -> None:
    records, start, count = (
        int(values.get(name, 0)) for name in ("recordcount", "insertstart", "insertcount")
    )
    if start >= records:
        raise UsageError(
            f"{_origin('insertstart', written)}: insertstart: found {start}, want less than "
            f"recordcount, {records} ({_origin('recordcount', written)})"
        )
    if count > records - start:
        raise UsageError(
            f"{_origin('insertcount', written)}: insertcount: found {count} from {start} on, want "
            f"at most {records - start}: recordcount is {records} "
            f"({_origin('recordcount', written)})"
        )


def _origin(name: str, written: Properties) -> str:
    return written[name].origin if name in written else "by default"
