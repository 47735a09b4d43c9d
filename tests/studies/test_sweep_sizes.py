"""`waltax sweep sizes`: its profiles, its plan, and a small sweep.

Cells of db_bench are measured in tests/runners, and the report of a recorded sweep is a golden one.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from sweeping import Said, said
from waltax import profiles, row
from waltax.studies import frame

pytestmark = pytest.mark.drawn


def _sweep(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(frame.command("sweep sizes"), *words, *places)


def test_both_shipped_profiles_are_the_study_at_their_number_of_keys() -> None:
    full, small = (profiles.load(name) for name in ("sweep-sizes-full", "sweep-sizes"))
    keys = {}
    for profile in (full, small):
        section = profile.sections["dbbench"]
        assert section.load["num"] == section.run["operations"]
        keys[profile.name] = int(section.load["num"])
    assert keys == {"sweep-sizes-full": 10_000_000, "sweep-sizes": 200_000}
    for name in ("write_buffer_size", "target_file_size_base", "max_bytes_for_level_base"):
        of_full, of_small = (int(one.embedded.column_family[name]) for one in (full, small))
        assert of_small == round(of_full / 50), name


def test_the_plan_is_the_study_s_grid_with_and_without_a_log_and_writes_nothing(
    tmp_path: Path,
) -> None:
    done = _sweep(tmp_path, "--plan")
    assert done.code == 0, done.text
    for size in ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400"):
        for bench in ("fillseq", "fillrandom", "readseq", "readrandom"):
            for place in ("off-off", "nvme-flush"):
                cell = f"rocksdb-dbbench-{bench}-sweep-sizes-{place}-t1-{size} "
                assert cell in done.text
    assert "40 cells take turns: at least 320 whole runs of db_bench, 8 of each" in done.text
    assert list(tmp_path.iterdir()) == []


def test_the_plan_counts_whole_runs_and_what_they_write(tmp_path: Path) -> None:
    """3 sessions of 2 cells, each of which puts 200,000 pairs of 116 B and compacts them."""
    asked = ("--plan", "--sizes=k16-v100", "--bench=fillrandom")
    done = _sweep(tmp_path, *asked, f"--profile={_hasty(tmp_path)}")
    put_mib = 200_000 * 116 / 2**20
    assert "at least 6 whole runs of db_bench, 3 of each cell" in done.text
    assert f"written about {6 * 2 * put_mib:,.0f} MiB" in done.text
    assert f"disk    at most {1.5 * put_mib:,.0f} MiB" in done.text
    assert "min of slices" not in done.text


def test_runs_of_the_budget_count_where_they_are_more(tmp_path: Path) -> None:
    """12 s of 0.2 s each."""
    done = _sweep(tmp_path, "--plan", "--sizes=k16-v100", "--bench=fillrandom")
    put_mib = 200_000 * 116 / 2**20
    assert "at least 16 whole runs of db_bench, 8 of each cell" in done.text
    assert f"written about {60 * 2 * put_mib:,.0f} MiB" in done.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sizes=k16-v100,big"], "--sizes: size: found 'big'; type key and value bytes"),
        (["--sizes=k2-v100"], "--sizes: size: found k2-v100; keys of 8"),
        (["--bench=fillseq,overwrite"], "--bench: found 'overwrite'; one or more of fillseq,"),
        (["--device=nvme", "--device=ssd"], "--device: found nvme, ssd; this sweep takes one"),
        (["--device=floppy"], 'unknown device "floppy"'),
        (["--device=off"], "--device: found off, which writes no log; it is measured in any case"),
        (
            ["--profile=paper"],
            "found dbbench-fillseq, which profile paper of rocksdb does not size",
        ),
        (
            ["--keys=10"],
            "--keys: found 10, which profiles say now: type --profile sweep-sizes-full",
        ),
    ],
)
def test_what_is_no_size_benchmark_or_device_is_refused(
    tmp_path: Path, words: list[str], message: str
) -> None:
    done = _sweep(tmp_path, "--plan", *words)
    assert done.code == 2
    assert message in done.text


def test_results_of_another_kind_are_refused(tmp_path: Path) -> None:
    done = _sweep(tmp_path, f"--campaign={tmp_path}")
    assert done.code == 2
    assert "no rows there" in done.text


def _hasty(folder: Path, keys: int = 200_000) -> Path:
    """The shipped profile that rests after its three sessions."""
    shipped = (profiles.model.FOLDER / "sweep-sizes.toml").read_text()
    path, text = folder / "hasty.toml", shipped.replace('"sweep-sizes"', '"hasty"')
    for old, new in (
        ("time_budget_s = 12.0", "time_budget_s = 0.1"),
        ("sessions = 8", "sessions = 3"),
        ("num = 200000", f"num = {keys}"),
        ("operations = 200000", f"operations = {keys}"),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return path


@pytest.mark.nightly
def test_a_small_sweep_measures_every_point_and_ends_with_its_report(tmp_path: Path) -> None:
    asked = ("--sizes=k16-v400,k16-v100", "--bench=fillrandom,readrandom")
    done = _sweep(tmp_path, *asked, f"--profile={_hasty(tmp_path, 2000)}", "--seed=7")
    assert done.code == 0, done.text
    (campaign,) = tmp_path.glob("results/2*")
    rows = row.read(campaign / "rows.jsonl")
    assert {one["operations"] for one in rows} == {2000}
    assert {one["durability"] for one in rows} == {"flush", "off"}
    with (campaign / "sizes.csv").open() as file:
        lines = {
            (one["bench"], one["size"], one["durability"]): one for one in csv.DictReader(file)
        }
    assert len(lines) == 8
    written = lines["fillrandom", "k16-v400", "flush"]
    assert float(written["wal_bytes_per_operation"]) > 400
    assert float(written["wal_bytes_per_operation_ratio"]) > 3
    assert float(written["study_mb_per_s_ratio"]) == pytest.approx(38 / 12.3)
    assert float(lines["fillrandom", "k16-v400", "off"]["wal_bytes_per_operation"]) == 0
    assert lines["readrandom", "k16-v100", "flush"]["compactions"] == ""
    assert "from 116 to 416 B" in done.flowing
    assert json.loads((campaign / "sizes.json").read_text())["sweeps"][0]["sentences"]
    assert (campaign / "sizes.png").exists()
    again = _sweep(tmp_path, f"--campaign={campaign}")
    assert again.code == 0
    assert again.text in done.text
