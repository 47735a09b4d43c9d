"""A cell of db_bench: no process between slices, a whole run for each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ....base.folders import removal
from ....devices import tap_page
from ....devices.tap_preload import tap_environment
from ....engines.knobs import knob
from ....profiles import left_out, require_kept, written_options
from ....workloads.dbbench import argv
from ....workloads.dbbench.argv import Run
from .. import data_set, machine, waldir
from ..live import Event, Live, Measured, MeasuredNode, Position
from ..setting import Setting
from . import child, output
from . import event as events

_GRACE_S = 120.0  # to open, to wait for the last operations, and to close
_PILOT_LONGEST_S = 600.0  # of a pilot, and, beyond the requested time, of a run that it sized
_LONGEST_S = 4 * 3600.0  # of a run that does [dbbench.run] operations, however long it takes
_PILOT_OPERATIONS = 500
_PILOT_S = 0.25  # a shorter run says little of the next one
_PILOT_RUNS = (2, 6)  # at least, at most
_FAR_OFF = 2.0  # a slice that took this many times more or less than asked resizes the next


@dataclass(kw_only=True)
class BenchedCell(Live):
    """A cell that begins each slice with an empty database or a clone of loaded data, an empty WAL
    directory and a fresh page of the tap. Use from one thread.
    """

    setting: Setting
    program: Path
    run: Run
    kept: Path  # folder of db_bench's own output
    env: Mapping[str, str]  # what its axes add to the tap's
    counted: bool = False  # whether a pilot said how many operations a slice has
    idle_cpu_s: float = 0.0  # of a run that opens, does hardly anything, and closes

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Measure one whole run; a warm-up would be a run of its own, so there is none.

        Once a session, a run of one operation a thread tells what opening and closing cost. A
        benchmark that does not look at the clock is first run briefly, once a session, to learn how
        many operations take `measure_s`. db_bench counts whole seconds: it is rounded up.
        Errors: WaltaxError with db_bench's last words.
        """
        if not self.slices:
            self._measure_idle()
        if self.run.operations is None and self.run.seconds is None:
            self.run = self._sized(math.ceil(measure_s))
        measured = self._slice(self.run, f"r{self.slices}", self._longest_s(measure_s))
        self.slices += 1
        if self.counted:
            self.run = _resized(self.run, measured.slice, math.ceil(measure_s))
        return measured

    def _longest_s(self, measure_s: float) -> float:
        """Return the time after which a slice counts as hanging."""
        if self.run.seconds is not None:
            return self.run.seconds + _GRACE_S
        return measure_s + _PILOT_LONGEST_S if self.counted else _LONGEST_S

    def _measure_idle(self) -> None:
        idle = replace(self.run, seconds=None, operations=self.run.threads)
        event = self._slice(idle, "idle", _GRACE_S).slice
        self.idle_cpu_s = event["cpu_user_s"] + event["cpu_system_s"]

    def _sized(self, seconds: int) -> Run:
        """Return the run that takes about this long."""
        if self.run.bench not in argv.COUNTED:
            return replace(self.run, seconds=seconds)
        self.counted, count, rate = True, _PILOT_OPERATIONS, 0.0
        at_least, at_most = _PILOT_RUNS
        for number in range(1, at_most + 1):
            pilot = replace(self.run, operations=count)
            event = self._slice(pilot, "pilot", _PILOT_LONGEST_S).slice
            # Other programs' use of the CPU can make it too low, and nothing makes it too high.
            rate = max(rate, event["throughput"])
            all_read = event["requests"] < count
            if all_read or (number >= at_least and event["measure_s"] >= _PILOT_S):
                break
            count = max(4 * count, int(rate * _PILOT_S * 1.2))
        return replace(self.run, operations=max(1, int(rate * seconds)))

    def _slice(self, run: Run, name: str, within_s: float) -> Measured:
        """Measure a run from its empty folders on, and keep its output; empty them afterwards."""
        kept = self.kept / f"{self.cell.id}-s{self.setting.session}-{name}.txt"
        self._empty(run.db)
        if self.setting.data_set is None:
            run.db.mkdir()
        else:
            data_set.clone(self.setting.data_set, run.db)
        page_path = self.setting.folders.memory / f"{self.cell.id}.page"
        page = tap_page.create(page_path)
        try:
            model = waldir.model_file(page_path, self.placement, run.seed)
            tapped = tap_environment(self.wal_dir, page_path, model)
            return self._measured(run, kept, within_s, page, {**tapped, **self.env})
        finally:
            page.close()
            self._empty(run.db)

    def _measured(
        self, run: Run, kept: Path, within_s: float, page: tap_page.TapPage, env: dict[str, str]
    ) -> Measured:
        self.argv = argv.run_argv(self.program, run)
        places = {"data": run.db, "wal": self.wal_dir}
        before = machine.sample(places)
        ended = child.run(self.argv, env, kept, within_s)
        during, seen = machine.sample(places).since(before), page.snapshot()
        cell, profile, written = self.cell, self.setting.profile, written_options(run.db)
        require_kept(profile, cell.workload, written, knob(cell.knob), cell.durability)
        result = output.parse(ended.output, run.bench)
        said = kept.relative_to(self.kept.parent)
        event = events.event(run, ended, result, self.idle_cpu_s, said)
        strays = waldir.stray_files(cell.engine, run.db, self.wal_dir)
        doubts = events.warnings(run, result)
        self.ready["warnings"] = [*doubts, *left_out(profile, cell.durability)]
        node = MeasuredNode(self.wal_dir, seen, seen, strays)  # the page is the run's own
        return Measured(event, (node,), during)

    def _empty(self, db: Path) -> None:
        removal.tree(db)
        for file in self.wal_dir.glob("*.log"):
            removal.tree(file)


def _resized(run: Run, event: Event, seconds: int) -> Run:
    """Return the next run: the same unless the last one took far less or more than asked."""
    assert run.operations is not None
    took_s, whole = event["measure_s"], event["requests"] >= run.operations
    if not whole or seconds / _FAR_OFF <= took_s <= seconds * _FAR_OFF:
        return run
    return replace(run, operations=max(1, int(event["throughput"] * seconds)))
