"""The benchmark of what recording costs."""

from __future__ import annotations

import re

import pytest
from waltax.bench.speed import recording
from waltax.receipts import preload


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_WARMUP_S", 0.1)


@pytest.mark.nightly
def test_what_recording_costs_is_measured_in_each_mode(capsys: pytest.CaptureFixture[str]) -> None:
    recording.main(["2", "0.2"])
    head, *lines = capsys.readouterr().out.splitlines()
    assert "2 pairs of 0.2 s" in head
    said = re.compile(r"(\w+) +\d+\.\d\d \[.*\]  ([\d,]+) calls and ([\d,]+) acknowledgements")
    found = [match.groups() for match in map(said.match, lines) if match]
    assert [mode for mode, *_ in found] == ["sync", "flush", "off"]
    assert all("0" not in counts for _, *counts in found)


@pytest.mark.nightly
def test_a_driver_that_is_not_recorded_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preload, "recorder_environment", lambda *_words: {})
    with pytest.raises(SystemExit, match="the recorder is not loaded there"):
        recording.main(["2", "0.2"])


def test_one_pair_has_no_interval() -> None:
    with pytest.raises(SystemExit, match="found 1; an interval needs 2 or more"):
        recording.main(["1"])
