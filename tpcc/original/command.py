"""The commands `waltax tpcc load`, `run` and `check`, with tpcc-mysql's letters."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from ... import engines
from ...base import inputs
from ...base.errors import UsageError
from ...base.printable import shorten
from ...driver.argv import Command
from ...driver.client import Event
from ...workloads.original import letters, phase
from ...workloads.original.place import Place, chosen

_Command = TypeVar("_Command", bound=Callable[..., None])

_PROGRAM = "tpcc"
_MIB = 1 << 20
_MOST_CONNECTIONS = 1024
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
_LOAD = "give rate under [tpcc.run] of a profile, or type: waltax sweep load --workload tpcc"
_RECEIPTS = "type: waltax receipts --workload tpcc"
_MOVED = {
    "--paced": _LOAD,
    "--rate": _LOAD,
    "--terminals": "give terminals under [tpcc.run] of a profile",
    "--ack-log": _RECEIPTS,
    "--acks": _RECEIPTS,
}
# Letters of a server that a socket has no use for, beside those that name one.
_REFUSED = {"host": "-h", "port": "-P", "password": "-p", "other": "-D"}
_OF_SERVER = {"user": "-u", "socket": "-S"}
_SOCKETS_ONLY = (
    "a server is reached by its Unix socket (-S) only and by an account without a password, and "
    "its database is -d; leave it out"
)
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


def _of_place(command: _Command) -> _Command:
    """Add tpcc-mysql's letters for the place, and what they are short for.

    -d names a database there: here that of a server, and a directory without one.
    """
    for name, letter in _REFUSED.items():
        # Elsewhere -h alone asks for help, and no host has that name.
        alone: dict[str, Any] = {"is_flag": False, "flag_value": "-h"} if letter == "-h" else {}
        command = click.option(letter, name, hidden=True, **alone)(command)
    return letters.of_place({"--database": "-d", "--socket": "-S", "--user": "-u"})(command)


def place(given: dict[str, Any], command: Command) -> Place:
    """Return the place that the options name, and warn of letters that have no use there.

    Errors: UsageError.
    """
    engine, served = given["engine"], given["engine"] in engines.SERVED
    useless = {**_REFUSED, **({} if served else _OF_SERVER)}
    typed = [letter for name, letter in useless.items() if given[name]]  # no password is none
    if given["host"] == "-h":
        raise UsageError(f"-h: found no host: {_SOCKETS_ONLY} (for help type --help)")
    if typed and served:
        raise UsageError(f"{typed[0]}: found it with --engine {engine}: {_SOCKETS_ONLY}")
    if typed:
        phase.say(
            f"warning: {', '.join(typed)}: ignored, since the database is embedded and has no "
            "server; for one type --engine myrocks or --engine innodb"
        )
    if served:
        return chosen(given, "", command)
    db, named = given["db"], given["database"]
    if named is not None and db not in (None, Path(named)):
        raise UsageError(
            f"--db: found {str(db)!r} with -d {named}, want one directory; leave one out"
        )
    where = {"socket": None, "user": None, "database": None, "db": db or (named and Path(named))}
    return chosen({**given, **where}, given.get("durability") or "sync", command)


@click.group(name="tpcc", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """TPC-C on an embedded store or a server, by the command line of tpcc-mysql.

    load and run take the letters of tpcc_load and tpcc_start. With --engine myrocks or innodb
    they work on the server at the socket -S, as `waltax try --preset` starts one; without, letters
    that name a server (-h -P -u -p -S -D) are accepted and ignored.
    """


@command.command(context_settings=_HELP)
@click.option("-w", "--warehouses", type=_WAREHOUSES, required=True, help="Of the data set.")
@_of_place
@click.option("--threads", type=_connections, help="[one for each core]")
@_seed
@_by_place("-w")
def load(**options: Any) -> None:
    """Write a data set of -w warehouses, 60 MB each and 9 once, and check it."""
    where = place(options, "load")
    threads = options["threads"] or os.cpu_count() or 1
    size = {"warehouses": options["warehouses"]}
    seed = _drawn(options["seed"])
    loaded = phase.load(where, _PROGRAM, {"threads": threads, "seed": seed, **size})
    rows, seconds = sum(loaded["rows"].values()), loaded["seconds"]
    phase.show(f"{rows} rows in {seconds:.1f} sec., {loaded['bytes'] / _MIB:.1f} MiB")
    phase.show("...DATA LOADING COMPLETED SUCCESSFULLY.")
    phase.check(where, _PROGRAM, size)


@command.command(context_settings=_HELP)
@_warehouses
@click.option("-c", "connections", type=_connections, default=10, help="Connections. [10]")
@click.option(
    *("-r", "rampup"), type=click.IntRange(0, _MOST_SECONDS), default=10, help="Ramp-up, s. [10]"
)
@click.option(
    *("-l", "measure"), type=click.IntRange(1, _MOST_SECONDS), default=20, help="Measuring, s. [20]"
)
@_of_place
@letters.durability("sync")
@_seed
@letters.unheeded(_NO_EFFECT)
@letters.moved(_MOVED)
@_by_place("-w", "-c", "-r", "-l")
def run(**options: Any) -> None:
    """Run the five transactions, print their latencies and tpmC, and check the data.

    Exits with 1 when a transaction failed, the data is not consistent afterwards, or the inputs
    that were drawn are not those of the specification.
    """
    where = place(options, "run")
    parameters = {
        **{"threads": options["connections"], "seed": _drawn(options["seed"])},
        # 0: as many as the data set has. Failures are counted, and fail a run at its end.
        **{"warehouses": options["warehouses"] or 0, "max_failed_requests": -1},
    }
    times = {"warmup_s": options["rampup"], "measure_s": options["measure"]}
    durability = f", durability {where.durability}" if where.durability else ""

    def lines(ready: Event, result: Event) -> Iterator[str]:
        return _result(ready, result, durability)

    phase.run(where, _PROGRAM, parameters, times, lines, judge=_failed_inputs)


@command.command(context_settings=_HELP)
@_warehouses
@_of_place
@letters.moved(_MOVED)
def check(**options: Any) -> None:
    """Check that the data is consistent (clause 3.3.2). Exits with 1 when it is not."""
    phase.check(place(options, "check"), _PROGRAM, {"warehouses": options["warehouses"] or 0})


def _drawn(seed: int | None) -> int:
    return secrets.randbits(48) if seed is None else seed


def _result(ready: Event, result: Event, durability: str) -> Iterator[str]:
    """Yield each transaction's latencies, tpcc-mysql's last block, and what the figure means."""
    yield from phase.latencies(result["operations"])
    new_orders = result["operations"].get("NEW_ORDER", {"count": 0})["count"]
    # Transactions that are rolled back by rule also count as completed (clause 5.4).
    tpmc = new_orders * 60 / result["measure_s"] if result["measure_s"] else 0.0
    yield "<TpmC>"
    yield f"{'':17}{tpmc:.3f} TpmC"
    workload = ready["workload"]
    yield " TPC-C derived, unpaced: without keying and think times"
    yield f" {workload['warehouses']} warehouses{durability}, isolation {workload['isolation']}"
    # A larger database has another speed.
    before, grown = ready["data_bytes"], result["data_bytes"] - ready["data_bytes"]
    yield f" database: {before / _MIB:.1f} MiB before, {grown / _MIB:+.1f} MiB"


def _failed_inputs(result: Event) -> Iterator[str]:
    """Yield a line with the rules of clause 5.5.1.5 that were broken, if any."""
    failed = [rule for rule in inputs.judge(result["inputs"]) if rule.verdict == inputs.FAIL]
    broken = [
        f"{rule.name} {rule.value:.4f}, want {rule.low:g} to {rule.high:g}" for rule in failed
    ]
    if broken:
        yield f"the inputs are not those of the specification: {'; '.join(broken)}"
