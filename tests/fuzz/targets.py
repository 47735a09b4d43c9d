"""The parsers of Python that `make fuzz` gives changed files, and where their seeds are.

A target takes bytes. Any error but waltax's own, with words, is a finding.
"""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import click
from waltax import analysis, profiles
from waltax.__main__ import _with_the_nearest
from waltax.analysis import reports, writers
from waltax.base.errors import WaltaxError
from waltax.base.folders import removal
from waltax.base.printable import one_line
from waltax.base.terminal import Terminal
from waltax.crash import log
from waltax.crash.cutter import content, history, state
from waltax.crash.cutter.state import Cut
from waltax.devices import catalog
from waltax.devices.probe import jobs
from waltax.devices.probe.jobs import Job
from waltax.engines import EMBEDDED, ENGINES
from waltax.runners.recipe import campaign_file
from waltax.workloads import files

ROOT = Path(__file__).parents[2]
_SEEDS = "tests/fuzz/seeds/{}/*"
_STOCK = ROOT / "tests/workloads/config/LinkConfigMysql.properties"
_SHIPPED = re.compile(rb'^name = "[a-z0-9-]*"', re.MULTILINE)  # which no file of a user's may say
_MOST_ROWS = 6
_LONGEST = 20_000  # of a message, in letters


@dataclass(frozen=True)
class Target:
    """`parse` takes a seed's bytes, changed, and a folder of its own for files.

    `seeds` are patterns below the repository; those of the target's own folder are seeds, too.
    """

    name: str
    parse: Callable[[bytes, Path], object]
    seeds: tuple[str, ...] = ()
    lines: int | None = None  # of a seed, from its first on
    cpu_s: float = 1.0  # what takes longer is a finding

    def texts(self) -> list[bytes]:
        """The seeds' bytes, those of one pattern after the other."""
        patterns = (*self.seeds, _SEEDS.format(self.name))
        files = [file for one in patterns for file in sorted(ROOT.glob(one))]
        texts = [b"".join(file.read_bytes().splitlines(True)[: self.lines]) for file in files]
        return [_SHIPPED.sub(b'name = "own"', text) for text in texts]

    def give(self, text: bytes, folder: Path) -> bool:
        """Whether `text` was accepted. Errors: whatever is a finding."""
        try:
            self.parse(text, folder)
        except WaltaxError as error:
            self._require_words("\n".join(error.lines))
            return False
        except click.ClickException as error:
            self._require_words(one_line(_with_the_nearest(error)))
            return False
        except click.exceptions.Exit:  # of --help
            return False
        return True

    def _require_words(self, message: str) -> None:
        if not message.strip() or len(message) > _LONGEST:
            raise AssertionError(f"an error of {len(message):,} letters: {message[:200]!r}")
        message.encode()  # which half a surrogate pair would not


def _written(folder: Path, name: str, text: bytes) -> Path:
    path = folder / name
    path.write_bytes(text)
    return path


def _engine(text: bytes) -> str:
    return next((one for one in ENGINES if f'"{one}"'.encode() in text), EMBEDDED)


def _profile(text: bytes, folder: Path) -> None:
    profiles.load(str(_written(folder, "own.toml", text)), _engine(text))


def _device(text: bytes, folder: Path) -> None:
    catalog.load(_written(folder, "own.toml", text))


def _properties(text: bytes, folder: Path) -> None:
    stock = folder / "config" / "FBWorkload.properties"  # which the other stock file names
    if not stock.exists():
        shutil.copytree(_STOCK.parent, stock.parent)
    _workload_file(text, folder)


def _workload_file(text: bytes, folder: Path) -> None:
    """A workload file of YCSB's or a configuration of LinkBench's, and what a campaign keeps."""
    one, _ = files.read(_written(folder, "own.properties", text), text)
    assert files.record(one.name, one.text).digest == one.digest


_JOB = Job("sync", 1032)


def _fio(text: bytes, _: Path) -> None:
    jobs.read(text.decode(errors="replace"), _JOB)


def _recipe(text: bytes, folder: Path) -> None:
    _written(folder, campaign_file.RECIPE, text)
    campaign_file.told(folder)
    campaign_file.read(folder)


def _rows(text: bytes, folder: Path) -> None:
    _written(folder, "rows.jsonl", text)
    with warnings.catch_warnings(action="ignore"):
        analysis.load([folder])


def _report(text: bytes, folder: Path) -> None:
    _written(folder, "rows.jsonl", text)
    with warnings.catch_warnings(action="ignore"):
        report = reports.devices([folder])
        writers.publish(report, Terminal(quiet=True), formats=("markdown", "json", "csv"))


def _page(text: bytes, folder: Path) -> None:
    """A page of good rows, beside whatever the folder's other files say."""
    for name in (campaign_file.RECIPE, "summary.json"):
        _written(folder, name, text)
    rows = (ROOT / "tests/golden/aa/rows.jsonl").read_bytes().splitlines(True)
    _written(folder, "rows.jsonl", b"".join(rows[:_MOST_ROWS]))
    with warnings.catch_warnings(action="ignore"):
        writers.publish(reports.devices([folder]), Terminal(quiet=True), formats=("html",))


def _recording(text: bytes, folder: Path) -> None:
    """The recorder's log, and two states of what it tells, of files of a megabyte."""
    with mock.patch.object(content, "most_bytes", 1 << 20):
        _cut(text, folder)


def _cut(text: bytes, folder: Path) -> None:
    found = log.read(_written(folder, "log", text))
    story = history.of(found, {})
    for moment in state.moments(found, 1, seed=1):
        for number, strategy in enumerate(("dropped", "sectors")):
            places = dict.fromkeys(found.roots[:1], folder / f"state-{number}")
            try:
                state.write(story, Cut(moment, strategy), places)
                state.told(found, moment)
            finally:
                removal.trees(*places.values())


_GOLDEN_ROWS, _RECIPES = ("tests/golden/*/rows.jsonl",), ("tests/golden/*/campaign.json",)
TARGETS = {
    one.name: one
    for one in (
        Target("profile", _profile, ("profiles/*.toml",)),
        Target("device", _device, ("devices/*.toml",)),
        Target("properties", _properties, ("tests/workloads/config/*",)),
        Target("fio", _fio),
        Target("rows", _rows, _GOLDEN_ROWS, _MOST_ROWS),
        Target("report", _report, (*_GOLDEN_ROWS, _SEEDS.format("rows")), _MOST_ROWS, cpu_s=10.0),
        Target("campaign", _recipe, _RECIPES),
        Target("page", _page, _RECIPES, cpu_s=10.0),
        Target("ycsb-workload", _workload_file),
        Target("recording", _recording),
    )
}
