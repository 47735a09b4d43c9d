"""Record and replay: how far the replay of a probed directory is from the directory itself.

    python -m bench fidelity [DIR] [--blocks N] [--seconds S] [--sleeps N] [--case NAME]...
                                    [--share-machine]

Each block probes DIR anew, because disks drift within minutes, and then runs `db_bench` (synced
fillrandom, 1, 4 and 16 threads, values of 100 B, 1 kB and 10 kB) with its WAL in DIR and on the
replay of that probe, twice each in random order, under the tap on both sides. LinkBench and TPC-C
follow as one campaign on a probe of their own. All other files of the engine lie in memory, so that
the WAL has the disk for itself. Printed are

- error: throughput of the replay / of the directory - 1, with its 95 % interval;
- noise: the same of the directory against itself, from half as many runs of db_bench;
- what an error consists of: mean time of a sync, and CPU time of the whole process for each sync,
  in DIR -> on the replay. Kernel threads of the real disk are in neither.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from waltax import analysis
from waltax.analysis import stats
from waltax.analysis.gate.difference import Compared
from waltax.analysis.reports.builds import DEVICE, against
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.folders import places
from waltax.base.folders.machine import only_campaign
from waltax.devices.block import UNKNOWN
from waltax.devices.catalog import load as load_device
from waltax.devices.check import check, require_writable
from waltax.devices.device import Device
from waltax.devices.device_file import toml
from waltax.devices.probe import measure, record
from waltax.devices.probe.jobs import rounds as probe_rounds
from waltax.devices.resolve import SHM
from waltax.devices.tap_model import DeviceModel
from waltax.row import Row
from waltax.runners import campaign, loop
from waltax.runners.local import Local
from waltax.runners.progress import Progress

from .fidelity_db_bench import CASES, Case, Run, run
from .fidelity_report import Line, report, summarise

_CAMPAIGN_S = 50.0  # of slices, for each of LinkBench and TPC-C
_BUSY_CORES = 0.5  # used by others, a probe mostly measures waiting for a CPU
REAL, REPLAY = SIDES = ("real", "replay")
_TESTED = ("linkbench", "tpcc")
REPEATS = 2  # of each side in a block


@click.command()
@click.argument("directory", default="/tmp", type=click.Path(path_type=Path))
@click.option("--blocks", default=3, show_default=True, type=click.IntRange(0), help="of db_bench.")
@click.option("--seconds", default=2, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option(
    "--sleeps",
    default=0,
    type=click.IntRange(0),
    help="Of a sync's caller in db_bench; 0: as in the probe.",
)
@click.option(
    "--case",
    "asked",
    multiple=True,
    type=click.Choice([*(case.word for case in CASES), *_TESTED]),
    help="These alone, threads x bytes or a workload; may be repeated. Not given: all.",
)
@click.option("--share-machine", is_flag=True, help="Although a campaign may be running.")
def main(
    directory: Path,
    blocks: int,
    seconds: int,
    seed: int,
    sleeps: int,
    asked: tuple[str, ...],
    share_machine: bool,
) -> None:
    """Print how far the replay of DIRECTORY's probe is from DIRECTORY, for each workload."""
    cases = [case for case in CASES if case.word in (asked or [case.word])] if blocks else []
    tested = tuple(name for name in _TESTED if name in (asked or _TESTED))
    if not cases and not tested:
        raise click.UsageError("--blocks 0 with --case of db_bench alone leaves nothing to do")
    machine = only_campaign("bench-fidelity", share=share_machine)
    lines: list[Line] = []
    try:
        require_disk(directory)
        with machine:
            if cases:
                lines = _db_bench(directory, blocks, seconds, sleeps, random.Random(seed), cases)
                report(lines)
            if tested:
                found = _campaign(directory, seed, tested)
                report(found)
                lines += found
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    except WaltaxError as error:
        raise click.ClickException(str(error)) from error
    summarise(lines)


def require_disk(directory: Path) -> None:
    """Errors: UsageError unless files can be made in it, on a disk that the kernel names."""
    require_writable(directory)
    found = check(directory).device_class
    if found in ("ram", UNKNOWN):
        where = "in memory" if found == "ram" else "on what the kernel says nothing of"
        raise UsageError(f"{directory} is {where}; give a directory on a real disk")


def probed(directory: Path, folder: Path) -> Device:
    """Probe in half a minute; return the device.

    It goes through its file, as a replay on another machine would. Each size as often as in every
    probe: rare slow syncs, a fifth of the mean, come in measure.
    """
    with places.borrowed(directory, ".waltax-probe-", "probe") as work:
        measured = measure.measure(probe_rounds(), work, lambda _: None)
    path = folder / f"{REPLAY}.toml"
    path.write_text(toml(record.device(REPLAY, check(directory), None, measured), record.ABOUT))
    device = load_device(str(path))
    foreign = statistics.fmean(reading.foreign_cores for reading in measured.readings)
    print(
        f"probed: a sync of 1 kB {device.typical_sync_us(1032):.0f} us (median); others used "
        f"{foreign:.1f} CPUs{', so that errors say nothing' if foreign > _BUSY_CORES else ''}",
        flush=True,
    )
    return device


