"""Commands run as a user runs them, and a sweep small enough for a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from small_profile import UNDISTURBED, toml
from waltax import profiles
from waltax.base.errors import UsageError, WaltaxError
from waltax.devices import constant, device_file
from waltax.studies import frame, profile_scale, sweeps

GRID = (0, 232, 5000)
STUDY = ("nvme",)


def profile(folder: Path) -> Path:
    """`sweep` at a hundredth of its size, in seconds."""
    small = profile_scale.at_scale(profiles.load("sweep"), 0.01)
    timing = small.timing.model_copy(
        update={
            "measure_s": 0.15,
            "warmup_s": 0.05,
            "settle_s": 0.1,
            "rounds_per_session": 2,
            "min_sessions": 1,
            "time_budget_s": 0.5,
            "disturbed": UNDISTURBED,
        }
    )
    tiny = small.model_copy(update={"name": "tiny", "threads": 2, "timing": timing})
    path = folder / "tiny.toml"
    path.write_text(toml(tiny.model_dump(exclude_none=True)))
    return path


def device(latency_us: int, name: str) -> str:
    """A user's file of a device with a constant time of a sync."""
    constant_device = constant.device(latency_us).model_copy(update={"name": name})
    return device_file.toml(constant_device, "")


@dataclass(frozen=True)
class Said:
    """How a command ended, and all that it printed; an error's words, as the command line does."""

    code: int
    text: str

    @property
    def flowing(self) -> str:
        """The text as one line: where lines break depends on the width of the console."""
        return " ".join(self.text.split())


def said(command: click.Command, *words: object) -> Said:
    """Run a command in this process: a new one takes longer to start than most of them run."""
    done = CliRunner().invoke(command, [str(word) for word in words])
    if isinstance(done.exception, WaltaxError):
        return Said(2 if isinstance(done.exception, UsageError) else 1, str(done.exception))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return Said(done.exit_code, done.output)


def sweep(folder: Path, *words: object) -> Said:
    """Run `waltax sweep latency` with a small grid, keeping all of it in `folder`."""
    folders = [f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "LATENCIES_US", GRID)
        patch.setattr(sweeps, "STUDY", STUDY)
        return said(frame.command("sweep latency"), *words, *folders)
