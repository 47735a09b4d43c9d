"""A user's own program as a cell: run anew in each slice, or serving while a load runs."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ....base import proc
from ....base.errors import WaltaxError
from ....base.folders import removal
from ....devices.tap_page import TapCounters
from ....row import Row
from ....workloads.own_program import RUNS, UNIT
from ...recipe.parts import Command
from .. import machine
from ..live import Live, Measured, MeasuredNode, Position
from . import folder, metric, processes, shell
from .folder import Folder, Tap

_READY_S = 60.0
_POLL_S = 0.05
_ENDS_S = 10.0


@dataclass(kw_only=True)
class ProgramCell(Live):
    """A program that is run anew, in a fresh copy of its data, in each slice."""

    command: Command
    expression: re.Pattern[str] | None  # None: its time is measured
    tap: Tap
    home: Path  # for the copies
    device: Path  # for its log
    model: Path | None
    kept: Path  # for its outputs, by the numbers of slices

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run the command once, however long it takes.

        Errors: WaltaxError when it fails, takes too long, prints no number, or leaves something
        running.
        """
        with self.placed() as placed:
            pages = self.tap.begin()
            places = {"data": placed.data, "wal": placed.log}
            before = machine.sample(places)
            line, env = self.tapped(self.command.of(self.cell), placed)
            done = run(self.command, line, env=env, cwd=placed.data, log=self.log(at))
            seen, during = pages.snapshot(), machine.sample(places).since(before)
        self.slices += 1
        return self.measured(done, seen, seen, during)

    @contextlib.contextmanager
    def placed(self) -> Iterator[Folder]:
        """Yield a fresh copy of the data, of which nothing is left behind."""
        source = Path(self.command.data) if self.command.data else None
        try:
            homes = self.home / "run", self.device / "run"
            yield folder.make(self.command.log, source, *homes, self.tap.sockets)
        finally:
            removal.trees(self.home / "run", self.device / "run")

    def tapped(self, line: str, placed: Folder) -> tuple[str, dict[str, str]]:
        """Return a command's line with the tap around it, and its environment."""
        line, env = self.tap.around(line, placed, self.model, self.cell.tap_rung)
        return line, {**variables(self.command, placed), **env}

    def measured(
        self, done: shell.Finished, seen: TapCounters, so_far: TapCounters, during: Row
    ) -> Measured:
        """Return what the witnesses say; nothing is known of a program's operations."""
        value, unit = 1 / done.seconds, RUNS
        if self.expression is not None:
            value, unit = metric.find(self.expression, done.output), UNIT
        event = {
            "event": "slice",
            "throughput": value,
            "throughput_unit": unit.name,
            "start_unix_s": done.start_unix_s,
            "warmup_s": 0.0,
            "measure_s": done.seconds,
            "cpu_user_s": done.cpu_user_s,
            "cpu_system_s": done.cpu_system_s,
            "counters": {"wal_bytes": seen.write_bytes},
            "requests": 1,
        }
        # Its files have other folders in each slice, and none afterwards.
        node = MeasuredNode(self.wal_dir, seen, replace(so_far, files=()), ())
        return Measured(event, (node,), during)

    def log(self, at: Position) -> Path:
        """Return where a slice's outputs are kept."""
        return self.kept / f"{at.slice:04d}-{self.cell.device}-{self.cell.durability}"


