from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sweeping
from rich.console import Console
from waltax import profiles
from waltax.study import scaled
from with_server import open_folder


@pytest.fixture
def place() -> Iterator[Path]:
    """As everywhere, but on a disk: whole data sets go there."""
    with open_folder(Path("/var/tmp")) as folder:
        yield folder


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=100)


@pytest.fixture
def no_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what is scaled becomes as small as a test needs it."""
    floors = {"BUDGET_S": 1.0, "MEASURE_S": 0.1, "WARMUP_S": 0.05, "SETTLE_S": 0.1}
    for name, value in floors.items():
        monkeypatch.setattr(scaled, f"_MIN_{name}", value)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[[str], Path]:
    """A profile of an engine at a thousandth of the size of `quick`, as a file."""

    def write(engine: str) -> Path:
        quick = profiles.load("quick", engine)
        return scaled.write(scaled.at_scale(quick, 0.01), tmp_path / engine)

    return write


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a latency sweep in results/, and what its command said. Do not change it.

    Its rows are those of a machine that was quiet: where each slice of a point was disturbed, the
    point is left out of the curve, and a test of the curve would be one of the machine.
    """
    folder = tmp_path_factory.mktemp("swept")
    done = sweeping.sweep(folder, "--profile", sweeping.profile(folder), "--seed", 7)
    assert done.code == 0, done.text
    (rows,) = folder.glob("results/2*/rows.jsonl")
    quiet = [json.loads(line) | {"disturbed": []} for line in rows.open()]
    rows.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in quiet))
    return folder, done.flowing
