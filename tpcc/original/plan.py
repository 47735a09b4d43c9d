"""What a run was asked to do, checked as far as that needs no driver."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...driver.argv import Parameters
from ...driver.original.place import AnyPlace, Place, ServerPlace
from ...errors import UsageError

MOST_CONNECTIONS = 1024
TRANSIENT = ("memory", "null")
"""The stores that are gone with their driver."""
# Clause 4.2.2.
_TERMINALS_PER_WAREHOUSE = 10


@dataclass(frozen=True)
class Plan:
    """A run that was asked for. Its times are in seconds."""

    place: AnyPlace
    seed: int
    warehouses: int  # 0: as many as the data set has
    connections: int
    rampup_s: int
    measure_s: int
    interval_s: int
    limits_s: tuple[float, ...]
    store: str
    paced: bool
    rate: int  # transactions per second over all connections; 0: a closed loop
    terminals: int  # 0: one for each connection
    ack_log: Path | None

    @property
    def keeps_data(self) -> bool:
        """Whether the store outlives its driver."""
        return self.store not in TRANSIENT

    def parameters(self) -> Parameters:
        """Return flags of the driver. Failures end no run: they are counted, and fail it then."""
        acks = {} if self.ack_log is None else {"ack_log": str(self.ack_log)}
        return {
            "store": self.store,
            "warehouses": self.warehouses,
            "terminals": self.terminals,
            "paced": self.paced,
            "rate": self.rate,
            "max_failed_requests": -1,
            **acks,
        }

    def shown(self) -> dict[str, object]:
        """Return every effective option, for people."""
        pacing = "keying and think times" if self.paced else "none"
        limits = " ".join(f"{limit:g}" for limit in self.limits_s)
        return {
            "store": self.store,
            **(self.place.shown() if self.keeps_data else {}),
            "warehouse": self.warehouses or "all of the data set",
            "connection": self.connections,
            "terminals": self.terminals or self.connections,
            "rampup": f"{self.rampup_s} (sec.)",
            "measure": f"{self.measure_s} (sec.)",
            "interval": f"{self.interval_s} (sec.)",
            "rt limits": f"{limits} (sec.)",
            "pacing": pacing,
            "rate": f"{self.rate} (a second)" if self.rate else "closed loop",
            "seed": self.seed,
        }


def connections(asked: int | None, warehouses: int | None, *, paced: bool) -> int:
    """Return -c, or its default. Errors: UsageError where clause 4.2.2 forbids the pacing."""
    if not paced:
        return 10 if asked is None else asked
    if warehouses is None:
        raise UsageError(
            "--paced: found no -w, want one: there are "
            f"{_TERMINALS_PER_WAREHOUSE} terminals at each warehouse (clause 4.2.2)"
        )
    wanted = warehouses * _TERMINALS_PER_WAREHOUSE
    if wanted > MOST_CONNECTIONS:
        most = MOST_CONNECTIONS // _TERMINALS_PER_WAREHOUSE
        raise UsageError(
            f"-w: found {warehouses} with --paced, want at most {most}: each has "
            f"{_TERMINALS_PER_WAREHOUSE} terminals, and there are at most {MOST_CONNECTIONS} "
            "connections"
        )
    if asked not in (None, wanted):
        raise UsageError(
            f"-c: found {asked} with --paced, want {_TERMINALS_PER_WAREHOUSE} terminals for each "
            f"of {warehouses} warehouses (clause 4.2.2); type -c {wanted}, or leave -c out"
        )
    return wanted


def shown_of_load(place: AnyPlace) -> dict[str, object]:
    """Return where a load writes, for people."""
    if isinstance(place, ServerPlace):
        return {"engine": place.engine, **place.shown()}
    return {"database": place.db}


def refuse_no_data(place: AnyPlace, warehouses: int | None) -> None:
    """Refuse a directory without a data set to run on or to check. Errors: UsageError.

    What a server has, its driver finds out.
    """
    if isinstance(place, Place) and not (place.db / "CURRENT").exists():
        where = "" if place.ours else f" --db {place.db}"
        raise UsageError(
            f"--db: found no data set in {place.db}; "
            f"type: waltax tpcc load -w {warehouses or 10}{where}"
        )
