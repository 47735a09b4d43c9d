"""The engine's files that a process really mapped: not those that its command line suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import WaltaxError
from ...devices.kernel import Kernel
from .. import ENGINES
from .build import Build, sha256_of

_LIBRARY = "librocksdb"
_GONE = " (deleted)"


@dataclass(frozen=True)
class Mapped:
    """Real paths with their sha256. `linked_in`: there is no library, and the program is named."""

    files: Mapping[str, str]
    linked_in: bool


def of_process(pid: int, engine: str, kernel: Kernel | None = None) -> Mapped | None:
    """What a driver with the engine in it, or a server, has of it; None where nobody may look.

    Errors: WaltaxError for a file that was removed, replaced or cannot be read since it was mapped.
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
    """Of executable code, each file once: /proc/PID/maps has a line for each of its parts."""
    words = (line.split(maxsplit=5) for line in maps.splitlines())
    return list(dict.fromkeys(one[5] for one in words if len(one) == 6 and "x" in one[1]))


def _digest(path: str) -> str:
    if path.endswith(_GONE):
        raise WaltaxError(f"{path.removesuffix(_GONE)} was replaced or removed while it was in use")
    try:
        return sha256_of(path)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be read any more: {error.strerror}") from error


def require(build: Build, seen: Mapped | None, before: Mapping[str, str] | None) -> None:
    """Compare what a process mapped with what was named, and with an earlier slice's (`before`).

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