@dataclass(kw_only=True)
class ServingCell(ProgramCell):
    """A program that serves, frozen except while a load runs against it."""

    placed_at: Folder
    process: proc.Child

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run the load once. Errors: as `ProgramCell.measure`, and when the server has ended."""
        pid, placed = self.process.pid, self.placed_at
        self._require_alive()
        processes.go_on(pid)
        pages = self.tap.pages
        places = {"data": placed.data, "wal": placed.log}
        pids = [process.pid for process in processes.tree(pid)]
        before, tap, cpu = machine.sample(places, pids), pages.snapshot(), processes.cpu_s(pid)
        env = variables(self.command, placed)
        done = run(self.command, self.command.load, env=env, cwd=placed.data, log=self.log(at))
        self._require_alive()
        cpu_after, during = processes.cpu_s(pid), machine.sample(places, pids).since(before)
        so_far = pages.snapshot()
        processes.stop(pid)
        self.slices += 1
        measured = self.measured(done, so_far.minus(tap), so_far, during)
        return replace(measured, server_cpu_s=(cpu_after[0] - cpu[0], cpu_after[1] - cpu[1]))

    def _require_alive(self) -> None:
        if self.process.poll() is not None:
            how = proc.how_ended(self.process.returncode)
            said = shell.last_words(self.kept / self.cell.id)
            raise WaltaxError(f"the server has ended ({how}): {said}")

    def freeze(self) -> None:
        processes.stop(self.process.pid)

    def kill(self) -> None:
        end(self.process)


def calibrate(live: ProgramCell) -> None:
    """Have the tap measure the machine's clocks for all processes of the cell's program."""
    nothing = Folder(live.home, live.device, live.command.log, live.tap.sockets)
    log = live.home / "calibrated"
    line, env = live.tapped("true", nothing)
    shell.run(line, env=env, timeout_s=_READY_S, log=log)


def run(
    command: Command, line: str, *, env: Mapping[str, str], cwd: Path, log: Path
) -> shell.Finished:
    """Run a command of the user to its end.

    Errors: WaltaxError when it fails, takes longer than it may, or leaves something running.
    """
    left = processes.Left()
    try:
        done = shell.run(
            line,
            env=env,
            timeout_s=command.timeout_s,
            log=log,
            flag="--load" if command.serves else "COMMAND",
            cwd=cwd,
            stdin=Path(command.stdin) if command.stdin else None,
        )
        if names := left.names():
            raise WaltaxError(
                f"the command ended and left {', '.join(names)} running, so its end is not known; "
                "run it in the foreground, or type --serve with a --load against it"
            )
    except WaltaxError as error:
        if not (elsewhere := _elsewhere(command, cwd)):
            raise
        raise WaltaxError(
            f"{error}; it runs in a copy of its data, where {elsewhere[0]} is not: type its whole "
            f"path, or quote the command and name it $WALTAX_HERE/{elsewhere[0]}"
        ) from error
    finally:
        left.end()
    return done


def _elsewhere(command: Command, cwd: Path) -> list[str]:
    """Return the words that name what lies where waltax was started, and not in `cwd`."""
    with contextlib.suppress(ValueError):  # of quotes that are open
        return [
            word.removeprefix("./")
            for word in shlex.split(f"{command.run} {command.load}")
            if Path(word).name
            and not Path(word).is_absolute()
            and (Path(command.here) / word).exists()
            and not (cwd / word).exists()
        ]
    return []


def variables(command: Command, placed: Folder) -> dict[str, str]:
    """Return how a command finds its folder, one for sockets, and where waltax was started.

    What it acknowledges is asked for when it is recorded alone.
    """
    return {
        "WALTAX_ACKS": os.devnull,
        "WALTAX_DATA": str(placed.data),
        "WALTAX_SOCKETS": str(placed.sockets),
        "WALTAX_HERE": command.here,
    }


@contextlib.contextmanager
def serving(
    command: Command, line: str, env: Mapping[str, str], placed: Folder, log: Path
) -> Iterator[proc.Child]:
    """Start a server in its folder, wait until it is ready, and end it with all that it started.

    Errors: WaltaxError with its last words when it ends, or is not ready within a minute.
    """
    with shell.started(line, env, log, cwd=placed.data) as process:
        left = processes.Left()
        try:
            _wait(command, process, placed, left, log)
            yield process
        finally:
            end(process)
            left.end()


def end(process: proc.Child) -> None:
    """End a server as its owner would, since it may have things outside its folder; then kill it
    and all that it started.
    """
    processes.go_on(process.pid)
    processes.ask_to_end(process.pid)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_ENDS_S)
    processes.kill(process.pid)


def _wait(
    command: Command, process: proc.Child, placed: Folder, left: processes.Left, log: Path
) -> None:
    until = time.monotonic() + _READY_S
    while not _is_ready(command, process, placed, log.with_name("ready")):
        if process.poll() is not None:
            names = ", ".join(left.names())
            why = f" and left {names} running: it must stay in the foreground" if names else ""
            how = proc.how_ended(process.returncode)
            raise WaltaxError(f"--serve: the server ended ({how}){why}: {shell.last_words(log)}")
        if time.monotonic() > until:
            raise WaltaxError(
                f"--serve: the server was not ready within {_READY_S:g} s"
                f"{'' if command.ready else ', for it listened on no socket; see --ready'}: "
                f"{shell.last_words(log)}"
            )
        time.sleep(_POLL_S)


def _is_ready(command: Command, process: proc.Child, placed: Folder, log: Path) -> bool:
    if not command.ready:
        return processes.listens(process.pid)
    try:
        env = variables(command, placed)
        shell.run(command.ready, env=env, timeout_s=_READY_S, log=log, cwd=placed.data)
    except WaltaxError:
        return False
    return True
