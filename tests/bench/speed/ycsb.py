"""The real YCSB's core beside ours: the operations, the records that are hot, CPU time.

`python -m bench ycsb [--letters abc] [--rounds N] [--jars DIR]`: Maven fetches the core from
the public registry, unless DIR has its jars; their digests are checked. Its BasicDB, which stores
nothing and is told to print nothing, takes turns with our store that does nothing, one thread
each. CPU time of an operation is the difference of a long run and a short one, so that neither
side's start counts, nor what Java compiles in the beginning.

Which records are hot is read off what BasicDB prints of each operation, and off the counters of
our records after as many read-modify-writes on MyRocks.

Ratios are of paired rounds, with intervals by Student's t.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
import resource
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table
from waltax import profiles
from waltax.base import proc
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.terminal import Terminal
from waltax.driver.argv import Parameters, command_line
from waltax.driver.client import Driver, Event
from waltax.engines.server.server import running
from waltax.workloads import files

from ..homes import plain
from ..homes import server as server_home
from ..homes.server import Setup
from .paired import ratio

_POM = Path(__file__).parent / "ycsb.pom.xml"
# site.ycsb:core:0.17.0 and what it needs.
_JARS = {
    "core-0.17.0.jar": "e1c64d09bfc642715428c2e53ec129b0a98a0e634ee32bf0ae77e5b4eebb3cda",
    "HdrHistogram-2.1.4.jar": "8e68b9608ab107690350b904eab24087785f69218e5c6acd860d28116eded708",
    "htrace-core4-4.1.0-incubating.jar": (
        "5d45b7904857c3e4ad36b3bcc57be2d2c5f308c69b5f6a58bd86aa7d48a25ef6"
    ),
    "jackson-core-asl-1.9.4.jar": (
        "6129e1b91d7850ba250b1375094c8ca215a0f7cf234b6f60a2f4a88d5b1272c9"
    ),
    "jackson-mapper-asl-1.9.4.jar": (
        "f013389c3eb92aa997df801e4a352464925af634a4af3e5bd77c6c0763dc9c99"
    ),
}
_NO_UPDATES: Parameters = {"readproportion": 0.5, "updateproportion": 0.0}
_ZIPFIAN: Parameters = {"requestdistribution": "zipfian"}
_MIXES: Mapping[str, Parameters] = {
    "a": {"readproportion": 0.5, "updateproportion": 0.5, **_ZIPFIAN},
    "b": {"readproportion": 0.95, "updateproportion": 0.05, **_ZIPFIAN},
    "c": {"readproportion": 1.0, "updateproportion": 0.0, **_ZIPFIAN},
    "d": {
        **{**_NO_UPDATES, "readproportion": 0.95, "insertproportion": 0.05},
        "requestdistribution": "latest",
    },
    "e": {
        **{**_NO_UPDATES, "readproportion": 0.0, "scanproportion": 0.95},
        **{"insertproportion": 0.05, "maxscanlength": 100, **_ZIPFIAN},
    },
    "f": {**_NO_UPDATES, "readmodifywriteproportion": 0.5, **_ZIPFIAN},
}
_RECORDS = 100_000
_SHORT, _LONG = 2_000_000, 12_000_000  # operations
_ASKED = 200_000  # operations whose records are counted
_HOT = (10, 1_000)  # so many of the hottest records
_SLICE_S = 2.0
_SEED = 1
_COUNTED = re.compile(r"^\[([A-Z-]+)\], Operations, (\d+)$", re.MULTILINE)
_KEY = re.compile(r"^(?:READ|UPDATE) \w+ (user\d+) ", re.MULTILINE)
_ERRORS = 4.0  # standard errors by which two shares may differ


@dataclass(frozen=True)
class _Run:
    """Of one side: how often each operation was done, and CPU time of any."""

    counts: Mapping[str, int]
    cpu_us: float

    def share(self, name: str) -> float:
        return self.counts.get(name, 0) / sum(self.counts.values())


@click.command()
@click.option("--letters", default="abcdef", show_default=True, help="workloads to compare")
@click.option("--rounds", type=click.IntRange(2), default=5, show_default=True)
@click.option("--jars", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(letters: str, rounds: int, jars: Path | None) -> None:
    """Print shares of operations and of hot records of both, and our CPU time over theirs."""
    for letter in letters:
        if letter not in _MIXES:
            raise UsageError(f"--letters: found {letter!r}, want some of {''.join(_MIXES)}")
    console = Terminal(width=120)
    with plain.home("ycsb") as home:
        original = _Original(_fetched(home) if jars is None else jars.absolute(), home)
        table = Table(
            "YCSB",
            "operation",
            "theirs",
            "ours",
            "CPU us, theirs",
            "ours",
            "ours / theirs",
            box=None,
        )
        for letter in letters:
            _compare(table, letter, original, home, _MIXES[letter], rounds)
        console.print(table)
        console.print(_hot_records(original))


def _fetched(home: Path) -> Path:
    """The folder of the jars, as Maven fetches them. Errors: WaltaxError."""
    told = ("--batch-mode", "--quiet", f"--file={_POM}", "dependency:copy-dependencies")
    proc.run(["mvn", *told, f"-DoutputDirectory={home / 'jars'}"])
    return home / "jars"


class _Original:
    """The real YCSB's client over its store that stores nothing."""

    def __init__(self, jars: Path, home: Path) -> None:
        """Errors: UsageError for a jar that is missing, or another."""
        for name, digest in _JARS.items():
            found = hashlib.sha256((jars / name).read_bytes()) if (jars / name).exists() else None
            if found is None or found.hexdigest() != digest:
                what = "nothing" if found is None else f"sha256 {found.hexdigest()[:12]}..."
                raise UsageError(f"{jars / name}: found {what}, want {digest[:12]}...")
        self._argv = ["java", "-cp", ":".join(str(jars / name) for name in _JARS)]
        self._home = home

    def run(self, mix: Parameters, operations: int, *, verbose: bool = False) -> tuple[str, float]:
        """What it printed, and the seconds of CPU time that it took."""
        told = {
            **{"workload": "site.ycsb.workloads.CoreWorkload", "recordcount": _RECORDS},
            **{"operationcount": operations, "basicdb.verbose": str(verbose).lower(), **mix},
        }
        file = self._home / "workload"
        file.write_text("".join(f"{name}={value}\n" for name, value in told.items()))
        before = _children_s()
        client = ("site.ycsb.Client", "-t", "-db", "site.ycsb.BasicDB", "-P", str(file))
        said = proc.run([*self._argv, *client])
        return said, _children_s() - before

    def measured(self, mix: Parameters) -> _Run:
        _, short_s = self.run(mix, _SHORT)
        said, long_s = self.run(mix, _LONG)
        counts = {name: int(count) for name, count in _COUNTED.findall(said)}
        # A read-modify-write is counted as its READ and its UPDATE, too.
        modified = counts.get("READ-MODIFY-WRITE", 0)
        for part in ("READ", "UPDATE"):
            if part in counts:
                counts[part] -= modified
        done = {name: counts[name] for name in counts if name != "CLEANUP" and counts[name]}
        if sum(done.values()) != _LONG:
            raise WaltaxError(f"the original did {sum(done.values())} operations of {_LONG}")
        return _Run(done, 1e6 * (long_s - short_s) / (_LONG - _SHORT))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compare(
    table: Table, letter: str, original: _Original, home: Path, mix: Parameters, rounds: int
) -> None:
    """A row for each operation. Errors: WaltaxError for shares that differ."""
    with contextlib.closing(_ours(home, mix)) as driver:
        _slice(driver)
        pairs = [(_measured(_slice(driver)), original.measured(mix)) for _ in range(rounds)]
    ours, theirs = zip(*pairs, strict=True)
    words = ratio([[one.cpu_us] for one in ours], [[one.cpu_us] for one in theirs])
    costs = [f"{sum(one.cpu_us for one in side) / rounds:.2f}" for side in (theirs, ours)]
    for name in sorted(theirs[0].counts):
        shares = (_pooled(theirs, name), _pooled(ours, name))
        _require_equal(f"{letter}: share of {name}", shares, (theirs, ours))
        table.add_row(letter.upper(), name, *(f"{share:.4f}" for share in shares), *costs, *words)
        letter, costs, words = "", [], []


