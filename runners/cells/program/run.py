"""One run of a user's command: a copy of its data, the tap in front of its log, and its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ....base import proc
from ....base.errors import UsageError, WaltaxError
from ....base.folders import removal
from ....devices import tap_page, tap_preload
from ....devices.tap_page import TapPages
from ...recipe.parts import MIB, Command
from . import shell

READY_S = 60.0
_POLL_S = 0.05
_ENDS_S = 10.0
_ANY = frozenset("*?[")
_MODE, FOR_ALL = 0o755, 0o1777  # the program's user may be another


@dataclass(frozen=True)
class Folder:
    """Where a program runs: in `data`. Its log is what `patterns` match below `log`.

    `sockets` is a folder for those, since the names of the others are too long.
    """

    data: Path
    log: Path
    patterns: tuple[str, ...]
    sockets: Path

    @classmethod
    def make(
        cls, command: Command, home: Path, sockets: Path, device: Path | None = None
    ) -> Folder:
        """Copy the command's data below `home`, and put its log below `device`, if there is one.

        A log in folders of its own is moved there alone; any other takes its data along. Errors:
        WaltaxError when the copy fails.
        """
        alone = () if device is None else moved(command.log)
        data = (home if alone or device is None else device).absolute() / "data"
        _copy(command.data, data)
        if not alone:
            return cls(data, data, command.log, sockets)
        assert device is not None
        for name in alone:
            target, link = device.absolute() / name, data / name
            _copy(str(link) if link.is_dir() else "", target)
            removal.tree(link)
            link.parent.mkdir(mode=_MODE, parents=True, exist_ok=True)
            link.symlink_to(target)
        return cls(data, device.absolute(), command.log, sockets)


def _copy(source: str, target: Path) -> None:
    """Copy a folder with owners and times, sharing its blocks where the file system can; of "" make
    an empty one.
    """
    target.parent.mkdir(mode=_MODE, parents=True, exist_ok=True)
    if not source:
        target.mkdir(mode=_MODE)
        return
    try:
        proc.run(["cp", "-a", "--reflink=auto", "--", source, target])
    except WaltaxError as error:
        raise WaltaxError(f"--data: {source}: cannot be copied: {error}") from error


def pattern(text: str) -> str:
    """Return a typed pattern as the tap takes it: below the data; of a folder, all that is in it.

    Errors: UsageError for a path that is not below the data.
    """
    path = text.removeprefix("./")
    if not path or path.startswith(("/", "~")) or ".." in Path(path).parts or "\n" in path:
        raise UsageError(
            f"--log: found {text!r}, want a path or a pattern below the program's data, such as "
            "'wal/' or '*.log'"
        )
    return f"{path}*" if path.endswith("/") else path


def moved(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that the log has to itself, which can be on a device of their own; none
    if a pattern also matches beside them.
    """
    folders = tuple(text.removesuffix("/*") for text in patterns)
    alone = all(f"{name}/*" in patterns and not _ANY & set(name) for name in folders)
    return folders if alone else ()


def size_mib(source: str) -> float:
    """Return what a copy of the folder `source` takes at most; "" is an empty one."""
    files = Path(source).rglob("*") if source else ()
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / MIB


@dataclass(frozen=True)
class Tap:
    """The tap's files for one cell: pages, the emulated device, and a copy of the library.

    For a program that a library cannot be preloaded into it is a supervisor.
    """

    home: Path
    model: bytes | None = None  # None: it only observes
    rung: str = ""
    supervises: bool = False

    @classmethod
    def make(
        cls, home: Path, model: bytes | None = None, rung: str = "", *, supervises: bool = False
    ) -> Tap:
        """Make them in `home`, where every user may count, and which must not exist.

        It measures the machine's clocks for all processes to come. Errors: WaltaxError when
        nothing runs under it.
        """
        home.mkdir(mode=_MODE)
        tap_page.create(home / "device").close()
        (home / "device").chmod(0o666)
        shutil.copy(tap_preload.library(), home)
        tap = cls(home, model, rung, supervises)
        tap.begin()
        line, env = tap.around("true", Folder(home, home, ("*",), tap.sockets))
        shell.run(line, env=env, timeout_s=READY_S, log=home / "calibrated")
        return tap

    @property
    def sockets(self) -> Path:
        """A folder with a short name, where every user may make sockets."""
        return self.home / "s"

    def begin(self) -> TapPages:
        """Forget all pages and sockets, and return the pages to come."""
        pages = self.home / "pages"
        for folder in (pages, self.sockets):
            removal.tree(folder)
            folder.mkdir()
            folder.chmod(FOR_ALL)
        if self.supervises:
            tap_page.create(pages / "all").close()
        return TapPages(pages)

    def around(
        self, line: str, folder: Folder, witness: Tap | None = None
    ) -> tuple[str, dict[str, str]]:
        """Return a command's line with the tap around it, and its environment in a folder.

        `witness` is a supervisor that counts what goes past the library.
        """
        log, pages, device = (
            (folder.log, folder.patterns),
            self.home / "pages",
            self.home / "device",
        )
        if self.supervises:
            tap_preload.tell(pages / "all", *log, self.model, self.rung, device=device)
            return tap_preload.supervised(line, pages / "all")
        environment = tap_preload.tap_environment(
            folder.log,
            device,
            self.model,
            rung=self.rung,
            patterns=folder.patterns,
            pages=pages,
            folder=self.home,
        )
        if witness is None:
            return line, environment
        tap_preload.tell(page := witness.home / "pages" / "all", *log)
        return tap_preload.witnessed(line, environment, page)


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
    flag = "--load" if command.serves else "COMMAND"
    stdin = Path(command.stdin) if command.stdin else None
    with shell.ending() as left:
        try:
            done = shell.run(
                line,
                env=env,
                timeout_s=command.timeout_s,
                log=log,
                flag=flag,
                cwd=cwd,
                stdin=stdin,
            )
        except WaltaxError as error:
            raise WaltaxError(
                f"{error}; it ran in a copy of its data: type a file's whole path, or quote the "
                "command and name the file $WALTAX_HERE/FILE"
            ) from error
        if names := left():
            raise WaltaxError(
                f"the command ended and left {', '.join(names)} running, so its end is not known; "
                "run it in the foreground, or type a --load against it"
            )
    return done


def _wait(
    command: Command,
    server: proc.Child,
    placed: Folder,
    left: Callable[[], list[str]],
    log: Path,
) -> None:
    """Wait until a server is ready. Errors: WaltaxError with its last words when it is not."""
    env, until = variables(command, placed), time.monotonic() + READY_S
    while server.poll() is None and time.monotonic() < until:
        with contextlib.suppress(WaltaxError):  # of a command that fails until it is ready
            if command.ready:
                ready = log.with_name("ready")
                shell.run(command.ready, env=env, timeout_s=READY_S, log=ready, cwd=placed.data)
            if command.ready or shell.listens(server.pid):
                return
        time.sleep(_POLL_S)
    if server.returncode is None:
        lacks = "" if command.ready else ", for it listened on no socket; see --ready"
        how = f"was not ready within {READY_S:g} s{lacks}"
    else:
        names = ", ".join(left())
        why = f" and left {names} running: it must stay in the foreground" if names else ""
        how = f"ended ({proc.how_ended(server.returncode)}){why}"
    raise WaltaxError(f"--load: the server {how}: {shell.last_words(log)}")
