"""A study is an entry of the table: from there come its command, its campaigns and its report."""

from __future__ import annotations

import json
from pathlib import Path

import fake_study
import pytest
from rich.console import Console
from sweeping import Said, said
from waltax import cli
from waltax.commands import COMMANDS, words_of
from waltax.runners.campaign import Campaign
from waltax.runners.loop import Executor, Outcome
from waltax.studies import frame
from waltax.studies.study import record

pytestmark = pytest.mark.drawn


@pytest.fixture
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more study, of which nothing but its entry is known."""
    monkeypatch.setitem(COMMANDS, "loudness", fake_study.ENTRY)
    monkeypatch.setattr(frame, "measure_shown", fake_study.measure)


def _waltax(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(cli.cli, *words, *places)


def _begun(folder: Path) -> Path:
    done = _waltax(folder, "loudness", "--device=nvme", "--colour=red")
    assert done.code == 0, done.text
    (campaign,) = folder.glob("results/2*")
    return campaign


@pytest.mark.usefixtures("loud")
def test_a_study_of_the_table_has_a_command(tmp_path: Path) -> None:
    assert "loudness How loud a log is." in " ".join(said(cli.cli, "--help").text.split())
    assert "It needs no microphone." in said(cli.cli, "loudness", "--help").text
    done = _waltax(tmp_path, "loudness", "--device=nvme", "--plan")
    assert done.code == 0, done.text
    for expected in ("2 cells take turns", "linkbench-quick-nvme-sync"):
        assert expected in done.text, expected
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("loud")
def test_its_campaign_keeps_its_kind_and_ends_with_its_report(tmp_path: Path) -> None:
    done = _waltax(tmp_path, "loudness", "--device=nvme", "--colour=red")
    assert done.code == 0, done.text
    assert "1 rows are loud, in red" in done.text
    (campaign,) = tmp_path.glob("results/2*")
    assert json.loads((campaign / "campaign.json").read_text())["kind"] == "loudness"


@pytest.mark.usefixtures("loud")
def test_run_and_its_own_command_go_on_with_it(tmp_path: Path) -> None:
    campaign = _begun(tmp_path)
    assert "2 rows are loud, in grey" in _waltax(tmp_path, "run", "--resume", campaign).text
    again = _waltax(tmp_path, "loudness", "--resume", campaign, "--colour=blue")
    assert "3 rows are loud, in blue" in again.text


@pytest.mark.usefixtures("loud")
def test_the_command_of_another_study_names_its_own(tmp_path: Path) -> None:
    done = _waltax(tmp_path, "paper", "--resume", _begun(tmp_path))
    assert done.code == 2
    assert "is of another command; type: waltax loudness --resume" in done.text


@pytest.mark.usefixtures("loud")
def test_a_flag_that_would_change_what_is_or_was_measured_is_refused(tmp_path: Path) -> None:
    campaign = _begun(tmp_path)
    for flag, instead in (
        ("--resume", "change the campaign; leave it out, or start a new campaign"),
        ("--campaign", "change what was measured; leave it out"),
    ):
        done = _waltax(tmp_path, "loudness", flag, campaign, "--seed=3")
        assert (done.code, done.text) == (2, f"{flag}: found --seed, which would {instead}")


def test_a_campaign_whose_cells_all_failed_ends_with_a_page_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_fail(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
        for cell in campaign.cells:
            outcome = fake_study.measure(campaign, console, executor, cell)
        return outcome

    monkeypatch.setattr(frame, "measure_shown", all_fail)
    done = _waltax(tmp_path, "run-device", "--device=nvme", "--workload=linkbench")
    assert "FAILED on off: no overhead is known" in done.text
    (page,) = tmp_path.glob("results/2*/report.html")
    assert "it was quiet" in page.read_text()


@pytest.mark.usefixtures("loud")
def test_a_report_has_the_overheads_and_then_its_own(tmp_path: Path) -> None:
    campaign = _begun(tmp_path)
    assert "1 rows are loud, in grey" in said(cli.cli, "report", campaign).text
    done = _waltax(tmp_path, "loudness", "--campaign", campaign, "--colour=green")
    assert done.text.split("\n") == ["1 rows are loud, in green", "", ""]


def test_a_campaign_of_a_kind_that_is_not_known_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(COMMANDS, "loudness", fake_study.ENTRY)
        patch.setattr(frame, "measure_shown", fake_study.measure)
        campaign = _begun(tmp_path)
    done = _waltax(tmp_path, "run", "--resume", campaign)
    assert done.code == 2
    assert "kind: found 'loudness', which is no study here; " in done.text
    assert "are loud" not in said(cli.cli, "report", campaign).text


_STUDIES = [words for words, one in COMMANDS.items() if one.record.rpartition(":")[2].isupper()]


@pytest.mark.parametrize("words", [*_STUDIES, "releases"])
def test_a_study_is_found_by_the_kind_that_its_campaigns_keep(words: str) -> None:
    """Campaigns go on with the command that measured them; that of releases is `run`."""
    study = record(words)
    assert record(study.kind).kind == study.kind
    assert words_of(study.kind) == (words if words in COMMANDS and words != "run-device" else "run")


def test_run_device_measures_what_is_named(tmp_path: Path) -> None:
    done = _waltax(tmp_path, "run-device", "--plan", "--device=nvme", "--workload=linkbench")
    assert done.code == 0, done.text
    assert "linkbench-quick-nvme-sync" in done.text
    assert "linkbench-quick-ssd-sync" not in done.text


@pytest.mark.usefixtures("loud")
def test_a_format_that_no_report_can_be_written_in_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WALTAX_FORMATS", "terminal tape")
    done = _waltax(tmp_path, "loudness", "--device=nvme")
    assert done.code == 2
    assert "WALTAX_FORMATS: found 'tape'; one of terminal, markdown" in done.text
    assert list(tmp_path.iterdir()) == []
