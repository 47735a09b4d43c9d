"""A checked configuration: every value is known, has its type and range, and fits the others."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ... import engines
from ...base.errors import UsageError, meant
from ...base.printable import shorten
from ...driver.argv import Scalar
from ...driver.original.properties import Properties
from .keys import (
    KEYS,
    LINK_ACCESSES,
    LINK_OPERATIONS,
    LOAD_GENERATORS,
    NODE_ACCESSES,
    NODE_OPERATIONS,
    OF_THE_ENGINE,
    RUN_GENERATORS,
    UNCORRELATED,
    Phase,
)
from .properties import Config, find

_ARITHMETIC = ("nlinks_config", "nlinks_default")
_MIX_TOLERANCE = 1e-5  # the original's, in percent
_STOCK_DATA_FILE = "Distribution.dat"


@dataclass(frozen=True)
class Settings:
    """Values by key, the original's defaults included; a key without either is absent.

    `notes` say what differs from what was written, `warnings` what is probably wrong.
    """

    values: Mapping[str, Scalar]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    data_file: Path | None  # None: the built-in out-degrees

    def whole(self, name: str) -> int:
        """Return a value that its kind has made a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def parameters(self, phase: Phase) -> dict[str, Scalar]:
        """Return the driver's flags for one phase, as `driver.argv` takes them."""
        flags = {name: value for name, value in self.values.items() if phase in KEYS[name].flag}
        if self.data_file is not None:
            flags["data_file"] = str(self.data_file)
        if self.values["nlinks_func"] != "real":
            flags |= {name: self.values[name] for name in _ARITHMETIC}
        for name in _generators(phase):
            if name in self.values:  # a uniform one is a motif distribution without repetition
                motif, uniqueness = self.values[name] == "motif", f"{name}_uniqueness"
                flags[uniqueness] = self.values[uniqueness] if motif else 1.0
        return flags | self._multiget() if phase is Phase.RUN else flags

    def _multiget(self) -> dict[str, Scalar]:
        """Return how many links a multiget requests: one without a distribution."""
        if "link_multiget_dist" not in self.values:
            return {"link_multiget_min": 0, "link_multiget_max": 2}
        return {
            f"link_multiget_{end}": self.values[f"link_multiget_dist_{end}"]
            for end in ("min", "max", "prob")
        }


def check(config: Config, phases: Collection[Phase], engine: str = engines.EMBEDDED) -> Settings:
    """Return the settings of `config`, if they are enough for `phases` on `engine`.

    Errors: UsageError with the key, its file and line, what was found and what is accepted.
    """
    written = {
        name: prop
        for name, prop in config.properties.items()
        if name != "link_multiget_dist" or prop.value.strip()  # blank: none, as in the original
    }
    known = {name: prop for name, prop in written.items() if name in KEYS}
    defaults = {name: key.default for name, key in KEYS.items() if key.default is not None}
    values = defaults | {name: _parsed(name, known) for name in known}
    _Rules(values, config).check(phases)
    data_file, lost = _data_file(config, values)
    warnings = [
        f"{prop.origin}: {name}: unknown key, ignored{meant(name, KEYS)}"
        for name, prop in written.items()
        if name not in KEYS
    ]
    warnings += _without_effect(known, dead=True)
    served = engine in engines.SERVED
    if served:
        warnings += [
            f"{known[name].origin}: {name}: no effect: it is the server's own setting, from when "
            "it was started (waltax serve --wal MODE --profile NAME)"
            for name in known
            if name in OF_THE_ENGINE
        ]
        values = {name: value for name, value in values.items() if name not in OF_THE_ENGINE}
    # DEVIATION T20
    warnings += [
        f"{prop.origin}: {name}: blanks after the value, where the original would fail"
        for name, prop in known.items()
        if KEYS[name].kind.trimmed and prop.value != prop.value.rstrip()
    ]
    store = known["linkstore"].value.strip().rpartition(".")[2]
    place = f"runs on {engine} here, by SQL" if served else "runs on embedded RocksDB here"
    notes = (f"{store}: {place}", *_without_effect(known, dead=False))
    return Settings(values, notes, (*warnings, *lost), data_file)


def _parsed(name: str, written: Properties) -> Scalar:
    prop, kind = written[name], KEYS[name].kind
    try:
        return kind.parse(prop.value.strip() if kind.trimmed else prop.value)
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {name}: found {shorten(prop.value)!r}, want {kind.accepted}"
        ) from None


