"""Choosing the server to run: Debian's, or the one that $MARIADBD names."""

from __future__ import annotations

import functools
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from ...base import home, proc
from ...base.errors import UsageError
from .. import ENGINES

VARIABLE = "MARIADBD"
_BRINGS = "apt-get install mariadb-plugin-rocksdb" if home.IS_INSTALLED else "make setup"
_INSTALL = f"have it installed ({_BRINGS}), or name another server: MARIADBD=/path/to/mariadbd"
_PACKAGE = {"ha_rocksdb.so": "mariadb-plugin-rocksdb"}


@dataclass(frozen=True)
class Binaries:
    """The programs of one server, with a version such as "10.11.19"."""

    mariadbd: Path
    install_db: Path
    plugin_dir: Path
    version: str

    def files(self, engine: str) -> list[Path]:
        """Return the files that make up an engine: the server, and the engine's plugin."""
        plugin = ENGINES[engine].served.plugin
        return [self.mariadbd, *([self.plugin_dir / plugin] if plugin else [])]


def find(engine: str, mariadbd: Path | None = None) -> Binaries:
    """Return the server to run for `engine`, which is on a server: `mariadbd` if it is given.

    Errors: UsageError when there is none, it is not MariaDB, or it lacks the engine.
    """
    if mariadbd is not None:
        return _find(engine, str(mariadbd))
    return _find(engine, os.environ.get(VARIABLE) or None)


@functools.cache
def _find(engine: str, chosen: str | None) -> Binaries:
    mariadbd = _chosen(chosen) if chosen else _debians()
    version = _version(mariadbd)
    basedir, plugin_dir = _folders(mariadbd)
    _require_engine(engine, mariadbd, plugin_dir)
    return Binaries(mariadbd, _install_db(mariadbd, basedir), plugin_dir, version)


def _chosen(path: str) -> Path:
    mariadbd = Path(path).absolute()
    if not (mariadbd.is_file() and os.access(mariadbd, os.X_OK)):
        raise UsageError(f"{VARIABLE}={path}: no program; name the server itself, a mariadbd")
    return mariadbd


def _debians() -> Path:
    # Servers are in /usr/sbin, which is not in an ordinary user's PATH.
    program = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise UsageError(f"mariadbd: Debian's package mariadb-server is missing: {_INSTALL}")
    return Path(program)


def _version(mariadbd: Path) -> str:
    output = proc.run([mariadbd, "--no-defaults", "--version"]).strip()
    match = re.search(r"Ver (\d+\.\d+\.\d+)-MariaDB", output)
    if match is None:
        # Other descendants of MySQL make their data directories in another way, and
        # have other names for MyRocks' settings.
        raise UsageError(f"{mariadbd}: {output or 'no version'}: not a MariaDB server; {_INSTALL}")
    return match.group(1)


def _folders(mariadbd: Path) -> tuple[Path, Path]:
    """Return the base and plugin directory that the server itself reports."""
    output = proc.run([mariadbd, "--no-defaults", "--verbose", "--help"], check=False)
    values = dict(re.findall(r"^(basedir|plugin-dir)\s+(\S.*?)\s*$", output, re.M))
    return Path(values.get("basedir", "/usr")), Path(values.get("plugin-dir", ""))


def _require_engine(engine: str, mariadbd: Path, plugin_dir: Path) -> None:
    plugin = ENGINES[engine].served.plugin
    if plugin is not None and not (plugin_dir / plugin).is_file():
        raise UsageError(
            f"{mariadbd}: cannot run {engine}: there is no {plugin} in {plugin_dir}; "
            f"Debian's package is {_PACKAGE[plugin]}: {_INSTALL}"
        )


def _install_db(mariadbd: Path, basedir: Path) -> Path:
    folders = [mariadbd.parent, basedir / "bin", basedir / "scripts", mariadbd.parent / "../bin"]
    for folder in folders:
        path = folder / "mariadb-install-db"
        if path.is_file():
            return path.resolve()
    looked = ", ".join(str(folder) for folder in folders)
    raise UsageError(f"{mariadbd}: there is no mariadb-install-db for it in {looked}; {_INSTALL}")
