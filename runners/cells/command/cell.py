"""A cell that is a server, on which a user's command is run for each slice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ....base.errors import WaltaxError
from ....engines.server.datadir import DATABASE
from ....workloads.command.workload import UNIT
from ...recipe.parts import Command
from .. import machine, waldir
from ..live import Live, Measured, MeasuredNode, Position
from ..placed_server import Placed, require_mode, require_servers
from . import counters, metric, shell


@dataclass(kw_only=True)
class CommandCell(Live):
    """A server that is frozen except while a command runs. Use from one thread.

    A command's outputs are kept in `kept`, under the number of its slice.
    """

    placed: Placed
    command: Command
    metric: re.Pattern[str]
    kept: Path

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run the command once, however long it takes.

        Errors: WaltaxError when it fails, takes too long, prints no number, loses its server or
        changes the server's mode.
        """
        placed, places = self.placed, {"data": self.placed.datadir, "wal": self.wal_dir}
        placed.server.require_alive()
        placed.server.thaw()
        counted = counters.ask(placed.server)
        pids = [placed.server.pid]
        before = machine.sample(places, pids)
        tap, cpu = placed.page.snapshot(), placed.server.cpu_s()
        self.begin_axes(pids)
        done = self._run(at)
        cpu_after, during = placed.server.cpu_s(), machine.sample(places, pids).since(before)
        columns, moment = self.axes_counted(pids, placed.datadir)
        # A command can change these.
        require_mode(placed, self.cell.durability, counters.variables(placed.server))
        counted = counters.ask(placed.server).minus(counted)
        placed.server.freeze()
        so_far = placed.page.snapshot()
        self.slices += 1
        strays = waldir.stray_files(self.cell.engine, placed.datadir, self.wal_dir)
        value = metric.find(self.metric, done.output)
        also = {"definitions": counted.definitions, "pages": counted.pages}
        return Measured(
            slice=done.event(value, UNIT.name, counted.log, **also),
            nodes=(MeasuredNode(self.wal_dir, so_far.minus(tap), so_far, strays),),
            machine=during | columns,
            server_cpu_s=(cpu_after[0] - cpu[0], cpu_after[1] - cpu[1]),
            moment=moment,
        )

    def _run(self, at: Position) -> shell.Finished:
        server = self.placed.server
        log = self.kept / f"{at.slice:04d}-{self.cell.device}-{self.cell.durability}"
        try:
            return shell.run(
                self.command.run,
                env=shell.environment(server.socket, server.user, DATABASE),
                timeout_s=self.command.timeout_s,
                log=log,
            )
        except WaltaxError:
            require_servers([server])  # a command that lost its server is not to blame
            raise