def _ours(home: Path, mix: Parameters) -> Driver:
    """Our program over the store that does nothing, ready for slices."""
    told = {"store": "null", **_file(mix)}
    argv = command_line(proc.program("mix"), "run", {"db": home, "seed": _SEED}, told)
    driver = Driver("null store", argv, log=home / "stderr")
    driver.wait_for("ready", within_s=60)
    return driver


def _file(mix: Parameters) -> Parameters:
    """The flag of our program for a workload file's properties, of as many records as theirs."""
    text = "".join(f"{name}={value}\n" for name, value in mix.items())
    return files.read(Path("ycsb"), text.encode())[0].flags


def _slice(driver: Driver) -> Event:
    return driver.ask("slice", within_s=_SLICE_S, cmd="run", warmup_s=0.0, measure_s=_SLICE_S)


def _measured(event: Event) -> _Run:
    counts = {name: int(figures["count"]) for name, figures in event["operations"].items()}
    cpu_s = float(event["cpu_user_s"]) + float(event["cpu_system_s"])
    return _Run(
        {name: count for name, count in counts.items() if count},
        1e6 * cpu_s / float(event["slice_requests"]),
    )


def _pooled(runs: Sequence[_Run], name: str) -> float:
    done = sum(sum(one.counts.values()) for one in runs)
    return sum(one.counts.get(name, 0) for one in runs) / done


