"""The commands `waltax tpcc load`, `run` and `check`, with tpcc-mysql's letters."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from ...base import inputs, proc
from ...base.errors import UsageError
from ...base.printable import shorten
from ...driver.argv import Parameters
from ...driver.client import Event
from ...driver.original import phase
from ...driver.original.place import AnyPlace, Place, held
from . import letters
from .letters import number

_Command = TypeVar("_Command", bound=Callable[..., None])

_FILE = click.Path(path_type=Path, dir_okay=False)
_PROGRAM = "tpcc"
_MIB = 1 << 20
_MOST_WAREHOUSES = 1_000_000
_MOST_CONNECTIONS = 1024
# Clause 4.2.2.
_TERMINALS_PER_WAREHOUSE = 10
# Ten terminals of a warehouse that pause as clause 5.2.5 has them cannot do more tpmC, and
# an audited result must do at least as many.
_MOST_TPMC, _LEAST_TPMC = 12.86, 9.0
_MOST_SECONDS = 10_000_000
# -h is the server's host in tpcc-mysql.
_HELP = {"help_option_names": ["--help"]}

_ONE_LOAD = "a load is one step on all cores here; leave it out"
_LOAD_REFUSES = {
    "l": f"it loads a part of the tables in tpcc_load, and {_ONE_LOAD}",
    "m": f"it is the first warehouse of a part in tpcc_load, and {_ONE_LOAD}",
    "n": f"it is the last warehouse of a part in tpcc_load, and {_ONE_LOAD}",
}
_ONE_SCHEMA = "a run has one data set here; leave it out, or start a run for each -d"
_RUN_REFUSES = {
    "m": f"it spreads tpcc_start over several schemas, and {_ONE_SCHEMA}",
    "o": f"it counts tpcc_start's schemas from another number, and {_ONE_SCHEMA}",
}

_LATENCIES = "each transaction's percentiles are printed at the end, of all that were measured"
_RUN_LEAVES = {
    **dict.fromkeys("01234", f"there is no limit of response times; {_LATENCIES}"),
    **dict.fromkeys("ift", f"there are no intervals and no files of them; {_LATENCIES}"),
}

_warehouses = number(
    *("-w", "--warehouses"), low=1, high=_MOST_WAREHOUSES, text="Warehouses of the data set."
)
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


_seed = number("--seed", low=0, high=2**63 - 1, text="Of all draws. [drawn, and printed]")


def _seconds(name: str, meaning: str, *, low: int, default: int) -> Callable[[_Command], _Command]:
    text = f"{meaning}, in seconds."
    return number(*name.split(), low=low, high=_MOST_SECONDS, default=default, text=text)


@click.group(name="tpcc", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """TPC-C on an embedded store or a server, by the command line of tpcc-mysql.

    load and run take the letters of tpcc_load and tpcc_start. With --engine myrocks or innodb
    they work on the server at the socket -S, which `waltax serve` starts; without, letters that
    name a server (-h -P -u -p -S -D) are accepted and ignored.
    """


@command.command(context_settings=_HELP)
@_warehouses
@letters.options
@number("--threads", low=1, high=1024, text="[one for each core]")
@_seed
@letters.refused_letters(_LOAD_REFUSES)
@_by_place("-w")
def load(**options: Any) -> None:
    """Write a data set of -w warehouses, 60 MB each and 9 once, and check it."""
    place = letters.place(options)
    if options["warehouses"] is None:
        raise UsageError("-w: found nothing, want the number of warehouses; type -w 10")
    threads = options["threads"] or os.cpu_count() or 1
    seed = _drawn(options["seed"])
    with held(place, fresh=True, say=phase.say):
        _load(place, options["warehouses"], threads, seed)


@command.command(context_settings=_HELP)
@_warehouses
@number("-c", "connections", low=1, high=_MOST_CONNECTIONS, text="Connections. [10]")
@_seconds("-r rampup", "Ramp-up", low=0, default=10)
@_seconds("-l measure", "Measuring", low=1, default=20)
@letters.options
@click.option(
    "--durability",
    type=click.Choice(["sync", "flush", "off"]),
    help="When a commit is acknowledged. [sync]",
)
@click.option("--paced", is_flag=True, help="Keying and think times; 10 connections each -w.")
@number("--rate", low=0, high=10_000_000, default=0, text="Offered a second; 0: closed loop.")
@number("--terminals", low=1, high=10_000_000, text="Shared out to the connections. [-c]")
@click.option("--ack-log", type=_FILE, help="Append each acknowledged New-Order.")
@_seed
@letters.refused_letters(_RUN_REFUSES)
@letters.unheeded_letters(_RUN_LEAVES)
@_by_place("-w", "-c", "-r", "-l")
def run(**options: Any) -> None:
    """Run the five transactions, print their latencies and tpmC, and check the data.

    Exits with 1 when a transaction failed, the data is not consistent afterwards, or the inputs
    that were drawn are not those of the specification.
    """
    warehouses, paced, acks = options["warehouses"], options["paced"], options["ack_log"]
    if paced and options["rate"]:
        raise UsageError(
            f"--rate: found {options['rate']} with --paced, want one of them: both say when a "
            "transaction starts"
        )
    place = letters.place(options)
    clients = connections(options["connections"], warehouses, paced=paced)
    _refuse_no_data(place, warehouses)
    parameters = {
        "warehouses": warehouses or 0,  # 0: as many as the data set has
        "terminals": options["terminals"] or 0,  # 0: one for each connection
        "paced": paced,
        "rate": options["rate"],
        "max_failed_requests": -1,  # they are counted, and fail a run at its end
        **({"ack_log": str(acks)} if acks else {}),
    }
    seconds = options["rampup"], options["measure"]
    with held(place, fresh=False, say=phase.say):
        _run(place, clients, _drawn(options["seed"]), parameters, seconds)


@command.command(context_settings=_HELP)
@_warehouses
@letters.options
@click.option("--acks", type=_FILE, help="What --ack-log wrote: every order must be there.")
def check(**options: Any) -> None:
    """Check that the data is consistent (clause 3.3.2). Exits with 1 when it is not."""
    place = letters.place(options)
    _refuse_no_data(place, options["warehouses"])
    with held(place, fresh=False, say=phase.say):
        _check(place, options["warehouses"], options["acks"])


def _drawn(seed: int | None) -> int:
    return secrets.randbits(48) if seed is None else seed


def connections(typed: int | None, warehouses: int | None, *, paced: bool) -> int:
    """Return -c, or its default. Errors: UsageError when clause 4.2.2 forbids the pacing."""
    if not paced:
        return 10 if typed is None else typed
    if warehouses is None:
        raise UsageError(
            "--paced: found no -w, want one: there are "
            f"{_TERMINALS_PER_WAREHOUSE} terminals at each warehouse (clause 4.2.2)"
        )
    wanted = warehouses * _TERMINALS_PER_WAREHOUSE
    if wanted > _MOST_CONNECTIONS:
        most = _MOST_CONNECTIONS // _TERMINALS_PER_WAREHOUSE
        raise UsageError(
            f"-w: found {warehouses} with --paced, want at most {most}: each has "
            f"{_TERMINALS_PER_WAREHOUSE} terminals, and there are at most {_MOST_CONNECTIONS} "
            "connections"
        )
    if typed not in (None, wanted):
        raise UsageError(
            f"-c: found {typed} with --paced, want {_TERMINALS_PER_WAREHOUSE} terminals for each "
            f"of {warehouses} warehouses (clause 4.2.2); type -c {wanted}, or leave -c out"
        )
    return wanted


def _refuse_no_data(place: AnyPlace, warehouses: int | None) -> None:
    """Refuse a directory without a data set to run on or to check. Errors: UsageError.

    The driver checks what a server has.
    """
    if isinstance(place, Place) and not (place.db / "CURRENT").exists():
        where = "" if place.ours else f" --db {place.db}"
        raise UsageError(
            f"--db: found no data set in {place.db}; "
            f"type: waltax tpcc load -w {warehouses or 10}{where}"
        )


def _load(place: AnyPlace, warehouses: int, threads: int, seed: int) -> None:
    """Write a data set into `place`, and check it. Errors: WaltaxError."""
    parameters = {"warehouses": warehouses}
    loaded = phase.load(place, _PROGRAM, threads=threads, seed=seed, parameters=parameters)
    rows, seconds = sum(loaded["rows"].values()), loaded["seconds"]
    phase.show(f"{rows} rows in {seconds:.1f} sec., {loaded['bytes'] / _MIB:.1f} MiB")
    phase.show("...DATA LOADING COMPLETED SUCCESSFULLY.")
    _check(place, warehouses, None)


def _check(place: AnyPlace, warehouses: int | None, acks: Path | None) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    parameters: Parameters = {"warehouses": warehouses or 0}
    phase.check(place, _PROGRAM, {**parameters, "acks": str(acks)} if acks else parameters)


def _run(
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
    rate = f"{ready['rate']:g} transactions a second offered, " if ready["rate"] else ""
    return f"unpaced: {rate}without keying and think times"


def _failed_inputs(result: Event) -> Iterator[str]:
    """Yield a line with the rules of clause 5.5.1.5 that were broken, if any."""
    failed = [rule for rule in inputs.judge(result["inputs"]) if rule.verdict == inputs.FAIL]
    broken = [
        f"{rule.name} {rule.value:.4f}, want {rule.low:g} to {rule.high:g}" for rule in failed
    ]
    if broken:
        yield f"the inputs are not those of the specification: {'; '.join(broken)}"
