"""CPU time of a write: our program `mix` beside Debian's db_bench, on the same release of RocksDB.

`python -m bench kv [--rounds N]`: both put keys of 16 and values of 100 bytes into a
database of their own, one thread, the log written and not synced, no compression, and a memtable
that is not flushed within a run. Ours counts what campaigns count. db_bench has no statistics but a
histogram, since both then read the clock for each write. They take turns. CPU time of a write is
the difference of a long run and a short one, so that neither side's start counts. Ratios are of
paired rounds, with intervals by Student's t.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table
from waltax import workloads
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.base.folders import removal
from waltax.base.terminal import Terminal
from waltax.driver.argv import Parameters, command_line
from waltax.driver.client import Driver
from waltax.workloads.mix import record

from ..homes import plain
from .paired import ratio

_SHAPES = ("fillseq", "fillrandom")
_BATCHES = (1, 10)
_SHORT, _LONG = 50_000, 500_000  # keys
_KEY_BYTES, _VALUE_BYTES = 16, 100
_MEMTABLE_MB = 256  # of which a long run fills a third
_WITHIN_S = 300.0
_PROGRAM = proc.program("mix")
# Of the files of kv: what a batch changes of them.
_WRITE, _KEY = '{ insert = "filled" }', '"filled"\nsteps'


@click.command()
@click.option("--rounds", type=click.IntRange(2), default=5, show_default=True)
def main(rounds: int) -> None:
    """Print the CPU time of a key that is written, ours over db_bench's."""
    table = Table("shape", "keys a write", "db_bench, us", "mix, us", "mix / db_bench", box=None)
    with plain.home("kv") as home:
        for shape in _SHAPES:
            for batch in _BATCHES:
                file = _file(shape, batch)
                pairs = [
                    (_ours_us(home, file), _theirs_us(home, shape, batch)) for _ in range(rounds)
                ]
                ours, theirs = zip(*pairs, strict=True)
                words = ratio([[one] for one in ours], [[one] for one in theirs])
                costs = [f"{sum(side) / rounds:.2f}" for side in (theirs, ours)]
                table.add_row(shape, str(batch), *costs, *words)
    Terminal().print(table)


@dataclass(frozen=True)
class File:
    """A mix of the shape, as its program takes it; `batch` keys a write."""

    path: str
    batch: int


def _file(shape: str, batch: int) -> File:
    text = workloads.of(f"kv-{shape}").text
    text = text.replace(_WRITE, f'{{ insert = "filled", batch = {batch} }}')
    text = text.replace(_KEY, f'{{ row = "filled", count = {batch} }}\nsteps')
    return File(record.compiled_file(f"{shape}-{batch}", text), batch)


_OPTIONS = f"""[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
[DBOptions]
[CFOptions "default"]
  compression=kNoCompression
  write_buffer_size={_MEMTABLE_MB << 20}
"""


def _told(home: Path, file: File) -> Parameters:
    options = home / "OPTIONS"
    options.write_text(_OPTIONS)
    return {"file": file.path, "options_file": str(options), "durability": "flush"}


def _ours_us(home: Path, file: File) -> float:
    return _difference_us(lambda keys: _ours_s(home, file, keys))


def _ours_s(home: Path, file: File, keys: int) -> float:
    db = home / "ours"
    told = _told(home, file)
    loading = Driver("load", command_line(_PROGRAM, "load", {"db": db}, told), log=home / "stderr")
    loading.wait_for("loaded", within_s=_WITHIN_S)
    loading.close()
    argv = command_line(_PROGRAM, "run", {"db": db}, told)
    driver = Driver("mix", argv, log=home / "stderr")
    try:
        driver.wait_for("ready", within_s=_WITHIN_S)
        event = driver.ask("slice", within_s=_WITHIN_S, cmd="run", requests=keys // file.batch)
    finally:
        driver.close()
        removal.tree(db)
    return float(event["cpu_user_s"]) + float(event["cpu_system_s"])


def _theirs_us(home: Path, shape: str, batch: int) -> float:
    return _difference_us(lambda keys: _theirs_s(home, shape, batch, keys))


def _theirs_s(home: Path, shape: str, batch: int, keys: int) -> float:
    db = home / "theirs"
    told = {
        **{"benchmarks": shape, "db": db, "num": _LONG, "writes": keys, "batch_size": batch},
        **{"key_size": _KEY_BYTES, "value_size": _VALUE_BYTES, "compression_type": "none"},
        **{
            "write_buffer_size": _MEMTABLE_MB << 20,
            "threads": 1,
            "seed": 1,
            "sync": 0,
            "histogram": 1,
        },
    }
    before = _children_s()
    said = proc.run(["db_bench", *(f"--{name}={value}" for name, value in told.items())])
    used = _children_s() - before
    removal.tree(db)
    if shape not in said:
        raise WaltaxError(f"db_bench: says nothing of {shape}: {proc.last_words(said)}")
    return used


def _difference_us(cpu_s: Callable[[int], float]) -> float:
    """CPU time of a key, by a run of many and one of few."""
    short_s, long_s = cpu_s(_SHORT), cpu_s(_LONG)
    return 1e6 * (long_s - short_s) / (_LONG - _SHORT)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