def _require_equal(
    what: str, shares: tuple[float, float], sides: tuple[Sequence[_Run], Sequence[_Run]]
) -> None:
    sizes = [sum(sum(one.counts.values()) for one in side) for side in sides]
    _require_near(what, shares, (sizes[0], sizes[1]))


def _require_near(what: str, shares: tuple[float, float], sizes: tuple[int, int]) -> None:
    """Errors: WaltaxError when two shares of so many draws are further apart than chance has it."""
    error = math.sqrt(
        sum(share * (1 - share) / size for share, size in zip(shares, sizes, strict=True))
    )
    if abs(shares[0] - shares[1]) > _ERRORS * error:
        raise WaltaxError(f"{what}: theirs {shares[0]:.4f}, ours {shares[1]:.4f}")


def _hot_records(original: _Original) -> Table:
    """How many of the operations went to the hottest records. Errors: WaltaxError."""
    asked = {"requestdistribution": "zipfian"}
    said, _ = original.run(
        {"readproportion": 1.0, "updateproportion": 0.0, **asked}, _ASKED, verbose=True
    )
    theirs = Counter(_KEY.findall(said))
    ours = _counters({"readproportion": 0.0, "readmodifywriteproportion": 1.0, **asked})
    table = Table("hottest records", "theirs", "ours", "the same records", box=None)
    for many in _HOT:
        shares = (_hottest(theirs, many), _hottest(ours, many))
        sizes = (theirs.total(), ours.total())
        _require_near(f"share of the {many} hottest records", shares, sizes)
        same = {key for key, _ in theirs.most_common(many)} & {
            key for key, _ in ours.most_common(many)
        }
        table.add_row(f"{many:,}", *(f"{share:.4f}" for share in shares), f"{len(same):,}")
    return table


def _hottest(keys: Counter[str], many: int) -> float:
    return sum(count for _, count in keys.most_common(many)) / keys.total()


def _counters(mix: Parameters) -> Counter[str]:
    """How often each record of ours was modified, by the counter that it has."""
    profile = profiles.load("quick", "myrocks")
    told = _file({"updateproportion": 0.0, **mix})
    setup = Setup("myrocks", "mix", profile.server_settings("ycsb-a"), told)
    with server_home.home("ycsb-records") as home:
        loaded = server_home.fill(home, setup)
        spec = server_home.fresh(home, setup, loaded, "off")
        with running(spec) as server:
            driver = server_home.start(home, setup, server, threads=2, seed=_SEED, parameters={})
            done = 0
            while done < _ASKED:
                done += int(_slice(driver)["slice_requests"])
            driver.close()
            rows = server_home.ask(server, "SELECT id, modified FROM usertable WHERE modified > 0")
            server.shutdown()
    return Counter({key: int(counter) for key, counter in rows})


if __name__ == "__main__":
    main()
