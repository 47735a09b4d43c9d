"""The engine's files that a process really mapped, whatever its command line suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import WaltaxError
from ...base.kernel import Kernel
from .. import ENGINES
from .build import Build, sha256_of

_LIBRARY = "librocksdb"
_GONE = " (deleted)"


@dataclass(frozen=True)
class Mapped:
    """Real paths with their sha256. If `linked_in`, the program stands for the library."""

    files: Mapping[str, str]
    linked_in: bool


def of_process(pid: int, engine: str, kernel: Kernel | None = None) -> Mapped | None:
    """Return the engine's files in a driver or a server; None if /proc does not show them.

    Errors: WaltaxError for a file that was removed, replaced or made unreadable after the mapping.
    """
    mapped = _paths((kernel or Kernel()).read(f"/proc/{pid}/maps") or "")
    if not mapped:
        return None
    served = ENGINES[engine].server
    if served is None:
        names = [path for path in mapped if Path(path).name.startswith(_LIBRARY)]
    else:
        names = [path for path in mapped if Path(path).name == served.plugin]
    linked_in = not names
    if linked_in or served is not None:
        names.insert(0, _program(pid))
    return Mapped({name: _digest(name) for name in names}, linked_in)


def _program(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError as error:
        raise WaltaxError(f"/proc/{pid}/exe: cannot be read: {error.strerror}") from error


def _paths(maps: str) -> list[str]:
    """Return each file of executable code once: /proc/PID/maps has a line for each part."""
    lines = (line.split(maxsplit=5) for line in maps.splitlines())
    return list(dict.fromkeys(part[5] for part in lines if len(part) == 6 and "x" in part[1]))


def _digest(path: str) -> str:
    if path.endswith(_GONE):
        raise WaltaxError(f"{path.removesuffix(_GONE)} was replaced or removed while it was in use")
    try:
        return sha256_of(path)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be read any more: {error.strerror}") from error


def require(build: Build, seen: Mapped | None, before: Mapping[str, str] | None) -> None:
    """Compare the files that a process mapped with the build's and an earlier slice's (`before`).

    Errors: WaltaxError naming the build and the file that differs.
    """
    if seen is None:
        raise WaltaxError(f"build {build.name}: /proc does not tell which library was mapped")
    if build.linked_in and not seen.linked_in:
        raise _another(build, seen, build.files)
    for wanted in filter(None, (None if build.linked_in else build.files, before)):
        if set(seen.files) != set(wanted):
            raise _another(build, seen, wanted)
        for path, sha256 in seen.files.items():
            if sha256 != wanted[path]:
                raise WaltaxError(
                    f"build {build.name}: {path} was replaced during the campaign (sha256 "
                    f"{wanted[path][:12]} when it began, now {sha256[:12]}); start a new campaign"
                )


def _another(build: Build, seen: Mapped, wanted: Mapping[str, str]) -> WaltaxError:
    return WaltaxError(
        f"build {build.name}: the process mapped {' and '.join(seen.files)}, not "
        f"{' and '.join(wanted)}: it does not run what the label says"
    )
