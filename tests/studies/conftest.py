from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sweeping
from rich.console import Console
from small_profile import written
from waltax import profiles
from waltax.analysis import writers
from waltax.device_names import point_name
from waltax.studies import frame, profile_scale
from with_server import open_folder

_GOLDEN = Path(__file__).parents[1] / "golden"


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
    floors = {"time_budget_s": 1.0, "measure_s": 0.1, "warmup_s": 0.05, "settle_s": 0.1}
    monkeypatch.setattr(profile_scale, "_LEAST_S", floors)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[[str], Path]:
    """A profile of an engine at a thousandth of the size of `quick`, as a file."""

    def write(engine: str) -> Path:
        quick = profiles.load("quick", engine)
        return written(profile_scale.at_scale(quick, 0.01), tmp_path / engine)

    return write


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a latency sweep in results/, and its report. Do not change it.

    Recorded, with fewer points, each of which takes its time to be drawn.
    """
    folder = tmp_path_factory.mktemp("swept")
    campaign = folder / "results" / "20261122-184754-557-golden"
    campaign.mkdir(parents=True)
    names = {"off", *sweeping.STUDY, *map(point_name, sweeping.GRID)}
    recorded = (_GOLDEN / "latency" / "rows.jsonl").read_text().splitlines(keepends=True)
    kept = [line for line in recorded if json.loads(line)["device"] in names]
    (campaign / "rows.jsonl").write_text("".join(kept))
    told = json.loads((_GOLDEN / "latency" / "campaign.json").read_text())
    told["devices"] = [name for name in told["devices"] if Path(name).stem in names]
    (campaign / "campaign.json").write_text(json.dumps(told))
    with pytest.MonkeyPatch.context() as patch:  # whichever test comes first, and whatever it has
        patch.setenv(writers.VARIABLE, "terminal json csv html figures")
        done = sweeping.said(frame.command("sweep latency"), f"--campaign={campaign}")
    assert done.code == 0, done.text
    return folder, done.flowing
