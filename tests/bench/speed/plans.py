"""Which plans statements really get while a workload runs, by the server's own log of them.

`python -m bench plans [SECONDS] [--engine innodb]`: four clients; the slow log takes every
statement with the plan of that execution. EXPLAIN beforehand cannot show what a statement loses
later: a prepared SELECT is executed without its covering index after an UPDATE of the same table.
Fails when a statement of `_COVERED` was executed without "Using index". The log leaves out what is
inside of a block, LinkBench's writes on links: tests/linkbench/sql counts the rows that they touch.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import click
from rich.table import Table
from waltax import profiles
from waltax.base.terminal import Terminal
from waltax.engines import Settings
from waltax.engines.server.server import running

from ..homes import server as server_home
from ..homes.server import Setup

_CLIENTS = 4
_WARMUP_S = 0.5
_SEED = 1
_LOG = "plans.log"
_LOGGED: Settings = {
    "slow_query_log": True,
    "slow_query_log_file": _LOG,
    "long_query_time": 0,
    "log_slow_verbosity": "query_plan,explain",
}
_COVERED = {"linkbench": "FORCE INDEX (id1_type)", "tpcc": "FORCE INDEX (customer_name)"}
"""What the statement of each workload says that an index is made to answer alone."""
_LITERAL = re.compile(r"_latin1 x'[0-9a-f]*'|x'[0-9a-f]*'|'(?:[^'\\]|\\.|'')*'|\b\d+\b")
_LIST = re.compile(r"\?(?:\s*,\s*\?)+")
_SHOWN = 72
_RARE = 10  # executions below which a statement is not shown

Plans = Mapping[str, Counter[str]]
"""Of each statement, without its values, how often it was executed with which keys and extras."""


@click.command()
@click.argument("seconds", type=click.FloatRange(0.1), default=5.0)
@click.option("--engine", type=click.Choice(["myrocks", "innodb"]), default="myrocks")
def main(seconds: float, engine: str) -> None:
    """SECONDS of each workload."""
    table = Table("workload", "executions", "using index %", "statement", "plans", box=None)
    lost = []
    for workload, wanted in _COVERED.items():
        plans = _seen(engine, workload, seconds)
        shown = [(counts.total(), statement) for statement, counts in plans.items()]
        for total, statement in sorted(shown, reverse=True):
            if total < _RARE:
                break
            counts = plans[statement]
            table.add_row(workload, *_figures(statement, counts))
        covered = [counts for statement, counts in plans.items() if wanted in statement]
        if not covered or any(_using_index(counts) < counts.total() for counts in covered):
            lost.append(f"{workload}: {wanted}")
    Terminal(width=200).print(table)
    if lost:
        raise SystemExit(f"not always out of the index alone: {', '.join(lost)}")


def _seen(engine: str, workload: str, seconds: float) -> Plans:
    profile = profiles.load("quick", engine)
    sized = profile.workload(workload)
    setup = Setup(engine, workload, profile.server_settings(workload), sized.load, sized.run)
    with server_home.home("plans") as home:
        loaded = server_home.fill(home, setup)
        spec = server_home.fresh(home, setup, loaded, "off" if engine == "myrocks" else "delayed")
        spec = replace(spec, settings={**spec.settings, **_LOGGED})
        with running(spec) as server:
            driver = server_home.start(
                home, setup, server, threads=_CLIENTS, seed=_SEED, parameters={}
            )
            times = {"warmup_s": _WARMUP_S, "measure_s": seconds}
            driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
            driver.close()
            server.shutdown()
        return plans_of((spec.datadir / _LOG).read_text(errors="replace").splitlines())


def plans_of(lines: Iterable[str]) -> Plans:
    """What a slow log with `log_slow_verbosity=explain` says. Statements without a plan, such as
    an INSERT's, are left out."""
    plans: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for plan, statement in _executions(lines):
        plans[_LIST.sub("?", _LITERAL.sub("?", statement))[:300]][plan] += 1
    return plans


def _executions(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a plan ("id1_type: Using where; Using index") and the statement that had it."""
    tables: list[str] = []
    for line in lines:
        if line.startswith("# explain: "):
            columns = line.removeprefix("# explain: ").split("\t")
            if columns[0] != "id":
                tables.append(f"{columns[5]}: {columns[-1]}")
        elif line.startswith("#"):
            tables = [] if line.startswith("# User@Host") else tables
        elif tables and not line.startswith(("SET timestamp", "use ")):
            yield "; ".join(tables), line.rstrip(";")
            tables = []


def _using_index(counts: Counter[str]) -> int:
    return sum(count for plan, count in counts.items() if "Using index" in plan)


def _figures(statement: str, counts: Counter[str]) -> list[str]:
    share = 100 * _using_index(counts) / counts.total()
    plans = " | ".join(f"{plan} {count:,}" for plan, count in counts.most_common())
    return [f"{counts.total():,}", f"{share:.1f}", statement[:_SHOWN], plans]


if __name__ == "__main__":
    main()
