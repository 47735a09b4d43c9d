"""`waltax sweep sizes`: its profile at other numbers of keys, its plan, and a small sweep.

Cells of db_bench are measured in tests/runners, and the report of a recorded sweep is a golden one.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from sweeping import Said, said
from waltax import profiles, row
from waltax.studies import frame, profile_scale

pytestmark = pytest.mark.drawn

GIB = 1 << 30


def _sweep(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(frame.command("sweep sizes"), *words, *places)


@pytest.fixture
def ten_gib_free(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(20 * GIB, 10 * GIB, 10 * GIB))


def test_the_shipped_profile_is_the_study() -> None:
    study = profiles.load("sweep-sizes")
    section = study.sections["dbbench"]
    assert section.load["num"] == section.run["operations"] == 10_000_000
    assert profile_scale.at_keys(study, 10_000_000, 416).embedded == study.embedded


def test_with_fewer_keys_memtables_shrink_so_that_runs_have_as_many_flushes(tmp_path: Path) -> None:
    study = profiles.load("sweep-sizes")
    path = profile_scale.write(profile_scale.at_keys(study, 100_000, 416), tmp_path)
    small = profiles.load(str(path))
    assert small.name == "sweep-sizes-n100000"
    section = small.sections["dbbench"]
    assert section.load["num"] == section.run["operations"] == 100_000
    memtable = small.embedded.column_family["write_buffer_size"]
    assert memtable == round((64 << 20) / 100)
    assert small.embedded.block_cache_mb == 1
    tiny = profile_scale.at_keys(study, 1_000, 416).embedded.column_family["write_buffer_size"]
    assert tiny == 64 << 10  # RocksDB takes no smaller one


def test_profiles_of_two_sweeps_at_as_many_keys_do_not_replace_each_other(tmp_path: Path) -> None:
    study = profiles.load("sweep-sizes")
    first, second, again = (
        profile_scale.write(profile_scale.at_keys(study, 100_000, pair_bytes), tmp_path)
        for pair_bytes in (416, 116, 416)
    )
    assert first == again != second
    one, other = (profiles.load(str(path)) for path in (first, second))
    assert one.name == other.name
    assert one.digest != other.digest


def test_the_plan_is_the_study_s_grid_with_and_without_a_log_and_writes_nothing(
    tmp_path: Path,
) -> None:
    done = _sweep(tmp_path, "--plan")
    assert done.code == 0, done.text
    for size in ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400"):
        for bench in ("fillseq", "fillrandom", "readseq", "readrandom"):
            for place in ("off-off", "nvme-flush"):
                cell = f"rocksdb-dbbench-{bench}-sweep-sizes-n200000-{place}-t1-{size} "
                assert cell in done.text
    assert "40 cells take turns: at least 320 whole runs of db_bench, 8 of each" in done.text
    assert list(tmp_path.iterdir()) == []


def test_the_plan_counts_whole_runs_and_what_they_write(tmp_path: Path) -> None:
    """3 sessions of 2 cells, each of which puts 100,000 pairs of 116 B and compacts them."""
    asked = ("--plan", "--keys=100000", "--sizes=k16-v100", "--bench=fillrandom")
    done = _sweep(tmp_path, *asked, f"--profile={_hasty(tmp_path)}")
    put_mib = 100_000 * 116 / 2**20
    assert "at least 6 whole runs; time not known, at least 3 sessions" in done.text
    assert f"written about {6 * 2 * put_mib:,.0f} MiB" in done.text
    assert f"disk    at most {1.5 * put_mib:,.0f} MiB" in done.text
    assert "min of slices" not in done.text


def test_runs_of_the_budget_count_where_they_are_more(tmp_path: Path) -> None:
    """600 s of 10 s each."""
    done = _sweep(tmp_path, "--plan", "--keys=100000", "--sizes=k16-v100", "--bench=fillrandom")
    put_mib = 100_000 * 116 / 2**20
    assert "at least 16 whole runs; time not known" in done.text
    assert f"written about {60 * 2 * put_mib:,.0f} MiB" in done.text


@pytest.mark.usefixtures("ten_gib_free")
@pytest.mark.parametrize("plan", [(), ("--plan",)])
def test_more_keys_than_the_disk_holds_are_refused_with_the_figures(
    tmp_path: Path, plan: tuple[str, ...]
) -> None:
    done = _sweep(tmp_path, "--keys=10000000000", *plan)
    assert done.code == 2
    assert "10,240 MiB free, but the campaign may need 1" in done.text
    assert "--keys: found 10,000,000,000; type --keys " in done.text
    assert not (tmp_path / "data").exists()
    fewer = int(done.text.split("type --keys ")[1].split()[0])
    assert _sweep(tmp_path, f"--keys={fewer}", "--plan").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sizes=k16-v100,big"], "--sizes: size: found 'big'; type key and value bytes"),
        (["--sizes=k2-v100"], "--sizes: size: found k2-v100; keys of 8"),
        (["--bench=fillseq,overwrite"], "--bench: found 'overwrite'; one or more of fillseq,"),
        (["--device=nvme", "--device=ssd"], "--device: found nvme, ssd; this sweep takes one"),
        (["--device=floppy"], 'unknown device "floppy"'),
        (["--device=off"], "--device: found off, which writes no log; it is measured in any case"),
        (["--profile=paper"], "--profile: paper has no [dbbench]"),
        (["--keys=10"], "--keys"),
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


def _hasty(folder: Path) -> Path:
    """The shipped profile that rests after its three sessions."""
    shipped = (profiles.model.FOLDER / "sweep-sizes.toml").read_text()
    path, text = folder / "hasty.toml", shipped.replace('"sweep-sizes"', '"hasty"')
    for old, new in (
        ("time_budget_s = 600.0", "time_budget_s = 1.0"),
        ("sessions = 8", "sessions = 3"),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return path


@pytest.mark.nightly
def test_a_small_sweep_measures_every_point_and_ends_with_its_report(tmp_path: Path) -> None:
    asked = ("--keys=2000", "--sizes=k16-v400,k16-v100", "--bench=fillrandom,readrandom")
    done = _sweep(tmp_path, *asked, f"--profile={_hasty(tmp_path)}", "--seed=7")
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
