"""What the tap costs programs of others when it only counts: throughput with it over without.

    python -m bench foreign [--rounds N] [--directory DIR --share 0.02] [NAME...]

SQLite with a rollback journal, which is made and removed in each transaction, and with a
write-ahead log, LMDB and db_bench commit small transactions in memory, where nothing but the
program and the tap takes time, or in a directory on a disk, where a sync takes its time and a
share of the transactions is enough. In each round all run with the tap and without it, the order
alternating; printed are the ratio of neighbours with its 95 % interval, and what a run took.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from waltax.base.folders import removal
from waltax.runners.cells.program import shell
from waltax.runners.cells.program.run import Folder, Tap
from waltax.runners.recipe.parts import Command

from ..homes.plain import home
from ..speed import paired

_INSERT = "insert into t values (1, 'a row of some length');\n"
_LMDB = "VERSION=3\nformat=print\ntype=btree\nmapsize=1073741824\nHEADER=END\n"


@dataclass(frozen=True)
class Program:
    """A shell's line in an empty folder, the log's pattern, and what `../NAME` has in it.

    The line and the script hold for a number of transactions.
    """

    line: str
    log: str
    transactions: int
    script: Callable[[int], str] = lambda _: ""


_PROGRAMS = {
    "sqlite-journal": Program(
        "sqlite3 t.db <../sqlite-journal",
        "t.db*",
        6000,
        lambda number: "create table t (a, b);\n" + _INSERT * number,
    ),
    "sqlite-wal": Program(
        "sqlite3 t.db <../sqlite-wal >&2",
        "t.db*",
        20_000,
        lambda number: "pragma journal_mode = wal; create table t (a, b);\n" + _INSERT * number,
    ),
    "lmdb": Program(
        "mdb_load -n -f ../lmdb t.mdb",
        "*",
        900_000,
        lambda number: (
            _LMDB + "".join(f" {i:07}\n {'value' * 10}\n" for i in range(number)) + "DATA=END\n"
        ),
    ),
    "db-bench": Program(
        "db_bench --db=db --benchmarks=fillrandom --num={} --sync", "db/*.log", 60_000
    ),
}


@click.command()
@click.option("--rounds", default=15, show_default=True, type=click.IntRange(2))
@click.option("--directory", type=click.Path(path_type=Path), help="Not in memory, but there.")
@click.option("--share", default=1.0, show_default=True, help="Of each program's transactions.")
@click.argument("names", nargs=-1, type=click.Choice([*_PROGRAMS]))
def main(rounds: int, directory: Path | None, share: float, names: tuple[str, ...]) -> None:
    """Print throughput with the tap / without it, for each program."""
    print(f"throughput with the tap / without, {rounds} rounds")
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in names or _PROGRAMS}
    with home("foreign", directory or Path("/dev/shm")) as room:
        tap = Tap.make(room / "tap")
        numbers = {name: int(_PROGRAMS[name].transactions * share) for name in seconds}
        for name, number in numbers.items():
            (room / name).write_text(_PROGRAMS[name].script(number))
        for at in range(rounds):
            for name, mine in seconds.items():
                program = _PROGRAMS[name]
                line = program.line.format(numbers[name])
                took = {tapped: _run(program, line, room, tap, tapped) for tapped in _order(at)}
                mine.append((took[False], took[True]))
    for name, mine in seconds.items():
        (ratio,) = paired.ratio([[alone] for alone, _ in mine], [[tapped] for _, tapped in mine])
        alone = sorted(one for one, _ in mine)[rounds // 2]
        print(f"{name:16} {ratio}  a run without takes {alone:.2f} s")


def _order(at: int) -> tuple[bool, bool]:
    return (True, False) if at % 2 else (False, True)


def _run(program: Program, text: str, room: Path, tap: Tap, tapped: bool) -> float:
    """Return what a run took. Errors: WaltaxError when it fails or nothing was counted."""
    command = Command(text, "", "", 60, 1, 1, log=(program.log,))
    placed = Folder.make(command, room, tap.sockets)
    pages = tap.begin()
    line, env = tap.around(text, placed) if tapped else (text, {})
    done = shell.run(line, env=env, timeout_s=60, log=room / "said", cwd=placed.data)
    removal.tree(placed.data)
    if (pages.snapshot().syncs > 0) != tapped:
        raise click.ClickException(f"{text}: the tap was not where it should be")
    return done.seconds


if __name__ == "__main__":
    main()
