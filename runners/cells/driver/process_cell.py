"""A cell that is a driver's process, which waits between slices, with its engine's servers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ....devices.tap_page import TapCounters
from ....driver.client import Driver, DriverFailed
from ....engines.server.server import Server
from .. import machine, waldir
from ..live import Event, Live, Measured, MeasuredNode, Node, Position, ServerNode
from ..placed_server import require_servers

# A cell that is slow for another reason than its syncs is left behind after this time.
_CATCHES_UP_S = 2.0


@dataclass(kw_only=True)
class ProcessCell(Live):
    """A cell that is frozen except while it measures. Use from one thread.

    It has a node for each process that the engine is in.
    """

    driver: Driver
    nodes: tuple[Node, ...]
    unmeasured_s: float = 0.0  # of requests since the last slice

    @property
    def datadir(self) -> Path:
        return self.nodes[0].datadirs[0]

    @property
    def servers(self) -> list[Server]:
        return [node.server for node in self.nodes if isinstance(node, ServerNode)]

    @property
    def server(self) -> Server | None:
        return next(iter(self.servers), None)

    @property
    def engine_pid(self) -> int:
        return self.driver.pid if self.server is None else self.server.pid

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run one slice while every other cell is frozen.

        Errors: ServerDied or DriverFailed, naming the cell and the last words.
        """
        places = {"data": self.datadir, "wal": self.wal_dir} if self.nodes else {}
        cpu_before = self._server_cpu_s()
        pids = [self.driver.pid, *(server.pid for server in self.servers)]
        for axis in self.axes:
            axis.begin(pids)
        taps, before = [node.page.snapshot() for node in self.nodes], machine.sample(places, pids)
        times = {"warmup_s": warmup_s, "measure_s": measure_s}
        # Background work runs only during the cell's slice: it has no other time.
        with self._awake():
            event = self._slice(times)
        during = machine.sample(places, pids).since(before)
        for axis in self.axes:
            during |= axis.counted(pids)
        nodes = tuple(map(self._since, self.nodes, taps))
        self.slices += 1
        cpu = [now - then for now, then in zip(self._server_cpu_s(), cpu_before, strict=True)]
        used = (cpu[0], cpu[1]) if self.servers else None
        return Measured(event, nodes, during, used)

    def _since(self, node: Node, earlier: TapCounters) -> MeasuredNode:
        """Return what the witnesses of a node's log saw since its page was as in `earlier`."""
        now = node.page.snapshot()
        strays = [
            file
            for datadir in node.datadirs
            for file in waldir.stray_files(self.cell.engine, datadir, node.wal_dir)
        ]
        return MeasuredNode(node.wal_dir, now.minus(earlier), now, tuple(strays))

    def _slice(self, times: dict[str, float]) -> Event:
        event = self.driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
        event |= {"age_requests": self.requests, "unmeasured_s": round(self.unmeasured_s, 3)}
        self.requests, self.unmeasured_s = self.requests + event["slice_requests"], 0.0
        return event

    def settle(self, seconds: float) -> None:
        """Do requests for this long, unmeasured, with syncs that take no time.

        Errors: as `measure`.
        """
        if seconds > 0:
            self._hurry(seconds, {})

    def catch_up(self, requests: int) -> None:
        """Do what lacks to so many requests as `settle` does. Errors: as `measure`."""
        each = (requests - self.requests) // self.cell.threads
        if each > 0:
            self._hurry(_CATCHES_UP_S, {"requests": each})

    def _hurry(self, seconds: float, bounds: dict[str, float]) -> None:
        pages = [*(node.page for node in self.nodes), *(axis.page for axis in self.axes)]
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._awake())
            for page in filter(None, pages):
                stack.enter_context(page.hurrying())
            began = time.monotonic()
            self.driver.send(cmd="run", warmup_s=0, measure_s=seconds, **bounds)
            done = self.driver.wait_for("slice", within_s=seconds)
        self.requests += done["slice_requests"]
        if not self.placement.emulated:
            waldir.sync(self.wal_dirs)
        self.unmeasured_s += time.monotonic() - began

    def check(self) -> dict[str, int]:
        """Verify the workload's invariants and return how much was looked at.

        Errors: DriverFailed naming the violations; ServerDied.
        """
        with self._awake():
            return self.driver.check()

    @contextlib.contextmanager
    def _awake(self) -> Iterator[None]:
        """Keep it thawed. A driver that failed because its server died is not to blame."""
        self.thaw()
        try:
            yield
        except DriverFailed:
            require_servers(self.servers)
            raise
        self.freeze()

    def thaw(self) -> None:
        """Thaw the servers first: they answer when their client wakes."""
        for server in self.servers:
            server.thaw()
        self.driver.thaw()

    def freeze(self) -> None:
        """Stop all threads. REQUIRES: no slice runs, so no transaction is open, and no lock of a
        frozen client keeps a thawed server waiting.
        """
        self.driver.freeze()
        for server in self.servers:
            server.freeze()

    def kill(self) -> None:
        self.driver.kill()
        for server in self.servers:
            server.kill()

    def _server_cpu_s(self) -> list[float]:
        """Return the user and system time of all its servers."""
        return [
            sum(used)
            for used in zip((0.0, 0.0), *(server.cpu_s() for server in self.servers), strict=True)
        ]
