"""A user's own program as a cell: run anew in each slice, or started anew for a load against it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ....base import proc
from ....base.errors import WaltaxError
from ....base.folders import removal
from ....workloads.own_program import RUNS, UNIT
from ...recipe.parts import Command
from .. import machine
from ..live import Live, Measured, MeasuredNode, Position
from . import folder, metric, shell
from .folder import Folder, Tap

_READY_S = 60.0
_POLL_S = 0.05
_ENDS_S = 10.0


@dataclass(kw_only=True)
class ProgramCell(Live):
    """A program that is run anew, in a fresh copy of its data, in each slice."""

    command: Command
    tap: Tap
    home: Path  # for the copies
    device: Path  # for its log
    model: bytes | None
    kept: Path  # for its outputs, by the numbers of slices

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run the command once, or the load against it, however long that takes.

        Errors: WaltaxError when it fails, takes too long, prints no number, or leaves something
        running.
        """
        log = self.kept / f"{at.slice:04d}-{self.cell.device}-{self.cell.durability}"
        copies = self.home / "run", self.device / "run"
        try:
            placed = folder.make(self.command.log, self.command.data, *copies, self.tap.sockets)
            pages, places = self.tap.begin(), {"data": placed.data, "wal": placed.log}
            line, env = self.tap.around(
                self.command.of(self.cell), placed, self.model, self.cell.tap_rung
            )
            with begun(self.command, line, env, placed, log) as (run, server):
                pids = [process.pid for process in shell.tree(server)]
                tap, cpu = pages.snapshot(), shell.cpu_s(server)
                before = machine.sample(places, pids)
                done = run()
                during, so_far = machine.sample(places, pids).since(before), pages.snapshot()
                user_s, system_s = shell.cpu_s(server)
        finally:
            removal.trees(*copies)
        self.slices += 1
        value, unit, seen = 1 / done.seconds, RUNS, so_far.minus(tap)
        if self.command.metric:
            value, unit = metric.find(metric.parse(self.command.metric), done.output), UNIT
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
        used = (user_s - cpu[0], system_s - cpu[1]) if self.command.serves else None
        return Measured(event, (node,), during, used)


@contextlib.contextmanager
def begun(
    command: Command,
    line: str,
    env: Mapping[str, str],
    placed: Folder,
    log: Path,
    of_load: Mapping[str, str] | None = None,
) -> Iterator[tuple[Callable[[], shell.Finished], int | None]]:
    """Yield the function that runs a command to its end, as `line` with `env` in its folder.

    One that serves is started, and ready: its function runs the load with the variables `of_load`,
    and its process is yielded, too, which ends with all that it started. Outputs are kept as `log`,
    those of a server beside them. Errors: WaltaxError with its last words for a server that ends by
    itself or is not ready within a minute; of the function as `_run`.
    """
    own = variables(command, placed)
    if not command.serves:
        yield partial(_run, command, line, {**own, **env}, placed.data, log), None
        return
    said = log.with_name(f"{log.name}-server")
    with (
        shell.ending() as left,
        shell.started(line, {**own, **env}, said, cwd=placed.data) as server,
    ):
        try:
            _wait(command, server, placed, partial(left, but=os.getpgid(server.pid)), said)
            load = {**own, **(of_load or {})}
            yield partial(_run, command, command.load, load, placed.data, log), server.pid
            if server.poll() is not None:
                how = proc.how_ended(server.returncode)
                raise WaltaxError(f"the server has ended ({how}): {shell.last_words(said)}")
        finally:  # as its owner would end it, since it may have things outside its folder
            shell.ask_to_end(server.pid)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(_ENDS_S)


def calibrate(tap: Tap, place: Path, model: bytes | None, rung: str, log: Path) -> None:
    """Have the tap measure the machine's clocks for all processes of a cell's program.

    Errors: WaltaxError when nothing runs under it.
    """
    tap.begin()
    line, env = tap.around("true", Folder(place, place, ("*",), tap.sockets), model, rung)
    shell.run(line, env=env, timeout_s=_READY_S, log=log)


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


def _run(
    command: Command, line: str, env: Mapping[str, str], cwd: Path, log: Path
) -> shell.Finished:
    """Run a command of the user to its end.

    Errors: WaltaxError when it fails, takes longer than it may, or leaves something running.
    """
    with shell.ending() as left:
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
        except WaltaxError as error:
            raise WaltaxError(
                f"{error}; it ran in a copy of its data: type a file's whole path, or quote the "
                "command and name the file $WALTAX_HERE/FILE"
            ) from error
        if names := left():
            raise WaltaxError(
                f"the command ended and left {', '.join(names)} running, so its end is not known; "
                "run it in the foreground, or type --serve with a --load against it"
            )
    return done


def _wait(
    command: Command,
    server: proc.Child,
    placed: Folder,
    left: Callable[[], list[str]],
    log: Path,
) -> None:
    until = time.monotonic() + _READY_S
    while not _is_ready(command, server, placed, log.with_name("ready")):
        if server.poll() is not None:
            names = ", ".join(left())
            why = f" and left {names} running: it must stay in the foreground" if names else ""
            how = proc.how_ended(server.returncode)
            raise WaltaxError(f"--serve: the server ended ({how}){why}: {shell.last_words(log)}")
        if time.monotonic() > until:
            raise WaltaxError(
                f"--serve: the server was not ready within {_READY_S:g} s"
                f"{'' if command.ready else ', for it listened on no socket; see --ready'}: "
                f"{shell.last_words(log)}"
            )
        time.sleep(_POLL_S)


def _is_ready(command: Command, server: proc.Child, placed: Folder, log: Path) -> bool:
    if not command.ready:
        return shell.listens(server.pid)
    try:
        env = variables(command, placed)
        shell.run(command.ready, env=env, timeout_s=_READY_S, log=log, cwd=placed.data)
    except WaltaxError:
        return False
    return True
