"""One session of LinkBench on a real directory, with a lie planted into it."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from waltax.devices import tap_preload
from waltax.devices.tap_preload import tap_environment
from waltax.profiles.model import FOLDER
from waltax.row import Row
from waltax.runners import campaign, lives
from waltax.runners.campaign import Recipe
from waltax.runners.progress import Progress
from waltax.runners.session import Hooks, Session
from waltax.runners.workspace import workspace

from ..homes.plain import DATA

_SOURCE = Path(__file__).parent / "shim.c"
_ROUNDS = 6


@dataclass(frozen=True)
class Seen:
    """What a session left: the rows, and why a cell failed."""

    rows: list[Row]
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def said(self) -> list[str]:
        """All warnings and reasons of a disturbance, each once."""
        words = [text for one in self.rows for text in one["warnings"]]
        words += [f"disturbed: {text}" for one in self.rows for text in one.get("disturbed", ())]
        return list(dict.fromkeys(words))


@dataclass(frozen=True)
class Stage:
    """Where lies are planted: a folder of our own on a disk, and a library that lies."""

    folder: Path
    library: Path

    def session(
        self,
        wal_dir: Path | None = None,
        data_root: Path = DATA,
        env: Mapping[str, str] | None = None,
        edits: Mapping[str, str] | None = None,
        engine: str = "rocksdb",
    ) -> Seen:
        """Measure `off` and `sync`. `env` is added to the driver's, `edits` are of the profile.

        Errors: WaltaxError where it is refused before the first slice.
        """
        wal_dir = self.folder / "wal" if wal_dir is None else wal_dir
        wal_dir.mkdir(exist_ok=True)
        profile = _profile(self.folder, engine, edits or {})
        recipe = Recipe(
            engine,
            ("linkbench",),
            str(profile),
            ("nvme",),
            "sync",
            seed=1,
            wal_dir=str(wal_dir),
            allow_mismatch=True,
        )
        plan = campaign.new(recipe, self.folder, data_root)
        plan.folder.mkdir()
        progress = Progress()
        with _planted(env or {}), workspace(plan) as placed:
            sets = lives.of(placed).prepare(placed, _silent)
            hooks = Hooks(_silent, _silent, lambda _: False, lambda: False)
            Session(placed, sets, progress, hooks, 0).run()
        return Seen(progress.rows, progress.failures)

    def behind_the_tap(self, lie: str) -> Mapping[str, str]:
        """An environment in which the library is what the tap calls."""
        return {"LIE": lie, "LD_PRELOAD": f"libwaltax_tap.so:{self.library}"}

    def in_front_of_it(self, lie: str) -> Mapping[str, str]:
        """An environment in which the tap is told only what the library tells it."""
        return {"LIE": lie, "LD_PRELOAD": f"{self.library}:libwaltax_tap.so"}


@contextlib.contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    """A stage in a folder, which is its caller's to remove. Errors: OSError without a compiler."""
    library = folder / "liar.so"
    made = ("-o", str(library), str(_SOURCE), "-ldl", "-pthread")
    subprocess.run(["cc", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", *made], check=True)
    yield Stage(folder, library)


def _profile(folder: Path, engine: str, edits: Mapping[str, str]) -> Path:
    """The small profile with a few rounds, and with lines of it replaced."""
    name = "quick.toml" if engine == "rocksdb" else f"{engine}-ci.toml"
    text = (FOLDER / name).read_text()
    rounds = next(one for one in text.splitlines() if one.startswith("rounds_per_session"))
    named = next(one for one in text.splitlines() if one.startswith("name = "))
    ours = {named: 'name = "lies"', rounds: f"rounds_per_session = {_ROUNDS}"}
    text = text.replace("min_sessions = 10", "min_sessions = 6")
    for old, new in {**ours, **edits}.items():
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "lies.toml"
    path.write_text(text)
    return path


@contextlib.contextmanager
def _planted(env: Mapping[str, str]) -> Iterator[None]:
    """With `env` added to what every driver gets whose engine is in it."""

    def lying(*args: Any, **named: Any) -> dict[str, str]:
        return {**tap_environment(*args, **named), **env}

    with mock.patch.object(tap_preload, tap_environment.__name__, lying):
        yield


def _silent(*_: object) -> None:
    pass
