"""Does the tap keep to a record: mean and p99 of its syncs against those that the record asks for?

    python -m bench records [DEVICE]... [--seconds S] [--real-time] [--share-machine]

Each DEVICE is one of the catalog or a file, also one of another tool's; default: nvme-990pro. It is
replayed under the eleven cases of `fidelity`: db_bench (1, 4 and 16 threads, values of 100 B, 1 kB
and 10 kB), LinkBench and TPC-C. What a record asks for is drawn from its quantiles, with the wait
for one queue. Nothing of a published record was known when the tap was tuned. A sync that waits for
a CPU is late on a real drive, too; --real-time has others wait instead. What the machine adds to
any sleep is printed above: how late bare sleeps of the record's median end.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, quantiles

import click
from waltax import devices
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.folders.machine import only_campaign
from waltax.devices import Device
from waltax.devices.resolve import SHM
from waltax.devices.tap_page import TapCounters, percentile
from waltax.row import Row
from waltax.runners import campaign

from .fidelity import measured
from .fidelity_db_bench import CASES, run

_WITHIN = 0.05
_FEW = 1000  # syncs, of which ten are beyond the p99
_CAMPAIGN_S = 20.0
_TESTED = ("linkbench", "tpcc")


@dataclass(frozen=True)
class Kept:
    """A case: how many syncs, and how many times as long their mean and p99 were as asked for."""

    name: str
    syncs: int
    asked_us: tuple[float, float]
    mean: float
    p99: float

    @property
    def why(self) -> str:
        """Why the case is not within the limit; empty if it is."""
        if self.syncs < _FEW:
            return f"too few syncs for a p99, want {_FEW:,}"
        parts = {"mean": self.mean, "p99": self.p99}
        off = [
            f"{what} {(ratio - 1) * self.asked_us[at]:+.1f} us"
            for at, (what, ratio) in enumerate(parts.items())
            if abs(ratio - 1) > _WITHIN
        ]
        return ", ".join(off)


def of_counters(name: str, seen: TapCounters) -> Kept:
    """Compare what the tap counted in one run."""
    asked, took = (percentile(h, 99) for h in (seen.sync_wanted, seen.sync_achieved))
    assert asked
    assert took
    mean_us = seen.wanted_ns / seen.syncs / 1e3
    mean = seen.achieved_ns / seen.wanted_ns
    return Kept(name, seen.syncs, (mean_us, asked), mean, took / asked)


def of_rows(name: str, rows: Sequence[Row]) -> Kept:
    """Compare the slices of a cell: their syncs together, and the median of their p99s."""
    summed = ("syncs", "wanted_ns", "achieved_ns")
    syncs, asked_ns, took_ns = (sum(row[f"tap_{key}"] for row in rows) for key in summed)
    asked, took = (
        median(row[f"tap_{which}sync_us_p99"] for row in rows) for which in ("wanted_", "")
    )
    asked_us = (asked_ns / syncs / 1e3, asked)
    return Kept(name, syncs, asked_us, took_ns / asked_ns, took / asked)


@click.command()
@click.argument("names", metavar="[DEVICE]...", nargs=-1)
@click.option("--seconds", default=2, show_default=True, type=click.IntRange(1))
@click.option("--real-time", is_flag=True, help="Have all other programs wait for this one.")
@click.option("--share-machine", is_flag=True, help="Although a campaign may be running.")
def main(names: tuple[str, ...], seconds: int, real_time: bool, share_machine: bool) -> None:
    """Print how far the tap's syncs are from each DEVICE's record, for each case."""
    try:
        if real_time:
            _go_first()
        with only_campaign("bench-records", share=share_machine):
            for name in names or ("nvme-990pro",):
                report(name, list(_cases(devices.load(name), name, seconds)))
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    except WaltaxError as error:
        raise click.ClickException(str(error)) from error


def _go_first() -> None:
    """Give this process and its children a real-time priority. Errors: UsageError."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError as error:
        raise UsageError("--real-time: found no right to it; type it as root") from error


def bare_sleeps_us(length_us: float, seconds: float = 2.0) -> tuple[float, float]:
    """Return how late bare sleeps end, in us: the mean and the p99."""
    late: list[float] = []
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        time.sleep(length_us / 1e6)
        late.append((time.perf_counter() - start) * 1e6 - length_us)
    return fmean(late), quantiles(late, n=100)[-1]


def _cases(device: Device, name: str, seconds: int) -> Iterator[Kept]:
    if device.model is None:
        raise UsageError(f"{device.name} has no [model], so there is nothing to keep to")
    median_us = device.typical_sync_us() or 0.0
    mean_us, p99_us = bare_sleeps_us(median_us)
    print(f"bare sleeps of {median_us:,.0f} us are late by {mean_us:.0f} us, p99 {p99_us:.0f}")
    for seed, case in enumerate(CASES):
        seen = run(case, seconds, SHM, device.model.tap_model(), seed).seen
        assert seen is not None
        yield of_counters(str(case), seen)
    recipe = campaign.Recipe("rocksdb", _TESTED, "ci", (name,), "sync", seed=1)
    with (
        tempfile.TemporaryDirectory(dir=SHM) as data,
        tempfile.TemporaryDirectory(dir=SHM) as folder,
    ):
        progress = measured(recipe, _CAMPAIGN_S, Path(folder), Path(data))
    if progress.failures:
        raise WaltaxError(f"the campaign failed: {progress.failures}")
    for workload in _TESTED:
        mine = [r for r in progress.rows if r["workload"] == workload and r.get("tap_wanted_ns")]
        yield of_rows(workload, mine)


def report(name: str, cases: Sequence[Kept]) -> None:
    """Print a line for each case, with the reason where it is off, and how many are within."""
    print(f"{name:<23}{'syncs':>9}  {'asked mean, p99 us':>20}  {'mean':>6}  {'p99':>6}")
    for one in cases:
        mean_us, p99_us = one.asked_us
        print(
            f"{one.name:<23}{one.syncs:>9,}  {mean_us:>10,.1f}{p99_us:>10,.1f}  {one.mean:>6.3f}  "
            f"{one.p99:>6.3f}  {one.why}",
            flush=True,
        )
    kept = sum(not one.why for one in cases)
    print(f"{name}: mean and p99 of {kept} of {len(cases)} cases are within {_WITHIN:.0%}")


if __name__ == "__main__":
    main()