def _db_bench(
    directory: Path,
    blocks: int,
    seconds: int,
    sleeps: int,
    order: random.Random,
    cases: Sequence[Case],
) -> list[Line]:
    seen: dict[tuple[Case, str], list[Run]] = defaultdict(list)
    for block in range(blocks):
        with tempfile.TemporaryDirectory(dir=SHM) as folder:
            model = _model(probed(directory, Path(folder)), sleeps)
            for case, side in turns(order, cases):
                wal_root, device = (directory, None) if side == REAL else (SHM, model)
                seed = order.randrange(2**31)
                seen[case, side].append(run(case, seconds, wal_root, device, seed))
        print(f"block {block + 1} of {blocks} done", flush=True)
    return [line(case, seen[case, REAL], seen[case, REPLAY]) for case in cases]


def turns(order: random.Random, cases: Sequence[Case] = CASES) -> Iterator[tuple[Case, str]]:
    """The runs of a block. A case's follow each other, so that both sides see the same disk."""
    for case in order.sample(cases, len(cases)):
        sides = SIDES * REPEATS
        for side in order.sample(sides, len(sides)):
            yield case, side


def _model(device: Device, sleeps: int) -> DeviceModel:
    assert device.model is not None
    model = device.model.tap_model()
    return replace(model, sync_sleeps=sleeps) if sleeps else model


def line(case: Case, real: list[Run], replayed: list[Run]) -> Line:
    """Compare runs of a block with that block's; blocks are what the bootstrap draws first.

    REQUIRES: of each side, the runs of block after block.
    """
    sides = [np.array([run.throughput for run in runs]) for runs in (real, replayed)]
    session = np.arange(len(real)) // REPEATS
    first = np.arange(len(real)) % REPEATS == 0
    return Line(
        str(case),
        float(sides[0].mean()),
        stats.draws(sides[1], sides[0], stats.resample(session)).interval(),
        stats.draws(sides[0][~first], sides[0][first], stats.resample(session[first])).interval(),
        _medians(run.sync_us for run in real) + _medians(run.sync_us for run in replayed),
        _medians(run.cpu_us for run in real) + _medians(run.cpu_us for run in replayed),
    )


def _medians(values: Iterable[float]) -> tuple[float]:
    return (statistics.median(values),)


def _campaign(directory: Path, seed: int, workloads: tuple[str, ...]) -> list[Line]:
    """LinkBench and TPC-C, where the directory is measured as two devices."""
    with (
        tempfile.TemporaryDirectory(dir=SHM) as data,
        tempfile.TemporaryDirectory(dir=SHM) as folder,
    ):
        device = probed(directory, Path(folder))
        devices = [_real(Path(folder), name, device, directory) for name in (REAL, "again")]
        devices.append(str(Path(folder) / f"{REPLAY}.toml"))
        recipe = campaign.Recipe("rocksdb", workloads, "ci", tuple(devices), "sync", seed=seed)
        return campaign_lines(measured(recipe, _CAMPAIGN_S, Path(folder), Path(data)))


def measured(recipe: campaign.Recipe, budget_s: float, folder: Path, data: Path) -> Progress:
    """Run a campaign for its whole budget: stopping at a narrow overhead is another question."""
    plan = campaign.new(recipe, folder / "results", data)
    timing = plan.profile.timing.model_copy(
        update={"time_budget_s": budget_s, "target_half_width": 1e-9}
    )
    plan = replace(plan, profile=plan.profile.model_copy(update={"timing": timing}))
    here = Local(share_machine=True)
    return loop.measure(plan, analysis.estimate, lambda _: None, here).progress


def campaign_lines(progress: Progress) -> list[Line]:
    """A line for each workload. Errors: WaltaxError for a cell that failed: nothing is compared."""
    if progress.failures:
        said = "; ".join(f"{cell}: {why}" for cell, why in progress.failures.items())
        raise WaltaxError(f"the campaign failed: {said}")
    rows = progress.rows

    def compared(device: str) -> list[Compared]:
        series = against(rows, [REAL, device], DEVICE)
        return [pair for each in series for pair in each.points]

    noise = {one.result.workload: one.ratio for one in compared("again")}
    lines = []
    for one in compared(REPLAY):
        assert one.base is not None
        name, per_s = one.result.workload, one.base.throughput or 0.0
        per_sync = _per_sync(rows, one.base.cell, one.cell)
        lines.append(Line(name, per_s, one.ratio, noise[name], *per_sync, tested=True))
    return lines


def _per_sync(rows: list[Row], *cells: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Time of a sync, and CPU time of the process for each, both in us, of two cells."""
    found = []
    for cell in cells:
        mine = [one for one in rows if one["cell"] == cell]
        syncs = sum(one["tap_syncs"] for one in mine)
        cpu_s = sum(one["cpu_user_s"] + one["cpu_system_s"] for one in mine)
        found.append((sum(one["tap_sync_ns"] for one in mine) / syncs / 1e3, cpu_s / syncs * 1e6))
    return (found[0][0], found[1][0]), (found[0][1], found[1][1])


def _real(folder: Path, name: str, probe: Device, directory: Path) -> str:
    path = folder / f"{name}.toml"
    path.write_text(
        f'name = "{name}"\ntitle = "the probed directory"\nstands_for = "itself"\n'
        f'class = "{probe.device_class}"\nkind = "none"\npower_loss_protection = "unknown"\n'
        f'notes = ""\npath = {json.dumps(str(directory.absolute()))}\n'
    )
    return str(path)


if __name__ == "__main__":
    main()
