"""A campaign small enough for a test, on the real drivers and a real RocksDB."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from fake_cells import FakeCells
from waltax import profiles, row
from waltax.__main__ import main
from waltax.analysis import writers
from waltax.runners import doctor, lives
from with_server import open_folder

_EDITS = {
    'name = "quick"': 'name = "tiny"',
    "threads = 4": "threads = 2",
    "measure_s = 0.2": "measure_s = 0.1",
    "warmup_s = 0.1": "warmup_s = 0.05",
    "settle_s = 0.6": "settle_s = 0.1",
    "rounds_per_session = 6": "rounds_per_session = 2",
    "min_sessions = 10": "min_sessions = 1",
    # Spent in the second round of two cells, so that there is one session.
    "time_budget_s = 175.0": "time_budget_s = 0.5",
    "block_cache_mb = 512": "block_cache_mb = 32",
    "max_total_wal_mb = 256": "max_total_wal_mb = 32",
    "write_buffer_size = 2097152": "write_buffer_size = 1048576",
    "maxid1 = 100001": "maxid1 = 2001",
    "degree_cap = 25000": "degree_cap = 50",
    "data_mb = 120": "data_mb = 2",
    "data_mb = 40": "data_mb = 1",
    "warehouses = 4": "warehouses = 1",
    "data_mb = 260": "data_mb = 70",
    "scale = 1.0": "scale = 0.01",
}


def edited(text: str, edits: dict[str, str]) -> str:
    for old, new in edits.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="session")
def shared_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where data sets stay between tests: loading is not what most of them test."""
    return tmp_path_factory.mktemp("data")


def _write_tiny(folder: Path, edits: dict[str, str]) -> Path:
    text = edited((profiles.model.FOLDER / "quick.toml").read_text(), _EDITS)
    for key, value in edits.items():
        old = next(line for line in text.splitlines() if line.startswith(f"{key} ="))
        text = text.replace(old, f"{key} = {value}")
    path = folder / "tiny.toml"
    path.write_text(text)
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    """Write the tiny profile, with further edits, and return its path."""
    return lambda **edits: _write_tiny(tmp_path, edits)


@pytest.fixture(autouse=True, scope="session")
def _short_look() -> Iterator[None]:
    """A campaign watches its machine for a second before it begins, which most tests need not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "_WATCHED_S", 0.05)
        yield


_SERVED_EDITS = {
    'name = "ci"': 'name = "tiny"',
    "threads = 4": "threads = 2",
    "min_sessions = 3": "min_sessions = 1",
    "maxid1 = 100001": "maxid1 = 2001",
    "degree_cap = 25000": "degree_cap = 50",
    "warehouses = 2": "warehouses = 1",
    "scale = 0.5": "scale = 0.01",
}
_OF_ENGINE = {
    "myrocks": {
        "measure_s = 0.6": "measure_s = 0.3",
        "warmup_s = 0.3": "warmup_s = 0.1",
        "rounds_per_session = 4": "rounds_per_session = 2",
        "settle_s = 1.0": "settle_s = 0.1",
        "time_budget_s = 75.0": "time_budget_s = 1.0",
        '"256M"': '"32M"',
        "data_mb = 60": "data_mb = 10",
        "data_mb = 130": "data_mb = 70",
    },
    "innodb": {
        "measure_s = 1.5": "measure_s = 0.3",
        "warmup_s = 0.4": "warmup_s = 0.1",
        "rounds_per_session = 3": "rounds_per_session = 2",
        "settle_s = 1.5": "settle_s = 0.1",
        "time_budget_s = 200.0": "time_budget_s = 1.0",
        '"512M"': '"64M"',
        '"128M"': '"16M"',
        "data_mb = 330": "data_mb = 60",
        "data_mb = 450": "data_mb = 200",
    },
}


@pytest.fixture
def tiny_of(tmp_path: Path) -> Callable[..., Path]:
    """Write an engine's `ci` made tiny, with further edits of lines, and return its path."""

    def write(engine: str, **edits: str) -> Path:
        text = (profiles.model.FOLDER / f"{engine}-ci.toml").read_text()
        text = edited(text, {**_SERVED_EDITS, **_OF_ENGINE[engine]})
        for key, value in edits.items():
            old = next(line for line in text.splitlines() if line.startswith(f"{key} ="))
            text = text.replace(old, f"{key} = {value}")
        path = tmp_path / f"tiny-{engine}.toml"
        path.write_text(text)
        return path

    return write


_PROGRAM = [sys.executable, "-m", "waltax"]


