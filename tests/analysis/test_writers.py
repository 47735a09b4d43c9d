"""Reports are values, and a format is one writer over them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from build_rows import build_rows
from kv_rows import knob_rows, size_rows
from load_rows import MS
from load_rows import swept as loads
from memory_rows import memory_rows
from paired import pair, write
from receipt_lines import receipt
from recovery_lines import modes, openings
from rich.console import Console
from rungs import rung_rows
from shard_rows import shard_rows
from swept import sweep, with_clients
from synthetic import make_rows, make_served_rows, program_rows, steady
from waltax.analysis import Report, reports, writers
from waltax.analysis.report import Lines, Table, Verdict
from waltax.analysis.reports.receipts import KEPT
from waltax.analysis.series import Column
from waltax.base.errors import UsageError
from waltax.row import Row


def _columns(*headings: str) -> list[Column[Any]]:
    return [Column("", heading) for heading in headings]


FAKE = Report(
    name="fake",
    parts=[
        Verdict("It costs *nothing*."),
        Table(
            "A title\nand its second line",
            [*_columns("device", "ops/s"), Column("", "long\nheader", only_wide=True)],
            [("nvme|x", "12", "a"), ("ssd", "3", "b")],
        ),
        Lines(["one: <b> [1, 2] [a](b)", "  below it"], "Evidence"),
        Lines([], "Nothing is said of this"),
    ],
    content={"schema": 1, "answer": 42},
    lines=[{"device": "nvme", "overhead": 0.5}],
    warnings=["swap is in use"],
    remarks=["That is all."],
)
MARKDOWN = r"""**It costs \*nothing\*.**

### A title

and its second line

| device | ops/s | long header |
| --- | ---: | ---: |
| nvme\|x | 12 | a |
| ssd | 3 | b |

### Evidence

- one: \<b\> [1, 2] [a\](b)
  - below it

- warning: swap is in use

