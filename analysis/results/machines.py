"""On which machine rows were measured, and that those of one comparison and host are of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import WaltaxError
from ...row import Row
from .hosts import host_of

# A kernel keeps more or less of the memory for itself than the one before it.
_MEMORY_SHARE = 0.05


@dataclass(frozen=True)
class Machine:
    """What a machine's figures hang on, as rows have it; equal machines have equal ones."""

    cpu_model: str
    cores: int
    memory_gib: float
    kernel: str

    @property
    def words(self) -> str:
        return f"{self.cores} x {self.cpu_model}, {self.memory_gib:g} GiB, kernel {self.kernel}"


def machine_of(rows: Iterable[Row]) -> Machine | None:
    """The machine of all these rows; None where they do not say, or are of several."""
    names = tuple(Machine.__dataclass_fields__)
    found = {tuple(one.get(name) for name in names) for one in rows if one["status"] == "ok"}
    if len(found) != 1:
        return None
    values: tuple[Any, ...] = found.pop()
    return None if None in values else Machine(*values)


def told(machine: Machine) -> dict[str, Any]:
    """A machine for programs."""
    return asdict(machine)


def findings(kept: object) -> list[tuple[str, str, str]]:
    """Of `waltax doctor`, as a campaign keeps them: check, state, and text with advice."""
    each = [one for one in kept if isinstance(one, Mapping)] if isinstance(kept, list) else []
    names = ("check", "state", "text", "advice")
    told = [[str(one.get(key) or "") for key in names] for one in each]
    return [
        (check, state, f"{text}; {advice}" if advice else text)
        for check, state, text, advice in told
    ]


def require_one(rows: Iterable[Row]) -> None:
    """Errors: WaltaxError for rows of two machines, naming the campaigns and what differs.

    Each host is a machine of its own, on which alone ratios are taken. A kernel may be updated
    between two sessions: the cells of a session have the same one.
    """
    first: dict[tuple[str, str], Row] = {}
    for one in rows:
        for name in ("cpu_model", "cores", "memory_gib"):
            if one["status"] != "ok" or one.get(name) is None:
                continue
            before = first.setdefault((host_of(one), name), one)
            if not _alike(before[name], one[name]):
                raise WaltaxError(
                    f"found {name} {before[name]} ({_where(before)}) and {one[name]} "
                    f"({_where(one)}): rows of two machines are not to be compared; report them "
                    "separately"
                )


def _alike(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=_MEMORY_SHARE)
    return a == b


def _where(one: Row) -> str:
    host = f", host {host_of(one)}" if host_of(one) else ""
    return f"campaign {one['campaign']}, session {one['session']}{host}"
