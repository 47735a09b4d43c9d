"""A cell of db_bench: a program that runs anew in each slice and prints RocksDB's counters."""

from __future__ import annotations

import contextlib
import math
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ....engines.knobs import knob
from ....profiles import left_out, require_kept, written_options
from ....workloads.dbbench import argv
from ....workloads.dbbench.argv import Run
from .. import data_set, waldir
from ..live import Measured, MeasuredNode, Position
from ..program import shell
from ..program.cell import ProgramCell
from ..program.folder import Folder
from ..setting import Setting
from . import event as events
from . import output, program

DB, LOG = "db", "wal"
"""The folders of the database, below the data, and of its log, on the device."""
_GRACE_S = 120.0  # to open, to wait for the last operations, and to close
_PILOT_LONGEST_S = 600.0  # of a pilot, and, beyond the requested time, of a run that it sized
_LONGEST_S = 4 * 3600.0  # of a run that does [dbbench.run] operations, however long it takes
_PILOT_OPERATIONS = 500
_PILOT_S = 0.25  # a shorter run says little of the next one
_PILOT_RUNS = (2, 6)  # at least, at most


@dataclass(kw_only=True)
class BenchedCell(ProgramCell):
    """A cell that begins each slice with an empty database or a clone of loaded data, an empty log
    and a tap that has counted nothing. Use from one thread.
    """

    setting: Setting
    db_bench: Path
    run: Run
    env: Mapping[str, str]  # what its axes add to the tap's
    counted: bool = False  # whether a pilot said how many operations a slice has
    within_s: float = _GRACE_S  # after which a run counts as hanging

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Measure one whole run; a warm-up would be a run of its own, so there is none.

        A benchmark that does not look at the clock is first run briefly, once a session, to learn
        how many operations take `measure_s`. db_bench counts whole seconds: it is rounded up.
        Errors: WaltaxError with db_bench's last words.
        """
        if self.run.operations is None and self.run.seconds is None:
            self.run = self._sized(math.ceil(measure_s))
        measured = self._slice(self.run, f"r{self.slices}", self._longest_s(measure_s))
        self.slices += 1
        return measured

    def _longest_s(self, measure_s: float) -> float:
        """Return the time after which a slice counts as hanging."""
        if self.run.seconds is not None:
            return self.run.seconds + _GRACE_S
        return measure_s + _PILOT_LONGEST_S if self.counted else _LONGEST_S

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

    @contextlib.contextmanager
    def placed(self) -> Iterator[Folder]:
        """Yield a folder with the database, whose unchanged files are links to the loaded ones."""
        with super().placed() as placed:
            if self.setting.data_set is None:
                self.run.db.mkdir()
            else:
                data_set.clone(self.setting.data_set, self.run.db)
            yield placed

    def finished(
        self, line: str, env: Mapping[str, str], placed: Folder, log: Path
    ) -> shell.Finished:
        return program.run(line, {**env, **self.env}, log, self.within_s, placed.data)

    def _slice(self, run: Run, name: str, within_s: float) -> Measured:
        """Measure a run from its empty folders on, and keep its output."""
        log = self.kept / f"{self.cell.id}-s{self.setting.session}-{name}"
        cell, profile, self.within_s = self.cell, self.setting.profile, within_s
        self.argv = argv.run_argv(self.db_bench, run)
        with self.placed() as placed:
            ended, seen, during = self.ran(shlex.join(self.argv), placed, log)
            written = written_options(run.db)
            require_kept(profile, cell.workload, written, knob(cell.knob), cell.durability)
            result = output.parse(ended.output, run.bench)
            said = shell.outputs(log)[0].relative_to(self.kept.parent)
            event = events.event(run, ended, result, said)
            strays = waldir.stray_files(cell.engine, run.db, placed.log / LOG)
        doubts = events.warnings(run, result)
        self.ready["warnings"] = [*doubts, *left_out(profile, cell.durability)]
        node = MeasuredNode(self.wal_dir, seen, seen, strays)  # the pages are the run's own
        return Measured(event, (node,), during)
