"""Measure a session: fresh clones and processes for every cell, then rounds of slices."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import disk_usage

from ..base.errors import UsageError, WaltaxError, in_words, naming
from ..devices.identity import identity
from ..evidence.rules import contradictions, doubts
from ..evidence.slice import Slice
from ..row import Row
from . import capacity, disturbance, emulation, lives, record
from .campaign import Campaign
from .cells import programs
from .cells.live import Live, Position
from .progress import Progress

CHECKS = "checks.jsonl"
"""The file of a campaign with what each session's checks counted."""
_SCARCE_BYTES = 32 << 20  # with less than this free, a memtable cannot be flushed


class Interrupted(Exception):
    """Ctrl-C: the slice under way was finished and its row written."""


@dataclass(frozen=True)
class Hooks:
    """What a session calls while it measures."""

    keep: Callable[..., None]  # takes one or several rows. Errors: WaltaxError
    say: Callable[[str], None]
    enough: Callable[[Progress], bool]  # asked after every round
    interrupted: Callable[[], bool]  # asked after every slice


@dataclass
class Session:
    """Measure one session of a campaign into its progress. Use once."""

    campaign: Campaign
    data_sets: Mapping[str, Path | None]  # by cell
    progress: Progress
    hooks: Hooks
    number: int
    ended: Collection[str] = ()  # workloads that rest
    _cells: dict[str, Live] = field(default_factory=dict, init=False)
    _keeps: bool = field(default=True, init=False)  # until the results' disk refuses a row

    def run(self) -> None:
        """Bring the cells up, measure and check them, until the rounds are done or suffice.

        A cell that fails is recorded and left out from then on. The others go on, but if a workload
        has nothing left to compare, its cells stay out of the next session. Errors: Interrupted,
        after the check; UsageError when a driver refuses flags that no knob set; WaltaxError when a
        row cannot be kept, and then no check follows, which could not be kept either.
        """
        capacity.find(self.campaign, self.data_sets, self.hooks.say)
        with contextlib.ExitStack() as stack:
            self._bring_up(stack)
            try:
                self._settle()
                self._rounds()
            finally:
                if self._keeps:
                    self._check()

    def _bring_up(self, stack: contextlib.ExitStack) -> None:
        for cell in self.progress.due(self.campaign, self.ended):
            if self.hooks.interrupted():
                raise Interrupted
            data_set = self.data_sets[cell.id]
            life = lives.bring_up(self.campaign, cell, data_set, self.number)
            try:
                live = self._cells[cell.id] = stack.enter_context(life)
                build = self.campaign.builds.get(cell.build)
                programs.require_build(live, build, self.progress.rows)
                self._refuse_other_programs(live)
            except UsageError as error:
                if not cell.knob or cell.id in self._cells:
                    raise UsageError(f"{error}{_where_to_look(error, data_set)}") from error
                self._fail(cell.id, 0, error)
            except (WaltaxError, OSError) as error:
                self._fail(cell.id, 0, error)

    def _refuse_other_programs(self, live: Live) -> None:
        """Raise UsageError if rows of the campaign were measured with another tap, or the cell's
        with another driver or server: their difference would be in the estimate.
        """
        differ = programs.another(programs.digests(live), live.cell.id, self.progress.rows)
        if differ is not None:
            raise UsageError(f"--resume: {self.campaign.id}: {differ}; start a new campaign")

    def _settle(self) -> None:
        """Let caches fill before anything is measured."""
        for cell_id, live in list(self._cells.items()):
            if self.hooks.interrupted():
                raise Interrupted
            try:
                live.settle(self.campaign.profile.timing.settle_s)
            except (WaltaxError, OSError) as error:
                self._fail(cell_id, 0, error)

    def _rounds(self) -> None:
        """Run as many rounds as the profile says, and one more for each that was disturbed.

        At most half as many are added: where every slice is disturbed, another is no better.
        """
        planned = self.campaign.profile.timing.rounds_per_session
        most = planned if self.campaign.recipe.command else planned + planned // 2
        due, number = dict.fromkeys(self.campaign.recipe.workloads, planned), 0
        while number < max(due.values()):
            for workload in due:
                if number < due[workload] and self._round(workload, number):
                    due[workload] = min(due[workload] + 1, most)
            if self.hooks.enough(self.progress) or not self._cells:
                break
            number += 1

    def _round(self, workload: str, number: int) -> bool:
        """Measure every cell of a workload once, in an order drawn from the campaign's seed.

        Return whether one of the slices was disturbed. Before its slice a cell has done as many
        requests as the furthest of those that it is compared with: it pays for the same flushes,
        and its data are as large.

        Workloads take turns: a round of both would last twice as long, and so suffer more from
        changes of the machine.
        """
        order = sorted(name for name, live in self._cells.items() if live.cell.workload == workload)
        random.Random(f"{self.campaign.recipe.seed}/{self.number}/{number}").shuffle(order)
        first = len(self.progress.rows)
        ages = {live.cell.baseline_id: 0 for live in self._cells.values()}
        for live in self._cells.values():
            ages[live.cell.baseline_id] = max(ages[live.cell.baseline_id], live.requests)
        for cell_id in order:
            at = Position(self.number, number, len(self.progress.rows))
            live, so_far = self._cells[cell_id], self.progress.rows
            try:
                live.catch_up(ages[live.cell.baseline_id])
                measured = measured_row(self.campaign, live, at, so_far)
            except (WaltaxError, OSError) as error:
                self._fail(cell_id, number, error)
            else:
                self._keep(measured)
            if self.hooks.interrupted():
                raise Interrupted
        return any(row.get("disturbed") for row in self.progress.rows[first:])

    def _check(self) -> None:
        """Check that each cell's data are consistent after a session and its emulated device was as
        modelled; otherwise its figures count for nothing.

        `counted` is null in the record of a cell whose workload has no check.
        """
        checked = unchecked = 0
        for cell_id, live in list(self._cells.items()):
            try:
                counted = live.check()
                self._require_its_device(cell_id)
            except (WaltaxError, OSError) as error:
                self._fail(cell_id, self.campaign.profile.timing.rounds_per_session, error)
                continue
            path = self.campaign.folder / CHECKS
            what = {"session": self.number, "cell": cell_id, "counted": counted}
            with naming(path), path.open("a") as file:
                file.write(json.dumps(what) + "\n")
            checked += counted is not None
            unchecked += counted is None
        failed = len(self.progress.failures)
        words = [f"the check passed on {checked} cells"] if checked or not unchecked else []
        words += [f"{unchecked} cells have no check"] if unchecked else []
        words += [f"{failed} failed"] if failed else []
        self.hooks.say(f"session {self.number + 1}: {'; '.join(words)}")

    def _require_its_device(self, cell_id: str) -> None:
        """Raise WaltaxError for a cell whose emulated device was late in most of its slices."""
        mine = [r for r in self.progress.rows if r["cell"] == cell_id and r["status"] == "ok"]
        late = emulation.always_late(list(filter(disturbance.by_nothing_else, mine)))
        if late is not None:
            raise WaltaxError(late)

    def _keep(self, measured: Row) -> None:
        """Keep a row. Errors: WaltaxError that names the missing slice, and says how to go on."""
        try:
            self.hooks.keep(measured)
        except WaltaxError as error:
            self._keeps, folder = False, self.campaign.folder
            lost = f"not kept: {measured['cell']}, round {measured['round'] + 1}; all before it is"
            again = f"when {folder} can be written again, go on with --resume {folder}"
            raise WaltaxError(*error.lines, f"{lost}; {again}") from error
        self.progress.rows.append(measured)

    def _fail(self, cell_id: str, round_number: int, error: Exception) -> None:
        """Record why, and end the cell's processes, which would disturb the others."""
        live = self._cells.pop(cell_id, None)
        if live is not None:
            live.kill()
        cell = next(cell for cell in self.campaign.cells if cell.id == cell_id)
        why = _scarce_space(self.campaign, cell_id) + in_words(error).removeprefix(f"{cell_id}: ")
        self.progress.failures[cell_id] = why
        at = Position(self.number, round_number, len(self.progress.rows))
        self._keep(record.failed(self.campaign, cell, at, why))


