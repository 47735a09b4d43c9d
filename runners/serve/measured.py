"""A command measured on a server per device, in random turns, one server awake at a time."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from ... import row
from ...cell import Cell
from ...errors import UsageError, WaltaxError, in_words
from ...mariadb.datadir import DATABASE
from ...row import Row
from .. import engines, machine
from ..campaign import Campaign
from ..live import require_server
from ..record import Position
from ..served import Placed, placed_server
from . import counters, placing, proof, rows, shell
from .metric import Metric
from .signals import Signals
from .template import Template


@dataclass(frozen=True)
class Job:
    """What is run on every server, and how often."""

    command: str
    metric: Metric
    timeout_s: float
    sessions: int
    rounds: int  # of each session


@dataclass
class Result:
    """What there is so far. Rows are on disk before they are here."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # by cell id

    @property
    def has_result(self) -> bool:
        return any(one["status"] == "ok" for one in self.rows)


class Measuring:
    """Runs a job on a campaign's cells. Use once, from one thread."""

    def __init__(
        self,
        campaign: Campaign,
        job: Job,
        data: Template,
        signals: Signals,
        say: Callable[[str], None],
    ) -> None:
        self._campaign = campaign
        self._job = job
        self._data = data
        self._signals = signals
        self._say = say
        self._alive: dict[str, Placed] = {}
        self.result = Result()

    def run(self) -> Result:
        """All sessions, or those until a signal came or nothing is left to compare.

        A cell whose command fails, or whose evidence contradicts its label, is recorded and
        left out from then on; the others go on.
        """
        for session in range(self._job.sessions):
            if self._signals.first is not None or not self._worth_measuring():
                break
            with contextlib.ExitStack() as stack:
                self._bring_up(stack, session)
                for number in range(self._job.rounds):
                    self._round(session, number)
            self._alive.clear()
        return self.result

    def _bring_up(self, stack: contextlib.ExitStack, session: int) -> None:
        for cell in self._campaign.cells:
            if self._signals.first is not None:
                return
            if cell.id in self.result.failures:
                continue
            order = placing.order(self._campaign, cell, self._data, session)
            life = placed_server(order, placing.folders(self._campaign))
            try:
                placed = stack.enter_context(life)
                counters.require_mode(placed, cell.durability)
            except UsageError:
                raise
            except (WaltaxError, OSError) as error:
                self._fail(cell.id, Position(session, 0, len(self.result.rows)), error)
                continue
            placed.server.freeze()
            self._alive[cell.id] = placed

    def _round(self, session: int, number: int) -> None:
        """The command once on each server, in an order drawn from the campaign's seed."""
        order = sorted(self._alive)
        random.Random(f"{self._campaign.recipe.seed}/{session}/{number}").shuffle(order)
        for cell_id in order:
            if self._signals.first is not None:
                return
            at = Position(session, number, len(self.result.rows))
            try:
                self._keep(self._measured_row(cell_id, at))
            except (WaltaxError, OSError) as error:
                self._fail(cell_id, at, error)

    def _measured_row(self, cell_id: str, at: Position) -> Row:
        cell, placed = self._cell(cell_id), self._alive[cell_id]
        places = {"data": placed.datadir, "wal": placed.wal_dir}
        placed.server.require_alive()
        placed.server.thaw()
        counted = counters.ask(placed.server)
        tap, before, cpu = placed.page.snapshot(), machine.sample(places), placed.server.cpu_s()
        done = self._run(placed, at, cell)
        cpu_after, during = placed.server.cpu_s(), machine.sample(places).since(before)
        counters.require_mode(placed, cell.durability)  # which a command can change
        counted = counters.ask(placed.server).minus(counted)
        placed.server.freeze()
        so_far = placed.page.snapshot()
        seen = rows.Seen(
            number=self._job.metric.find(done.output),
            command=done,
            counted=counted,
            tap=so_far.minus(tap),
            tap_so_far=so_far,
            machine=during,
            server_cpu_s=(cpu_after[0] - cpu[0], cpu_after[1] - cpu[1]),
            stray_log_files=engines.stray_log_files(cell.engine, placed.datadir, placed.wal_dir),
        )
        found = proof.contradictions(cell, self._campaign.placements[cell_id], placed, seen)
        if found:
            raise WaltaxError(f"the evidence contradicts the label: {found[0]}")
        doubts = proof.warnings(cell, seen)
        return rows.accepted(self._campaign, cell, at, placed, seen, doubts)

    def _run(self, placed: Placed, at: Position, cell: Cell) -> shell.Finished:
        server = placed.server
        log = self._campaign.folder / f"{at.slice:04d}-{cell.device}-{cell.durability}"
        try:
            return shell.run(
                self._job.command,
                env=shell.environment(server.socket, server.user, DATABASE),
                timeout_s=self._job.timeout_s,
                log=log,
            )
        except WaltaxError:
            require_server(server)  # a command that lost its server is not to blame
            raise

    def _cell(self, cell_id: str) -> Cell:
        return next(cell for cell in self._campaign.cells if cell.id == cell_id)

    def _worth_measuring(self) -> bool:
        """Whether some cell is left whose baseline is left, too."""
        left = [cell for cell in self._campaign.cells if cell.id not in self.result.failures]
        ids = {cell.id for cell in left}
        return any(cell.baseline_id in ids and not cell.is_baseline for cell in left)

    def _keep(self, one: Row) -> None:
        row.append(self._campaign.rows_path, one)
        self.result.rows.append(one)
        what = f"session {one['session'] + 1} round {one['round'] + 1}: {one['cell']}"
        if one["status"] == "ok":
            self._say(f"{what}: {one['throughput']:g} in {one['measure_s']:.1f} s")
        else:
            self._say(f"{what}: failed: {one['failure']}")

    def _fail(self, cell_id: str, at: Position, error: Exception) -> None:
        """Record why, and end the cell's server, which would disturb the others."""
        placed = self._alive.pop(cell_id, None)
        if placed is not None:
            placed.server.kill()
        why = in_words(error).removeprefix(f"{cell_id}: ")
        self.result.failures[cell_id] = why
        self._keep(rows.failed(self._campaign, self._cell(cell_id), at, why))
