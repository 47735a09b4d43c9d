"""What several keys of a configuration must agree on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...driver.argv import Scalar
from ...errors import UsageError
from .keys import (
    KEYS,
    LINK_ACCESSES,
    LINK_OPERATIONS,
    LOAD_GENERATORS,
    NODE_ACCESSES,
    NODE_OPERATIONS,
    RUN_GENERATORS,
    UNCORRELATED,
    Phase,
)

ARITHMETIC = ("nlinks_config", "nlinks_default")
_MIX_TOLERANCE = 1e-5  # the original's, in percent


@dataclass(frozen=True)
class Facts:
    """Values by key, where each was written, and the file to name when one is missing."""

    values: Mapping[str, Scalar]
    origins: Mapping[str, str]
    path: str

    def number(self, name: str) -> float:
        value = self.values[name]
        assert isinstance(value, int | float)
        return value

    def refuse(self, name: str, wanted: str) -> UsageError:
        origin = self.origins.get(name, "default")
        return UsageError(f"{origin}: {name}: found {self.values[name]}, want {wanted}")

    def want(self, names: Iterable[str], why: str) -> None:
        """Refuse the first of `names` that has no value. Errors: UsageError."""
        for name in names:
            if name not in self.values:
                raise UsageError(
                    f"{self.path}: {name}: missing, {why}; want {KEYS[name].kind.accepted}"
                )


def check(facts: Facts, phases: Collection[Phase]) -> None:
    """Refuse the first key that is missing or contradicts another. Errors: UsageError."""
    for phase in phases:
        needed = [name for name, key in KEYS.items() if phase in key.needed]
        facts.want(needed, f"and the {phase} phase needs it")
    _graph(facts)
    _generators(facts, LOAD_GENERATORS)
    if Phase.RUN in phases:
        _mix(facts)
        _accesses(facts)
        _generators(facts, RUN_GENERATORS)
        _multiget(facts)


def _graph(facts: Facts) -> None:
    start = facts.number("startid1")
    if facts.number("maxid1") <= start:
        raise facts.refuse("maxid1", f"more than startid1, {start:.0f}")
    function = facts.values["nlinks_func"]
    if function == "real":
        return
    facts.want(ARITHMETIC, f"and nlinks_func {function} needs it")
    if function in ("perfect_squares", "exponential") and facts.number("nlinks_config") < 2:
        raise facts.refuse("nlinks_config", f"at least 2 with nlinks_func {function}")


def _generators(facts: Facts, generators: Iterable[str]) -> None:
    for name in generators:
        if name not in facts.values:
            continue  # a generator of a phase that does not happen
        if facts.values[name] == "motif":
            facts.want([f"{name}_uniqueness"], "and MotifDataGenerator needs it")
        start = facts.number(f"{name}_startbyte")
        if facts.number(f"{name}_endbyte") <= start:
            raise facts.refuse(f"{name}_endbyte", f"more than {name}_startbyte, {start:.0f}")


def _mix(facts: Facts) -> None:
    total = math.fsum(facts.number(name) for name in LINK_OPERATIONS + NODE_OPERATIONS)
    if abs(total - 100) > _MIX_TOLERANCE:
        names = ", ".join(LINK_OPERATIONS + NODE_OPERATIONS)
        raise UsageError(f"{facts.path}: {names}: found a sum of {total:.10g}, want 100")


def _accesses(facts: Facts) -> None:
    accesses = list(LINK_ACCESSES)
    if any(facts.number(name) > 0 for name in NODE_OPERATIONS):
        accesses += NODE_ACCESSES
    if facts.number(f"{UNCORRELATED}blend") > 0:
        accesses.append(UNCORRELATED)
    for prefix in accesses:
        facts.want([f"{prefix}function"], "and the run phase needs it")
        function = facts.values[f"{prefix}function"]
        if function == "zipf":
            facts.want([f"{prefix}shape"], f"and {prefix}function needs it")
            if facts.number(f"{prefix}shape") == 1:
                raise facts.refuse(f"{prefix}shape", "a number near it, such as 0.999")
        elif function == "geometric":
            facts.want([f"{prefix}prob"], f"and {prefix}function needs it")


def _multiget(facts: Facts) -> None:
    if "link_multiget_dist" not in facts.values:
        return
    names = [f"link_multiget_dist_{end}" for end in ("min", "max", "prob")]
    facts.want(names, "and link_multiget_dist needs it")
    low = facts.number("link_multiget_dist_min")
    if facts.number("link_multiget_dist_max") <= low:
        raise facts.refuse("link_multiget_dist_max", f"more than link_multiget_dist_min, {low:.0f}")
