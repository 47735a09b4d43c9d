"""What the tap costs programs of others when it only counts: throughput with it over without.

    python -m bench foreign [--rounds N] [NAME...]

SQLite with a rollback journal, which is made and removed in each transaction, and with a
write-ahead log, LMDB and db_bench commit small transactions in memory, where nothing but the
program and the tap takes time. In each round all run with the tap and without it, the order
alternating; printed are the ratio of neighbours with its 95 % interval, and what a run took.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
from waltax.base.folders import removal
from waltax.runners.cells.program import folder, shell

from ..homes.plain import home
from ..speed import paired

_INSERT = "insert into t values (1, 'a row of some length');\n"
_LMDB = "VERSION=3\nformat=print\ntype=btree\nmapsize=1073741824\nHEADER=END\n"


@dataclass(frozen=True)
class Program:
    """A shell's line in an empty folder, the log's pattern, and what it reads from `../NAME`."""

    line: str
    log: str
    script: str = ""


_PROGRAMS = {
    "sqlite-journal": Program(
        "sqlite3 t.db <../sqlite-journal", "t.db*", "create table t (a, b);\n" + _INSERT * 6000
    ),
    "sqlite-wal": Program(
        "sqlite3 t.db <../sqlite-wal >&2",
        "t.db*",
        "pragma journal_mode = wal; create table t (a, b);\n" + _INSERT * 20_000,
    ),
    "lmdb": Program(
        "mdb_load -n -f ../lmdb t.mdb",
        "*",
        _LMDB + "".join(f" {i:07}\n {'value' * 10}\n" for i in range(900_000)) + "DATA=END\n",
    ),
    "db-bench": Program("db_bench --db=db --benchmarks=fillrandom --num=60000 --sync", "db/*.log"),
}


@click.command()
@click.option("--rounds", default=15, show_default=True, type=click.IntRange(2))
@click.argument("names", nargs=-1, type=click.Choice([*_PROGRAMS]))
def main(rounds: int, names: tuple[str, ...]) -> None:
    """Print throughput with the tap / without it, for each program."""
    print(f"throughput with the tap / without, {rounds} rounds")
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in names or _PROGRAMS}
    with home("foreign", Path("/dev/shm")) as room:
        tap = folder.Tap.make(room / "tap")
        for name in seconds:
            (room / name).write_text(_PROGRAMS[name].script)
        for at in range(rounds):
            for name, mine in seconds.items():
                took = {tapped: _run(_PROGRAMS[name], room, tap, tapped) for tapped in _order(at)}
                mine.append((took[False], took[True]))
    for name, mine in seconds.items():
        (ratio,) = paired.ratio([[alone] for alone, _ in mine], [[tapped] for _, tapped in mine])
        alone = sorted(one for one, _ in mine)[rounds // 2]
        print(f"{name:16} {ratio}  a run without takes {alone:.2f} s")


def _order(at: int) -> tuple[bool, bool]:
    return (True, False) if at % 2 else (False, True)


def _run(program: Program, room: Path, tap: folder.Tap, tapped: bool) -> float:
    """Return what a run took. Errors: WaltaxError when it fails or nothing was counted."""
    placed = folder.make((program.log,), "", room, room, tap.sockets)
    pages = tap.begin()
    line, env = tap.around(program.line, placed, None, "") if tapped else (program.line, {})
    done = shell.run(line, env=env, timeout_s=60, log=room / "said", cwd=placed.data)
    removal.tree(placed.data)
    if (pages.snapshot().syncs > 0) != tapped:
        raise click.ClickException(f"{program.line}: the tap was not where it should be")
    return done.seconds


if __name__ == "__main__":
    main()