def in_process(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command line here: to start Python and to import what it takes is most of the time."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(sys, "argv", ["waltax", *words])
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(list(words), code, out.getvalue(), err.getvalue())


class Waltax:
    """The command line, in a results folder of its own.

    Of LinkBench unless told otherwise: its tiny data set is the quicker one to load and check. Of
    embedded RocksDB, `off` is named beside the devices where it may be, as it has no twin then.
    """

    def __init__(
        self, results: Path, data: Path, workloads: Sequence[str] = ("linkbench",), *, twin: bool
    ) -> None:
        self.results = results
        self._data = data
        self._twin = twin
        self._workloads = [f"--workload={name}" for name in workloads]

    def of(self, *workloads: str) -> Waltax:
        """The same folders, other workloads; none to leave the choice to the command line."""
        return Waltax(self.results, self._data, workloads, twin=self._twin)

    def argv(self, *words: object) -> list[str]:
        folders = [f"--results={self.results}", f"--data-dir={self._data}"]
        told = [*_PROGRAM, "run", "--share-machine", *folders]
        if "--resume" not in words:
            told += [*self._workloads, *self._devices([str(word) for word in words])]
        return [*told, *(str(word) for word in words)]

    def _devices(self, words: list[str]) -> list[str]:
        """One device, unless some are named, and the baseline without a twin."""
        flags = {word.partition("=")[0] for word in words}
        if self._twin or flags & {"--engine", "--wal-dir"}:
            return []
        return ["--device=off", *([] if "--device" in flags else ["--device=nvme"])]

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run it to its end, here."""
        argv = self.argv(*words)
        if argv[: len(_PROGRAM)] == _PROGRAM:
            return in_process(argv[len(_PROGRAM) :])
        return subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)

    def start(self, *words: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.argv(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def wait_for_rows(self, campaign: subprocess.Popen[str], count: int) -> None:
        """Until so many rows are on disk."""
        ended = False
        while not ended:
            ended = campaign.poll() is not None  # looked at first: its last rows count, too
            started = self.results.exists() and any(self.results.iterdir())
            if started and len(self.rows()) >= count:
                return
            time.sleep(0.01)
        raise AssertionError(f"it ended early: {campaign.communicate()}")

    def fail(self, campaign: subprocess.Popen[str], cell: str, program: str) -> None:
        """Kill a cell's `program` until the campaign saw it: one that just ends is not missed.

        Its twin, whose name begins with the cell's, is left alone.
        """
        while campaign.poll() is None:
            if any(row["status"] == "failed" and cell in row["cell"] for row in self.rows()):
                return
            with contextlib.suppress(psutil.Error):  # one ended while we looked
                for child in psutil.Process(campaign.pid).children():
                    words = child.cmdline()
                    told = " ".join(words)
                    ours = cell in told and "-twin" not in told
                    if words and Path(words[0]).name == program and ours:
                        child.kill()
            time.sleep(0.01)

    def folder(self) -> Path:
        """The only campaign's."""
        (found,) = self.results.iterdir()
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Whole ones: the last may be under way."""
        path = self.folder() / "rows.jsonl"
        written, _, _ = path.read_text().rpartition("\n") if path.exists() else ("", "", "")
        return [json.loads(line) for line in written.splitlines()]


@pytest.fixture
def waltax_on(tmp_path: Path) -> Callable[[Path], Waltax]:
    """The command line with its data on a given disk."""
    return lambda data: Waltax(tmp_path / "results", data, twin=False)


@pytest.fixture
def waltax(waltax_on: Callable[[Path], Waltax], shared_data: Path) -> Waltax:
    return waltax_on(shared_data)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> FakeCells:
    """Campaigns of this process whose slices return at once; see `fake_cells`."""
    fakes = FakeCells()
    monkeypatch.setattr(lives, "driver", fakes)
    return fakes


AtRow = Callable[[int, Callable[[], object]], None]


@pytest.fixture
def at_row(monkeypatch: pytest.MonkeyPatch) -> AtRow:
    """Do something in a campaign of this process as soon as so many of its rows are kept."""
    kept, done, rows_kept = row.append, dict[int, Callable[[], object]](), 0

    def append(path: Path, *rows: row.Row) -> None:
        nonlocal rows_kept
        kept(path, *rows)
        for _ in rows:
            rows_kept += 1
            done.get(rows_kept, lambda: None)()

    monkeypatch.setattr(row, "append", append)
    return done.__setitem__


@dataclass(frozen=True)
class Measured:
    """A campaign that was run to its end. Not to be changed: many tests read it."""

    waltax: Waltax
    profile: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Measured:
    """The tiny profile on all devices, with a twin of the baseline and seed 7."""
    folder = tmp_path_factory.mktemp("measured")
    waltax = Waltax(folder / "results", shared_data, twin=True)
    profile = _write_tiny(folder, {"time_budget_s": "4.0"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(writers.VARIABLE, "terminal json csv figures html")
        return Measured(waltax, profile, waltax.run("--profile", profile, "--seed", 7))


@pytest.fixture(scope="session")
def reachable() -> Iterator[Path]:
    """A folder with a short path on a disk."""
    with open_folder(Path("/var/tmp")) as folder:
        yield folder


@pytest.fixture
def served(waltax_on: Callable[[Path], Waltax], reachable: Path) -> Waltax:
    """The command line with its data there."""
    return waltax_on(reachable / "data")