def measured_row(campaign: Campaign, live: Live, at: Position, so_far: Sequence[Row]) -> Row:
    """Measure a slice of a cell and accept it; `so_far` are the campaign's rows, which say what is
    usual.

    Errors: WaltaxError and OSError for a cell that failed, or whose evidence contradicts its label.
    """
    timing, build = campaign.profile.timing, campaign.builds.get(live.cell.build)
    warmup_s = timing.warmup_s if live.slices or live.requests else timing.settle_s
    _require_its_place(live)
    programs.require_build(live, build, so_far)
    measured = live.measure(at, warmup_s, timing.measure_s)
    _require_its_place(live)
    programs.require_build(live, build, so_far)
    taken = record.taken(campaign, live, at, measured)
    seen, alone = Slice(live.cell, taken), live.cell.at(shards="")
    differ = contradictions(seen)
    for number, store in enumerate(record.stores(live, measured, taken)):
        differ += [f"node {number}: {words}" for words in contradictions(Slice(alone, store))]
    differ += emulation.too_short(measured.tap)
    if differ:
        raise WaltaxError(f"the evidence contradicts the label: {'; '.join(differ)}")
    taken["warnings"] += doubts(seen, so_far)
    taken["disturbed"] = disturbance.reasons(timing.disturbed, taken)
    return taken


def _require_its_place(live: Live) -> None:
    """Raise WaltaxError when the WAL is not in the planned directory or on the planned disk."""
    root, planned = live.placement.wal_root, live.placement.identity
    for wal_dir in live.wal_dirs:
        if root is not None and not wal_dir.is_relative_to(root):
            raise WaltaxError(f"the WAL directory {wal_dir} is not on the device at {root}")
        if planned is not None and identity(wal_dir) != planned:
            raise WaltaxError(
                f"{wal_dir} is on another file system than when the campaign was planned; "
                f"something was mounted or unmounted at or above it"
            )


def _where_to_look(refusal: UsageError, data_set: Path | None) -> str:
    """Say where a clone came from, if the driver refuses its data and not a flag."""
    if data_set is None or ("--db: " not in str(refusal) and "the data set " not in str(refusal)):
        return ""
    return f" (loaded from {data_set.parent}; remove that to reload)"


def _scarce_space(campaign: Campaign, cell_id: str) -> str:
    """Name a likely cause that a dying RocksDB may not have named."""
    places: list[Path | None] = [campaign.placements[cell_id].wal_root, campaign.data_root]
    for folder in filter(None, places):
        with contextlib.suppress(OSError):
            free = disk_usage(folder).free
            if free < _SCARCE_BYTES:
                return f"only {free >> 20} MiB of space left in {folder}; "
    return ""
