"""What other tools watch: gauges that OpenMetrics' grammar allows, and a line for each campaign."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from synthetic import make_rows, steady
from waltax.analysis import reports, writers
from waltax.analysis.report import Report

_SAMPLE = re.compile(r'(waltax_[a-z_0-9]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+)\} (\S+)')


def _campaign(folder: Path, start_s: float, nvme: float = 7.0) -> Path:
    folder.mkdir()
    rows = make_rows(3, 2, steady(off=10.0, nvme=nvme))
    lines = [row | {"campaign": folder.name, "start_unix_s": start_s} for row in rows]
    (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return reports.devices([_campaign(tmp_path / "b", 200.0)])


def _written(report: Report, name: str) -> tuple[str, str]:
    """What a format printed, and the file that it wrote, if any."""
    out = io.StringIO()
    paths = writers.publish(report, Console(file=out, width=80), None, [name])
    return out.getvalue(), paths[0].read_text() if paths else ""


def test_each_number_of_a_cell_is_one_gauge_with_the_cell_s_labels(report: Report) -> None:
    _, text = _written(report, "openmetrics")
    *lines, last = text.splitlines()
    assert last == "# EOF"
    family, seen = "", set()
    for line in lines:
        if line.startswith("# TYPE "):
            family = line.split()[2]
            assert family not in seen  # all samples of a family stand together
            seen.add(family)
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample, line
        assert sample[1] == family
        float(sample[3])
    (cell,) = [line for line in report.lines if line["device"] == "nvme"]
    (said,) = re.findall(r'^waltax_overhead\{.*device="nvme".*\} (\S+)$', text, re.M)
    assert float(said) == cell["overhead"]


def test_a_label_escapes_what_would_end_it(report: Report) -> None:
    lines = [{**line, "device": 'a"b\\c\nd'} for line in report.lines]
    _, text = _written(replace(report, lines=lines), "openmetrics")
    assert r'device="a\"b\\c\nd"' in text
    assert all(_SAMPLE.fullmatch(line) for line in text.splitlines() if line[0] != "#")


def test_otava_gets_a_line_for_each_campaign_oldest_first(report: Report, tmp_path: Path) -> None:
    _, alone = _written(report, "otava")
    assert len(alone.splitlines()) == 2
    older = _campaign(tmp_path / "c", 100.0, nvme=5.0)
    printed, text = _written(reports.devices([older, tmp_path / "b"]), "otava")
    assert text == ""
    lines = list(csv.DictReader(io.StringIO(printed)))
    assert [line["campaign"] for line in lines] == ["c", "b"]
    assert lines[0]["time"] == "1970-01-01T00:01:40+00:00"
    (column,) = [name for name in lines[0] if "nvme" in name and name.endswith(".overhead")]
    assert [round(float(line[column]), 6) for line in lines] == [0.5, 0.3]
    assert not [name for name in lines[0] if "-off-" in name and name.endswith(".overhead")]


def test_a_report_of_something_else_has_neither(report: Report) -> None:
    other = replace(report, name="why")
    assert [_written(other, name) for name in ("openmetrics", "otava")] == [("", "")] * 2
