"""The command at the end of a page, which measures it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax.analysis.page.provenance import command
from waltax.runners.campaign import Campaign
from waltax.studies import frame
from waltax.studies.request import Request


def _again(monkeypatch: pytest.MonkeyPatch, called: str, *words: str) -> str:
    """What a page says of a campaign that was typed like this."""
    kept = list[Campaign]()

    def run(study: object, request: Request, _console: object) -> int:
        kept.extend(study.plan(request, print))  # type: ignore[attr-defined]
        return 0

    monkeypatch.setattr(frame, "run", run)
    done = CliRunner().invoke(frame.command(called), list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return command(json.loads(kept[0].as_json()))


def test_the_command_is_what_was_typed_with_the_seed_and_without_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (f"--results={tmp_path}", f"--data-dir={tmp_path}", "--share-machine", "--repeat=3")
    what = ("--device=nvme ssd", "--device", "off", "--wal=flush", "--seed=7", "--allow-mismatch")
    assert _again(monkeypatch, "run-device", *places, *what) == (
        "waltax run-device --device 'nvme ssd' --device off --wal flush --allow-mismatch --seed 7"
    )


def test_the_command_of_a_sweep_has_the_words_that_lead_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (f"--data-dir={tmp_path}", "--threads=2,4", "--seed=1")
    assert _again(monkeypatch, "sweep threads", *words) == (
        "waltax sweep threads --threads 2,4 --seed 1"
    )


def test_the_command_of_a_tried_program_ends_with_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--log=wal/", "--seed=7", f"--data-dir={tmp_path}", "--", "sh", "-c", "echo $X 9")
    assert _again(monkeypatch, "try", *words) == (
        "waltax try --log wal/ --seed 7 -- sh -c 'echo $X 9'"
    )


def test_a_campaign_that_does_not_say_what_was_typed_has_none() -> None:
    assert command({"kind": "run", "seed": 7}) == ""