That is all.
"""


def _published(report: Report, *formats: str, width: int = 120, folder: Path | None = None) -> str:
    out = io.StringIO()
    writers.publish(report, Console(file=out, width=width), folder, formats)
    return out.getvalue()


def test_a_format_is_one_writer_and_one_line_of_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def write(report: Report, console: Console, folder: Path | None) -> list[Path]:
        assert folder is not None
        console.print(f"{report.name}: {report.verdicts[0]}")
        (folder / "fake.html").write_text("<p>")
        return [folder / "fake.html"]

    monkeypatch.setitem(writers.WRITERS, "html", write)
    said = _published(FAKE, "html", folder=tmp_path)
    assert said == f"fake: It costs *nothing*.\nIn {tmp_path}: fake.html\n"


def test_markdown_has_every_part_and_foreign_text_is_no_markup_in_it() -> None:
    assert _published(FAKE, "markdown", width=20) == MARKDOWN


def test_a_narrow_terminal_gets_the_columns_that_matter() -> None:
    assert "long" in _published(FAKE, "terminal", width=100)
    out = io.StringIO()
    writers.publish(FAKE, Console(file=out, width=60, force_terminal=True))
    assert "long" not in out.getvalue()
    assert "ops/s" in out.getvalue()


def test_a_terminal_too_narrow_for_a_table_still_shows_whose_numbers_it_has() -> None:
    wide = Table("", _columns("device", *"abc"), [("nvme", *["1" * 30] * 3)])
    out = io.StringIO()
    writers.publish(
        replace(FAKE, parts=[wide]), Console(file=out, width=60, force_terminal=True), None
    )
    assert out.getvalue().split().count("1" * 30) == 3
    assert "nvme" in out.getvalue().split()


def test_a_table_in_a_pipe_is_as_wide_as_it_needs() -> None:
    wide = Table("", _columns("device", *"abc"), [("nvme 0.5 TB", *["1" * 60] * 3)])
    said = _published(replace(FAKE, parts=[wide]), "terminal", width=80)
    assert f"nvme 0.5 TB   {'1' * 60}" in said


def test_warnings_and_remarks_come_last_on_a_terminal() -> None:
    assert _published(FAKE, "terminal").endswith("warning: swap is in use\nThat is all.\n")


def test_files_have_the_report_s_name_and_are_named(tmp_path: Path) -> None:
    said = _published(FAKE, *writers.DEFAULT, folder=tmp_path)
    assert said.endswith(f"In {tmp_path}: fake.json, fake.csv\n")
    assert json.loads((tmp_path / "fake.json").read_text()) == {"schema": 1, "answer": 42}
    assert (tmp_path / "fake.csv").read_text().split() == ["device,overhead", "nvme,0.5"]


def test_a_cell_that_recorded_less_than_another_leaves_its_fields_empty(tmp_path: Path) -> None:
    """Such as one that failed, in either order."""
    more = {"device": "ssd", "overhead": 0.1, "reads": 2}
    for lines in ([*FAKE.lines, more], [more, *FAKE.lines]):
        _published(replace(FAKE, lines=lines), *writers.DEFAULT, folder=tmp_path)
        found = (tmp_path / "fake.csv").read_text().split()
        assert found[0] == "device,overhead,reads"
        assert set(found[1:]) == {"nvme,0.5,", "ssd,0.1,2"}


def test_without_a_folder_there_are_no_files() -> None:
    assert "In " not in _published(FAKE, *writers.DEFAULT)


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    known = ", ".join(writers.WRITERS)
    with pytest.raises(UsageError, match=f"--format: found 'tape'; one of {known}$"):
        _published(FAKE, "tape")


def _rows_of(study: str) -> list[Row]:
    rows: dict[str, Callable[[], list[Row]]] = {
        "paper": lambda: make_served_rows("myrocks", {("off", "off"): 20.0, ("ssd", "sync"): 6.0}),
        "latency": lambda: sweep(sd=0.02, others={"nvme": 30.0}),
        "threads": lambda: [
            one for n in (1, 4) for one in with_clients(sweep(grid=(), others={"nvme": 20.0}), n)
        ],
        "memory": lambda: [*memory_rows(0.25), *memory_rows(5.0)],
        "builds": lambda: build_rows(lambda device: {"off": 1000.0, "nvme": 540.0}[device]),
        "shards": shard_rows,
        "sizes": size_rows,
        "knobs": knob_rows,
        "why": rung_rows,
        "load": lambda: loads(
            off={10: (MS, MS), 50: (MS, 2 * MS)}, nvme={10: (MS, 2 * MS), 50: (MS, 20 * MS)}
        ),
        "program": lambda: program_rows({("off", "off"): 2.0, ("nvme", "sync"): 1.0}),
    }
    return rows.get(study, lambda: make_rows(3, 2, steady(off=10.0, nvme=7.0)))()


def _of_rows(study: str, folder: Path) -> Report:
    lines = [json.dumps(one) + "\n" for one in _rows_of(study)]
    (folder / "rows.jsonl").write_text("".join(lines))
    if study == "receipts":
        kept = (json.dumps(receipt("nvme", mode, "power")) + "\n" for mode in ("sync", "flush"))
        (folder / KEPT).write_text("".join(kept))
    make = getattr(reports, study)
    made: Report = make([folder], **({"devices": lambda _: {}} if study == "latency" else {}))
    return made


def _of_pairs(study: str, folder: Path) -> Report | None:
    """Of the reports of several campaigns, and of what is no campaign."""
    if study == "recovery":
        (folder / "recovery.jsonl").write_text("".join(f"{one}\n" for one in openings()))
        return reports.recovery(folder)
    if study == "recovery_modes":
        (folder / "recovery-modes.jsonl").write_text("".join(f"{one}\n" for one in modes()))
        return reports.recovery_modes(folder)
    if study == "floor":
        return reports.floor([write(folder / str(one), one) for one in range(3)], folder)
    return reports.gate(*pair(folder), []) if study == "gate" else None


_STUDIES = [name for name, one in vars(reports).items() if isinstance(one, FunctionType | partial)]


@pytest.mark.parametrize("study", _STUDIES)
def test_every_study_is_written_as_markdown(study: str, tmp_path: Path) -> None:
    report = _of_pairs(study, tmp_path) or _of_rows(study, tmp_path)
    before = sorted(tmp_path.rglob("*"))
    said = _published(report, "markdown")
    assert sum(line.startswith("| ") for line in said.splitlines()) >= 4
    assert said.count("\n### ") + said.startswith("### ") == sum(
        isinstance(part, Table) or (isinstance(part, Lines) and bool(part.lines and part.title))
        for part in report.parts
    )
    assert sorted(tmp_path.rglob("*")) == before


LONG = Report(
    name="long",
    parts=[
        Verdict(" ".join(["word"] * 60)),
        Lines([f"in /dev/shm/{'a-long-name-' * 12}x y", " ".join(["said"] * 40)]),
    ],
)


def test_a_pipe_gets_every_sentence_whole_and_a_terminal_every_path() -> None:
    path = f"/dev/shm/{'a-long-name-' * 12}x"
    said = _published(LONG, "terminal", width=80).splitlines()
    assert [line.split()[0] for line in said if line] == ["word", "in", "said"]
    out = io.StringIO()
    writers.publish(LONG, Console(file=out, width=80, force_terminal=True), None, ["terminal"])
    lines = out.getvalue().splitlines()
    assert any(path in line for line in lines)
    assert max(len(line) for line in lines if "said" in line) <= 80


def test_the_environment_says_what_a_report_is_written_in_when_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(writers.VARIABLE, "terminal csv")
    assert _published(FAKE, folder=tmp_path).endswith(f"In {tmp_path}: fake.csv\n")
    assert "fake.json" in _published(FAKE, "json", folder=tmp_path)
    monkeypatch.delenv(writers.VARIABLE)
    assert _published(FAKE, folder=tmp_path).endswith(f"In {tmp_path}: fake.json, fake.csv\n")
    monkeypatch.setenv(writers.VARIABLE, "tape")
    with pytest.raises(UsageError, match=r"^WALTAX_FORMATS: found 'tape'; one of"):
        _published(FAKE)
