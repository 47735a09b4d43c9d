"""Copy a program's data, and put its log on a device."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ....base import proc
from ....base.errors import UsageError, WaltaxError
from ....base.folders import removal
from ....devices import tap_page, tap_preload
from ....devices.tap_page import TapPages
from ...recipe.parts import MIB

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
    folders = [text.removesuffix("/*") for text in patterns]
    alone = all(f"{name}/*" in patterns and not _ANY & set(name) for name in folders)
    return tuple(folders) if alone else ()


def size_mib(source: str) -> float:
    """Return what a copy of the folder `source` takes at most; "" is an empty one."""
    files = Path(source).rglob("*") if source else ()
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / MIB


def make(
    patterns: tuple[str, ...], source: Path | str, home: Path, device: Path, sockets: Path
) -> Folder:
    """Copy `source`, or for "" make an empty folder, below `home`, and put the log below `device`.

    A log in folders of its own is moved there alone; any other takes its data along. Errors:
    WaltaxError when the copy fails.
    """
    alone = moved(patterns)
    data = (home if alone else device) / "data"
    _copy(source, data)
    if not alone:
        return Folder(data, data, patterns, sockets)
    for name in alone:
        target, link = device / name, data / name
        target.parent.mkdir(mode=_MODE, parents=True, exist_ok=True)
        if link.is_dir():
            _copy(link, target)
            removal.tree(link)
        else:
            target.mkdir(mode=_MODE)
            link.parent.mkdir(mode=_MODE, parents=True, exist_ok=True)
        link.symlink_to(target)
    return Folder(data, device, patterns, sockets)


def _copy(source: Path | str, target: Path) -> None:
    """Copy a folder with owners and times, sharing its blocks where the file system can."""
    if not source:
        target.mkdir(mode=_MODE, parents=True)
        return
    target.parent.mkdir(mode=_MODE, parents=True, exist_ok=True)
    try:
        proc.run(["cp", "-a", "--reflink=auto", "--", source, target])
    except WaltaxError as error:
        raise WaltaxError(f"--data: {source}: cannot be copied: {error}") from error


@dataclass(frozen=True)
class Tap:
    """The tap's files for one cell: pages, the emulated device, and a copy of the library.

    For a program that a library cannot be preloaded into it is a supervisor.
    """

    home: Path
    supervises: bool = False

    @classmethod
    def make(cls, home: Path, *, supervises: bool = False) -> Tap:
        """Make them in `home`, where every user may count, and which must not exist."""
        home.mkdir(mode=_MODE)
        tap_page.create(home / "device").close()
        (home / "device").chmod(0o666)
        shutil.copy(tap_preload.library(), home)
        return cls(home, supervises)

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
            tap_page.create(self._page).close()
        return TapPages(pages)

    @property
    def _page(self) -> Path:
        return self.home / "pages" / "all"

    def around(
        self,
        line: str,
        folder: Folder,
        model: bytes | None,
        rung: str,
        witness: Tap | None = None,
    ) -> tuple[str, dict[str, str]]:
        """Return a command's line with the tap around it, and its environment in a folder.

        `witness` is a supervisor that counts what goes past the library.
        """
        log, device = (folder.log, folder.patterns), self.home / "device"
        if self.supervises:
            tap_preload.tell(self._page, *log, model, rung, device=device)
            return tap_preload.supervised(line, self._page)
        environment = tap_preload.tap_environment(
            folder.log,
            device,
            model,
            rung=rung,
            patterns=folder.patterns,
            pages=self.home / "pages",
            folder=self.home,
        )
        if witness is None:
            return line, environment
        tap_preload.tell(witness._page, *log)
        return tap_preload.witnessed(line, environment, witness._page)
