"""The phases of the command line: load warehouses, run transactions on them, check them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ... import inputs, proc
from ...driver.argv import Parameters
from ...driver.client import Event
from ...driver.original import phase
from ...driver.original.place import AnyPlace, Place

_PROGRAM = "tpcc"
_MIB = 1 << 20
# Ten terminals of a warehouse that pause as clause 5.2.5 has them cannot do more tpmC, and
# an audited result must do at least as many.
_MOST_TPMC, _LEAST_TPMC = 12.86, 9.0


def load(place: AnyPlace, warehouses: int, threads: int, seed: int) -> None:
    """Write a data set into `place`, and check it. Errors: WaltaxError."""
    parameters = {"warehouses": warehouses}
    loaded = phase.load(place, _PROGRAM, threads=threads, seed=seed, parameters=parameters)
    rows, seconds = sum(loaded["rows"].values()), loaded["seconds"]
    phase.show(f"{rows} rows in {seconds:.1f} sec., {loaded['bytes'] / _MIB:.1f} MiB")
    phase.show("...DATA LOADING COMPLETED SUCCESSFULLY.")
    check(place, warehouses, None)


def check(place: AnyPlace, warehouses: int | None, acks: Path | None) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    told: Parameters = {"warehouses": warehouses or 0}
    phase.check(place, _PROGRAM, {**told, "acks": str(acks)} if acks else told)


def run(
    place: AnyPlace, connections: int, seed: int, parameters: Parameters, seconds: tuple[int, int]
) -> None:
    """Run transactions, print their tpmC, and check what they left behind.

    `seconds` are those of the ramp-up and of measuring. Errors: WaltaxError, also when a
    transaction failed for good, the data is not consistent afterwards, or the inputs were not
    those of the specification.
    """
    words = place.command_line(
        *(proc.program(_PROGRAM), "run"), threads=connections, seed=seed, parameters=parameters
    )
    command = dict(zip(("warmup_s", "measure_s"), seconds, strict=True))
    of_place = f", durability {place.durability}" if isinstance(place, Place) else ""

    def lines(ready: Event, result: Event) -> Iterator[str]:
        return _result(ready, result, of_place)

    phase.run(words, command, lines, place, judge=_failed_inputs)


def _result(ready: Event, result: Event, durability: str) -> Iterator[str]:
    """Yield what each transaction took, tpcc-mysql's last block, and what the figure is."""
    yield from phase.latencies(result["operations"])
    new_orders = result["operations"].get("NEW_ORDER", {"count": 0})["count"]
    # Those that are rolled back by rule are completed, too (clause 5.4).
    tpmc = new_orders * 60 / result["measure_s"] if result["measure_s"] else 0.0
    yield "<TpmC>"
    yield f"{'':17}{tpmc:.3f} TpmC"
    workload = ready["workload"]
    yield f" TPC-C derived, {_pacing(ready, tpmc / workload['warehouses'])}"
    yield f" {workload['warehouses']} warehouses{durability}, isolation {workload['isolation']}"
    # A larger database has another speed.
    before, grown = ready["data_bytes"], result["data_bytes"] - ready["data_bytes"]
    yield f" database: {before / _MIB:.1f} MiB before, {grown / _MIB:+.1f} MiB"


def _pacing(ready: Event, each: float) -> str:
    """Say how terminals paused; `each` is the tpmC of a warehouse."""
    if ready["workload"]["paced"]:
        inside = "OK" if _LEAST_TPMC <= each <= _MOST_TPMC else "NG"
        bounds = f"at most {_MOST_TPMC} are possible, {_LEAST_TPMC:g} to {_MOST_TPMC} wanted"
        return f"paced: {each:.2f} tpmC per warehouse; {bounds}: {inside}"
    rate = f"{ready['rate']:g} transactions a second offered, " if ready["rate"] else ""
    return f"unpaced: {rate}without keying and think times"


def _failed_inputs(result: Event) -> Iterator[str]:
    """Yield the rules of clause 5.5.1.5 that were not kept as one line."""
    failed = [rule for rule in inputs.judge(result["inputs"]) if rule.verdict == inputs.FAIL]
    told = [f"{rule.name} {rule.value:.4f}, want {rule.low:g} to {rule.high:g}" for rule in failed]
    if told:
        yield f"the inputs are not those of the specification: {'; '.join(told)}"
