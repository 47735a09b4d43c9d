"""What report.html says of campaigns of many kinds; no browser is needed to see it."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path

import hostile_rows as hostile
import pytest
from golden_runs import run
from page_rows import campaign_rows, draw, write_campaign
from waltax.analysis.page import environment
from waltax.row import Row

GOLDEN = Path(__file__).parents[2] / "golden"
KINDS = sorted(path.parent.name for path in GOLDEN.glob("*/rows.jsonl"))
SECTIONS = ["Verdict", "Cost", "Latency", "Report", "Provenance"]
BUDGET = 1_000_000  # bytes
_VOID = {"meta", "img", "br", "link"}


class _Reader(HTMLParser):
    """The headings and the texts of a page; fails where its elements do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.sections: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        assert tag != "script"
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        raise AssertionError(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.sections.append(data)
        if self.open and self.open[-1] != "style":
            self.texts.append(data)


def _read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text())
    assert reader.open == []
    assert reader.sections == SECTIONS
    assert len(path.read_bytes()) < BUDGET
    return reader


def _said(path: Path) -> str:
    return " ".join(" ".join(_read(path).texts).split())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_campaign_has_a_whole_page(kind: str, tmp_path: Path) -> None:
    results = tmp_path / "results" / kind
    results.mkdir(parents=True)
    for path in (GOLDEN / kind).glob("*.json*"):
        shutil.copy(path, results)
    for profile in (GOLDEN / kind).glob("*.toml"):
        shutil.copy(profile, tmp_path)
    printed = run([f"waltax report results/{kind} --format html"], tmp_path)
    assert f"In results/{kind}: report.html" in printed
    assert " slices accepted" in _said(results / "report.html")


def test_the_verdict_says_its_doubt_in_the_same_paragraph(tmp_path: Path) -> None:
    rows = campaign_rows(disturbed=["foreign CPU"])
    text = write_campaign(tmp_path / "c", rows).read_text()
    paragraph = text.partition('<p class="sentence">')[2].partition("</p>")[0]
    assert "the WAL costs" in paragraph
    assert "Doubtful:" in paragraph
    assert "32 of 32 slices disturbed" in paragraph


def test_texts_of_others_stay_texts(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c", hostile.rows(), hostile.KEPT)
    text = path.read_text()
    said = _said(path)
    assert "<img src=x" not in text
    assert "<script>alert" not in text
    assert hostile.MARKUP in said  # as a text it is there
    assert hostile.SCRIPT in said
    assert hostile.LONG in said
    assert "{{ 7 * 7 }}" in said
    for control in ("\x1b", "\x07", "\u202e", "\u2066"):
        assert control not in text


def test_no_template_lets_markup_or_a_control_character_through() -> None:
    template = environment().from_string("{{ text }}")
    assert template.render(text="<b>\x1b[2J\u202e") == "&lt;b&gt;?[2J?"


def test_no_script_may_run(usual: Path) -> None:
    text = usual.read_text()
    policy = text.index("Content-Security-Policy")
    assert policy < text.index("<style")
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:;" in text[policy:]


def test_a_page_holds_no_password_and_no_environment(tmp_path: Path) -> None:
    path = write_campaign(tmp_path / "c", hostile.rows(), hostile.KEPT)
    assert "hunter2" not in path.read_text()


def test_half_a_campaign_has_a_page_that_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write_campaign(folder, campaign_rows(sessions=1, rounds=2)[:6])
    with (folder / "rows.jsonl").open("a") as file:
        file.write('{"schema":1,"camp')
    assert "dropped a half-written last line" in _said(draw(folder))


def test_disturbed_slices_are_counted_once_those_of_a_twin_among_them(tmp_path: Path) -> None:
    rows = campaign_rows()
    rows += [row | {"replica": "twin", "cell": "twin"} for row in rows if row["device"] == "off"]
    for row in rows[:1] + rows[-1:]:
        row["disturbed"] = ["steal"]
    said = _said(write_campaign(tmp_path / "c", rows))
    assert f"2 of {len(rows)} slices disturbed" in said


def test_one_slice_alone_has_a_page(tmp_path: Path) -> None:
    said = _said(write_campaign(tmp_path / "c", campaign_rows()[:1]))
    assert "1 slices accepted" in said
    assert "only the baseline off was measured" in said


def test_when_all_cells_failed_the_page_says_why(tmp_path: Path) -> None:
    failed: Row = {"status": "failed", "throughput": None, "failure": "the driver died of hunger"}
    said = _said(write_campaign(tmp_path / "c", campaign_rows(**failed)))
    assert "FAILED: the driver died of hunger" in said
    assert "FAILED on off: no overhead is known" in said


def test_what_older_rows_lack_is_named(tmp_path: Path) -> None:
    required = {*campaign_rows()[0]} - {"start_unix_s", "versions", "seed"}
    kept = {"requests", "measure_s", "schema", "slice", "session", "round", "cell", "engine"}
    kept |= {"campaign", "status", "failure", "workload", "profile", "device", "durability"}
    kept |= {"threads", "replica", "emulated", "device_kind", "throughput", "throughput_unit"}
    kept |= {"warnings"}
    rows = [{name: row[name] for name in kept & required} for row in campaign_rows()]
    said = _said(write_campaign(tmp_path / "c", rows))
    for missing in (
        "No percentile: the rows carry no histograms.",
        "The campaign kept no findings",
        "The campaign's folder does not say what was typed.",
    ):
        assert missing in said


def test_forty_cells_have_a_page_below_its_budget(tmp_path: Path) -> None:
    rows: list[Row] = []
    for row in campaign_rows(sessions=2, rounds=10):
        copies = range(13 if row["device"] != "off" else 1)
        for copy in copies:
            name = f"{row['device']}{copy or ''}"
            rows.append({**row, "device": name, "cell": f"c-{name}", "slice": len(rows)})
    said = _said(write_campaign(tmp_path / "c", rows))
    assert all(f"nvme{number} (emulated)" in said for number in range(1, 13))


def test_equal_rows_make_an_equal_file(tmp_path: Path) -> None:
    rows = campaign_rows()
    first = write_campaign(tmp_path / "a", rows).read_bytes()
    assert write_campaign(tmp_path / "b", rows).read_bytes() == first
    assert draw(tmp_path / "a").read_bytes() == first


def test_the_command_that_measures_it_again_can_be_pasted(usual: Path) -> None:
    assert "waltax run --seed 7 --device nvme --device ssd" in _said(usual)
