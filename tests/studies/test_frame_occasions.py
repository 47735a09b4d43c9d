"""The same campaign at several moments: `--repeat` and `--every`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import fake_study
import pytest
from rich.console import Console
from sweeping import Said, said
from waltax import cli
from waltax.base.errors import UsageError
from waltax.commands import COMMANDS
from waltax.runners.campaign import Campaign
from waltax.runners.loop import Executor, Outcome
from waltax.runners.progress import Progress
from waltax.runners.stop_rule import Stop
from waltax.studies import frame
from waltax.studies.request import Request


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "loudness", fake_study.ENTRY)
    monkeypatch.setattr(frame, "measure_shown", fake_study.measure)


def _waltax(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(cli.cli, "loudness", "--device=nvme", *places, *words)


def _clocked(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], sleep: Callable[[float], None]
) -> None:
    """Give occasions a clock of their own: other threads of this process sleep, too."""
    own = SimpleNamespace(
        time=lambda: clock[0], sleep=sleep, strftime=time.strftime, localtime=time.localtime
    )
    monkeypatch.setattr(frame, "time", own)


def test_each_occasion_is_a_campaign_of_its_own_and_they_are_pooled(tmp_path: Path) -> None:
    done = _waltax(tmp_path, "--repeat=3", "--seed=7")
    folders = sorted(tmp_path.glob("results/2*"))
    assert len(folders) == 3
    seeds = [json.loads((folder / "campaign.json").read_text())["seed"] for folder in folders]
    assert seeds == [7, 1007, 2007]
    assert done.text.count("1 rows are loud, in grey") == 3
    assert done.text.count("3 rows are loud, in grey") == 1
    for expected in ("3 campaigns of this kind, pooled at the end", "occasion 3 of 3 begins at"):
        assert expected in done.flowing
    assert "This again: waltax report " in done.flowing
    assert all(folder.name in done.text for folder in folders)


def test_an_occasion_begins_when_it_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000.0]
    _clocked(monkeypatch, clock, lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    done = _waltax(tmp_path, "--repeat=2", "--every=90m")
    assert "occasion 2 of 2 begins at " in done.flowing
    assert "; Ctrl-C keeps what was measured" in done.flowing
    assert clock[0] == 1_000 + 90 * 60


def test_ctrl_c_between_two_occasions_keeps_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    _clocked(monkeypatch, [1_000.0], interrupt)
    done = _waltax(tmp_path, "--repeat=2", "--every=1h")
    assert done.code == 130
    assert "1 rows are loud, in grey" in done.text
    assert len(list(tmp_path.glob("results/2*"))) == 1


def test_a_campaign_that_was_interrupted_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
        rows = fake_study.measure(campaign, console, executor).progress.rows
        return Outcome({"linkbench": Stop.INTERRUPTED}, Progress(rows))

    monkeypatch.setattr(frame, "measure_shown", measure)
    done = _waltax(tmp_path, "--repeat=3")
    assert done.code == 130
    assert "Continue with: waltax loudness --resume" in done.flowing
    assert len(list(tmp_path.glob("results/2*"))) == 1


def test_an_occasion_that_cannot_be_is_told_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def measure(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
        begun.append(campaign.id)
        if len(begun) == 2:
            raise UsageError("another campaign is measuring on this machine")
        return fake_study.measure(campaign, console, executor)

    monkeypatch.setattr(frame, "measure_shown", measure)
    done = _waltax(tmp_path, "--repeat=3")
    assert done.code == 1
    assert "This occasion is left out: another campaign is measuring" in done.flowing
    assert "2 rows are loud, in grey" in done.text
    assert len(begun) == 3


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--every=1h"], "--every: found it without --repeat; say how often"),
        (["--repeat=2", "--every=soon"], "--every: found 'soon'; type a number with s, m, h or d"),
        (["--repeat=2", "--every=-1h"], "--every: found '-1h'"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, words: list[str], refusal: str) -> None:
    done = _waltax(tmp_path, *words)
    assert done.code == 2
    assert refusal in done.text
    assert list(tmp_path.iterdir()) == []


def test_a_resumed_campaign_is_not_repeated(tmp_path: Path) -> None:
    _waltax(tmp_path)
    (campaign,) = tmp_path.glob("results/2*")
    done = said(cli.cli, "loudness", f"--resume={campaign}", "--repeat=2")
    assert (done.code, "found --repeat" in done.text) == (2, True)


def test_the_first_occasion_is_what_was_asked_for() -> None:
    request = Request(results=Path("results"), data_dir=Path("data"), seed=2**31 - 1)
    assert frame._anew(request, 0) == request
    assert frame._anew(request, 1).seed == 999
