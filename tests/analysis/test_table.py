from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import (
    NO_WAL,
    evidence_of,
    make_row,
    rendered,
    report,
    tables_width,
)
from waltax import analysis
from waltax.analysis.reports import campaign
from waltax.analysis.results import words
from waltax.row import Row


def test_the_first_sentence_says_what_the_wal_costs(folder: Path) -> None:
    first = " ".join(report(folder).split("\n\n")[0].split())
    assert first.startswith("LinkBench on RocksDB, profile quick, 4 threads: against off, the WAL")
    assert "the WAL costs nothing resolvable (" in first
    assert "]) on nvram (emulated)" in first
    assert "% [" in first
    assert "on nvme (emulated)" in first
    assert first.endswith("; FAILED on ssd (emulated).")


def test_the_table_fits_a_hundred_columns_of_plain_text(folder: Path) -> None:
    text = report(folder, target_half_width=0.03)
    assert tables_width(text) <= 100
    assert "\x1b" not in text
    for expected in ("96.0", "0.100", "3.00", "30.0", "(target 3.0)", "12 rounds in 3 sessions"):
        assert expected in text, expected


def test_every_emulated_device_is_called_so_wherever_it_is_named(folder: Path) -> None:
    for line in report(folder).splitlines():
        if line.strip().startswith(("nvme", "nvram", "ssd")):
            assert "(emulated)" in line


def _without_wal(rows: list[Row], device: str) -> list[Row]:
    """The device's rows as of durability off."""
    changed = {"durability": "off", "cell": f"rocksdb-linkbench-quick-{device}-off-t4"} | NO_WAL
    return [one | changed if one["device"] == device else one for one in rows]


def test_a_device_that_writes_no_wal_emulates_nothing(rows: list[Row]) -> None:
    rows = _without_wal(_without_wal(rows, "nvme"), "nvram")
    cells = analysis.every_cell(rows)
    assert [words.label(one) for one in cells] == ["off", "nvram, WAL off", "nvme, WAL off"]
    sentence = words.verdict(cells)
    assert "4 threads: nvram, WAL off, differs from off by nothing resolvable (" in sentence
    assert "; nvme, WAL off, differs from off by 2" in sentence
    assert "costs" not in sentence


def test_what_the_wal_costs_is_told_apart_from_what_differs_without(rows: list[Row]) -> None:
    rows = _without_wal(rows, "nvram")
    sentence = words.verdict(analysis.every_cell(rows))
    assert "against off, the WAL costs 2" in sentence
    assert "on nvme (emulated); nvram, WAL off, differs from off by nothing" in sentence


@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_number_is_cut_at_any_width(rows: list[Row], width: int) -> None:
    scale = {"off": 135.4, "nvme": 35.4, "nvram": 135.4}
    large = [
        one | {"throughput": scale[one["device"]] * one["throughput"], "tap_sync_us_p50": 12_345}
        for one in rows
    ] + [make_row("ssd-consumer", 12.3, session, 0) for session in range(3)]
    cells = analysis.every_cell(large)
    text = rendered(campaign.parts(cells), width)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    assert tables_width(text) <= width
    for one in cells:
        assert one.throughput_low is not None
        assert one.throughput_high is not None
        half = words.number((one.throughput_high - one.throughput_low) / 2)
        assert f"{words.number(one.throughput)} \N{PLUS-MINUS SIGN}{half} " in text
        assert one.is_baseline or f" {words.bounds(one.low, one.high)} " in text
        added = f" {words.number(one.added_us_per_request)} "
        assert one.is_baseline or (added in text) == (width >= 100)
    assert ("median %" in text) == (width >= 100)


def test_the_evidence_names_bytes_syncs_files_and_the_directory(folder: Path) -> None:
    text = report(folder)
    assert evidence_of("nvme", text) == "600,000 3 1,200 1,200"
    assert "nvme (emulated): in /mnt/wal" in text
    assert evidence_of("off", text) == "0 0 0 0"


@pytest.mark.parametrize(
    ("fraction", "text"), [(0.271, "27.1"), (-0.05, "\u22125.0"), (-0.0001, "0.0"), (None, "-")]
)
def test_percentages_have_one_decimal_and_no_negative_zero(
    fraction: float | None, text: str
) -> None:
    assert words.percent(fraction) == text