def _without_effect(known: Iterable[str], *, dead: bool) -> list[str]:
    """Return a line for each reason why keys have no effect."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for name in known:
        if KEYS[name].unused and KEYS[name].dead is dead:
            by_reason[KEYS[name].unused].append(name)
    return [f"{', '.join(names)}: no effect: {reason}" for reason, names in by_reason.items()]


def _data_file(config: Config, values: Mapping[str, Scalar]) -> tuple[Path | None, list[str]]:
    """Return the user's out-degrees, and a warning when only the stock ones are missing."""
    relative = str(values.get("data_file", "")).strip()
    if not relative or values["nlinks_func"] != "real":
        return None, []
    path, tried = find(relative, config.roots)
    if path is not None:
        return path.resolve(), []
    origin = config.properties["data_file"].origin
    if Path(relative).name != _STOCK_DATA_FILE:
        raise UsageError(
            f"{origin}: data_file: found {shorten(relative)!r}, but there is no {tried}"
        )
    return None, [f"{origin}: data_file: there is no {tried}; using the built-in copy of its CDF"]


def _generators(phase: Phase) -> tuple[str, ...]:
    return LOAD_GENERATORS + (RUN_GENERATORS if phase is Phase.RUN else ())


@dataclass(frozen=True)
class _Rules:
    """Rules between several keys."""

    values: Mapping[str, Scalar]
    config: Config

    def check(self, phases: Collection[Phase]) -> None:
        """Refuse the first key that is missing or contradicts another. Errors: UsageError."""
        for phase in phases:
            needed = [name for name, key in KEYS.items() if phase in key.needed]
            self._want(needed, f"and the {phase} phase needs it")
        self._want_more("maxid1", "startid1")
        function = self.values["nlinks_func"]
        if function != "real":
            self._want(_ARITHMETIC, f"and nlinks_func {function} needs it")
        if function in ("perfect_squares", "exponential") and self._number("nlinks_config") < 2:
            raise self._refused("nlinks_config", f"at least 2 with nlinks_func {function}")
        for name in dict.fromkeys(name for phase in phases for name in _generators(phase)):
            if name in self.values:  # only for phases that run
                if self.values[name] == "motif":
                    self._want([f"{name}_uniqueness"], "and MotifDataGenerator needs it")
                self._want_more(f"{name}_endbyte", f"{name}_startbyte")
        if Phase.RUN in phases:
            self._check_requests()

    def _check_requests(self) -> None:
        operations = LINK_OPERATIONS + NODE_OPERATIONS
        total = math.fsum(self._number(name) for name in operations)
        if abs(total - 100) > _MIX_TOLERANCE:
            raise UsageError(
                f"{self.config.path}: {', '.join(operations)}: found a sum of {total:.10g}, "
                "want 100"
            )
        accesses = list(LINK_ACCESSES)
        if any(self._number(name) > 0 for name in NODE_OPERATIONS):
            accesses += NODE_ACCESSES
        if self._number(f"{UNCORRELATED}blend") > 0:
            accesses.append(UNCORRELATED)
        for prefix in accesses:
            self._check_access(prefix)
        if "link_multiget_dist" in self.values:
            names = [f"link_multiget_dist_{end}" for end in ("min", "max", "prob")]
            self._want(names, "and link_multiget_dist needs it")
            self._want_more("link_multiget_dist_max", "link_multiget_dist_min")

    def _check_access(self, prefix: str) -> None:
        self._want([f"{prefix}function"], "and the run phase needs it")
        function = self.values[f"{prefix}function"]
        parameter = {"zipf": "shape", "geometric": "prob"}.get(str(function))
        if parameter is not None:
            self._want([f"{prefix}{parameter}"], f"and {prefix}function needs it")
        if parameter == "shape" and self._number(f"{prefix}shape") == 1:
            raise self._refused(f"{prefix}shape", "a number near it, such as 0.999")

    def _number(self, name: str) -> float:
        value = self.values[name]
        assert isinstance(value, int | float)
        return value

    def _refused(self, name: str, wanted: str) -> UsageError:
        prop = self.config.properties.get(name)
        origin = "default" if prop is None else prop.origin
        return UsageError(f"{origin}: {name}: found {self.values[name]}, want {wanted}")

    def _want(self, names: Iterable[str], why: str) -> None:
        for name in names:
            if name not in self.values:
                raise UsageError(
                    f"{self.config.path}: {name}: missing, {why}; want {KEYS[name].kind.accepted}"
                )

    def _want_more(self, name: str, than: str) -> None:
        least = self._number(than)
        if self._number(name) <= least:
            raise self._refused(name, f"more than {than}, {least:.0f}")
