"""For all rooms. This file puts the helpers beside it on their path."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from waltax.analysis import writers
from with_server import open_folder

EVERY_FORMAT = "terminal json csv figures html"
_OF_CAMPAIGNS = {"bench", "endpoints", "hosts", "receipts", "runners", "serve", "study"}
# Begun first, so that no process is left with a long file when the others have ended.
_LONGEST = ("runners", "study", "serve", "receipts", "mariadb", "bench", "endpoints", "builds")


def pytest_configure(config: pytest.Config) -> None:
    """Heed the signals that `nohup` and a shell's `&` have ignored, since children inherit that.

    A shell cannot trap what was ignored as it began, so that what tests interrupt would go on.
    """
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            if signal.getsignal(number) is signal.SIG_IGN:
                usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
                signal.signal(number, usual)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what takes longest, so that no process is left alone with it."""
    tests = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        room = item.path.relative_to(tests).parts[0]
        return _LONGEST.index(room) if room in _LONGEST else len(_LONGEST)

    items.sort(key=rank)


@pytest.fixture(autouse=True, scope="module")
def _formats(request: pytest.FixtureRequest) -> Iterator[None]:
    """Campaigns of tests draw no pictures, which cost the most, but for those marked `drawn`."""
    room = request.path.relative_to(Path(__file__).parent).parts[0]
    with pytest.MonkeyPatch.context() as patch:
        is_plain = room in _OF_CAMPAIGNS and not request.node.get_closest_marker("drawn")
        patch.setenv(writers.VARIABLE, "terminal json csv" if is_plain else EVERY_FORMAT)
        yield


@pytest.fixture(autouse=True)
def _pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a single test that is marked."""
    if request.node.get_closest_marker("drawn"):
        monkeypatch.setenv(writers.VARIABLE, EVERY_FORMAT)


@pytest.fixture(autouse=True, scope="session")
def _unoptimised() -> Iterator[None]:
    """Drivers that tests have built are not measured: they take half as long to compile."""
    with pytest.MonkeyPatch.context() as patch:
        for language in ("C", "CXX"):
            name = f"CMAKE_{language}_COMPILER_LAUNCHER"
            launcher = str(Path(__file__).parent / "unoptimised.sh")
            patch.setenv(name, ";".join(filter(None, [os.environ.get(name), launcher])))
        yield


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that a program's own user can reach, which pytest's own is not."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mount a file system of so many MiB, to be filled; all but `left_kib` of it is, if given."""
    mounted: list[Path] = []

    def mount(mib: int, below: Path = tmp_path, left_kib: int | None = None) -> Path:
        path = below / f"disk{len(mounted)}"
        path.mkdir()
        argv = ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(path)]
        subprocess.run(argv, check=True, capture_output=True)
        mounted.append(path)
        if left_kib is not None:
            (path / "filler").write_bytes(bytes((mib << 20) - (left_kib << 10)))
        return path

    yield mount
    for path in mounted:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
