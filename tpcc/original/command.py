"""The commands `waltax tpcc load`, `run` and `check`, with tpcc-mysql's letters."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from ...base import inputs, proc
from ...base.errors import UsageError
from ...base.printable import shorten
from ...driver.argv import Parameters
from ...driver.client import Event
from ...driver.original import phase
from ...driver.original.place import Place
from . import letters

_Command = TypeVar("_Command", bound=Callable[..., None])

_PROGRAM = "tpcc"
_MIB = 1 << 20
_MOST_CONNECTIONS = 1024
# Clause 4.2.2.
_TERMINALS_PER_WAREHOUSE = 10
# Ten terminals of a warehouse that pause as clause 5.2.5 has them cannot do more tpmC, and
# an audited result must do at least as many.
_MOST_TPMC, _LEAST_TPMC = 12.86, 9.0
_MOST_SECONDS = 10_000_000
# -h is the server's host in tpcc-mysql.
_HELP = {"help_option_names": ["--help"]}

_LATENCIES = "each transaction's percentiles are printed at the end, of all that were measured"
_NO_EFFECT = {
    **dict.fromkeys(
        ("-0", "-1", "-2", "-3", "-4"), f"there is no limit of response times; {_LATENCIES}"
    ),
    **dict.fromkeys(
        ("-i", "-f", "-t"), f"there are no intervals and no files of them; {_LATENCIES}"
    ),
}
_RECEIPTS = "type: waltax receipts --workload tpcc"
_MOVED = {
    "--rate": "give rate under [tpcc.run] of a profile, or type: waltax sweep load --workload tpcc",
    "--terminals": "give terminals under [tpcc.run] of a profile",
    "--ack-log": _RECEIPTS,
    "--acks": _RECEIPTS,
}
_WAREHOUSES = click.IntRange(1, 1_000_000)
_warehouses = click.option("-w", "--warehouses", type=_WAREHOUSES, help="Of the data set.")
_seed = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="Of all draws. [drawn, and printed]"
)
_connections = click.IntRange(1, _MOST_CONNECTIONS)
# HOST DB USER PASSWORD, and then numbers, as the first tpcc_load and tpcc_start took them.
_PLACE = ("host", "database", "user", "password")


def _by_place(*names: str) -> Callable[[_Command], _Command]:
    """Refuse the form without letters, and name the letters of its numbers, but no password."""

    def refuse(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> None:
        if words:
            numbers = zip(names, words[len(_PLACE) :], strict=False)
            typed = [f"{letter} {shorten(word)}" for letter, word in numbers] or ["-w 1"]
            raise UsageError(
                f"tpcc: found words without letters, as {' '.join(_PLACE)} were typed; type "
                f"{' '.join(typed)}, for a server also --engine and --socket, and no password, "
                "which the terminal's history would keep"
            )

    return click.argument("words", nargs=-1, metavar="", expose_value=False, callback=refuse)


@click.group(name="tpcc", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """TPC-C on an embedded store or a server, by the command line of tpcc-mysql.

    load and run take the letters of tpcc_load and tpcc_start. With --engine myrocks or innodb
    they work on the server at the socket -S, which `waltax serve` starts; without, letters that
    name a server (-h -P -u -p -S -D) are accepted and ignored.
    """


@command.command(context_settings=_HELP)
@click.option("-w", "--warehouses", type=_WAREHOUSES, required=True, help="Of the data set.")
@letters.options
@click.option("--threads", type=_connections, help="[one for each core]")
@_seed
@_by_place("-w")
def load(**options: Any) -> None:
    """Write a data set of -w warehouses, 60 MB each and 9 once, and check it."""
    place = letters.place(options, "load")
    threads = options["threads"] or os.cpu_count() or 1
    _load(place, options["warehouses"], threads, _drawn(options["seed"]))


@command.command(context_settings=_HELP)
@_warehouses
@click.option("-c", "connections", type=_connections, help="Connections. [10]")
@click.option(
    *("-r", "rampup"), type=click.IntRange(0, _MOST_SECONDS), default=10, help="Ramp-up, s. [10]"
)
@click.option(
    *("-l", "measure"), type=click.IntRange(1, _MOST_SECONDS), default=20, help="Measuring, s. [20]"
)
@letters.options
@click.option(
    "--durability",
    type=click.Choice(["sync", "flush", "off"]),
    help="When a commit is acknowledged. [sync]",
)
@click.option("--paced", is_flag=True, help="Keying and think times; 10 connections each -w.")
@_seed
@letters.unheeded(_NO_EFFECT)
@letters.moved(_MOVED)
@_by_place("-w", "-c", "-r", "-l")
def run(**options: Any) -> None:
    """Run the five transactions, print their latencies and tpmC, and check the data.

    Exits with 1 when a transaction failed, the data is not consistent afterwards, or the inputs
    that were drawn are not those of the specification.
    """
    warehouses, paced = options["warehouses"], options["paced"]
    place = letters.place(options, "run")
    clients = connections(options["connections"], warehouses, paced=paced)
    parameters = {
        "warehouses": warehouses or 0,  # 0: as many as the data set has
        "paced": paced,
        "max_failed_requests": -1,  # they are counted, and fail a run at its end
    }
    seconds = options["rampup"], options["measure"]
    _run(place, clients, _drawn(options["seed"]), parameters, seconds)


@command.command(context_settings=_HELP)
@_warehouses
@letters.options
@letters.moved(_MOVED)
def check(**options: Any) -> None:
    """Check that the data is consistent (clause 3.3.2). Exits with 1 when it is not."""
    place = letters.place(options, "check")
    _check(place, options["warehouses"])


def _drawn(seed: int | None) -> int:
    return secrets.randbits(48) if seed is None else seed


def connections(typed: int | None, warehouses: int | None, *, paced: bool) -> int:
    """Return -c, or its default. Errors: UsageError when clause 4.2.2 forbids the pacing."""
    if not paced:
        return typed or 10
    wanted = (warehouses or 0) * _TERMINALS_PER_WAREHOUSE
    if not 0 < wanted <= _MOST_CONNECTIONS or typed not in (None, wanted):
        raise UsageError(
            f"--paced: found {typed or 'no'} connections (-c) for {warehouses or 'no'} warehouses "
            f"(-w), want {_TERMINALS_PER_WAREHOUSE} for each of 1 to "
            f"{_MOST_CONNECTIONS // _TERMINALS_PER_WAREHOUSE} (clause 4.2.2); leave -c out"
        )
    return wanted


def _load(place: Place, warehouses: int, threads: int, seed: int) -> None:
    """Write a data set into `place`, and check it. Errors: WaltaxError."""
    parameters = {"warehouses": warehouses}
    loaded = phase.load(place, _PROGRAM, threads=threads, seed=seed, parameters=parameters)
    rows, seconds = sum(loaded["rows"].values()), loaded["seconds"]
    phase.show(f"{rows} rows in {seconds:.1f} sec., {loaded['bytes'] / _MIB:.1f} MiB")
    phase.show("...DATA LOADING COMPLETED SUCCESSFULLY.")
    _check(place, warehouses)


def _check(place: Place, warehouses: int | None) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    phase.check(place, _PROGRAM, {"warehouses": warehouses or 0})


def _run(
    place: Place, connections: int, seed: int, parameters: Parameters, seconds: tuple[int, int]
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
    of_place = f", durability {place.durability}" if place.durability else ""

    def lines(ready: Event, result: Event) -> Iterator[str]:
        return _result(ready, result, of_place)

    phase.run(words, command, lines, place, judge=_failed_inputs)


def _result(ready: Event, result: Event, durability: str) -> Iterator[str]:
    """Yield each transaction's latencies, tpcc-mysql's last block, and what the figure means."""
    yield from phase.latencies(result["operations"])
    new_orders = result["operations"].get("NEW_ORDER", {"count": 0})["count"]
    # Transactions that are rolled back by rule also count as completed (clause 5.4).
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
    return "unpaced: without keying and think times"


def _failed_inputs(result: Event) -> Iterator[str]:
    """Yield a line with the rules of clause 5.5.1.5 that were broken, if any."""
    failed = [rule for rule in inputs.judge(result["inputs"]) if rule.verdict == inputs.FAIL]
    broken = [
        f"{rule.name} {rule.value:.4f}, want {rule.low:g} to {rule.high:g}" for rule in failed
    ]
    if broken:
        yield f"the inputs are not those of the specification: {'; '.join(broken)}"
