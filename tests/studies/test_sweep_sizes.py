"""`waltax sweep sizes`: its profiles, its plan, and a small sweep.

The report of a recorded sweep is a golden one.
"""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest
from sweeping import Said, said
from waltax import profiles, row, workloads
from waltax.studies import frame
from waltax.studies.sweeps import sized

pytestmark = pytest.mark.drawn
BENCHES = ("kv-fillseq", "kv-fillrandom", "kv-read-seq", "kv-read-random")


def _sweep(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(frame.command("sweep sizes"), *words, *places)


def test_both_shipped_profiles_are_the_study_at_their_number_of_keys() -> None:
    full, small = (profiles.load(name) for name in ("sweep-sizes-full", "sweep-sizes"))
    rows = tomllib.loads(workloads.of("kv-read-random").text)["tables"]["loaded"]["rows"]
    scales = [float(profile.sections["mix"].load["scale"]) for profile in (full, small)]
    assert [rows * scale for scale in scales] == [10_000_000, 200_000]
    for name in ("write_buffer_size", "target_file_size_base", "max_bytes_for_level_base"):
        of_full, of_small = (int(one.embedded.column_family[name]) for one in (full, small))
        assert of_small == round(of_full / 50), name


@pytest.mark.parametrize("bench", BENCHES)
def test_a_sized_file_differs_in_its_sizes_and_its_title_alone(bench: str) -> None:
    ours = tomllib.loads(workloads.of(bench).text)
    theirs = tomllib.loads(sized(bench, "k32-v400"))
    assert theirs.pop("title") == f"{ours.pop('title')} k32-v400"
    (table,) = theirs["tables"].values()
    assert (table["key"].pop("bytes"), table["columns"]["value"].pop("size")) == (32, 400)
    (table,) = ours["tables"].values()
    assert (table["key"].pop("bytes"), table["columns"]["value"].pop("size")) == (16, 100)
    assert ours == theirs


def test_the_plan_is_the_study_s_grid_with_and_without_a_log_and_writes_nothing(
    tmp_path: Path,
) -> None:
    done = _sweep(tmp_path, "--plan")
    assert done.code == 0, done.text
    for size in ("k16-v100", "k32-v100", "k64-v100", "k16-v200", "k16-v400"):
        for bench in BENCHES:
            for place in ("off-off", "nvme-flush"):
                assert f"rocksdb-{bench}-{size}-sweep-sizes-{place}-t1 " in done.text
    assert done.text.count("10 cells take turns: at most 1.6 min of slices") == 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sizes=k16-v100,big"], "--sizes: found 'big'; type bytes of key and value as in"),
        (["--sizes=k2-v100"], "--sizes: found 'k2-v100'; type bytes of key and value"),
        (["--sizes=facebook-udb"], "--sizes: found 'facebook-udb'; type bytes of key and value"),
        (["--bench=fillseq,overwrite"], "--bench: found 'overwrite'; one or more of fillseq,"),
        (["--device=nvme", "--device=ssd"], "--device: found nvme, ssd; this command takes one"),
        (["--device=floppy"], 'unknown device "floppy"'),
        (["--device=off"], "--device: found off, which writes no log; it is measured in any case"),
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
    """The shipped profile with short slices, of a hundredth of its keys."""
    shipped = (profiles.model.FOLDER / "sweep-sizes.toml").read_text()
    path, text = folder / "hasty.toml", shipped.replace('"sweep-sizes"', '"hasty"')
    for old, new in (
        ("time_budget_s = 19.0", "time_budget_s = 0.1"),
        ("measure_s = 0.6", "measure_s = 0.2"),
        ("rounds_per_session = 4", "rounds_per_session = 1"),
        ("scale = 0.4", "scale = 0.004"),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return path


@pytest.mark.nightly
def test_a_small_sweep_measures_every_point_and_ends_with_its_report(tmp_path: Path) -> None:
    asked = ("--sizes=k16-v400,k16-v100", "--bench=fillrandom,readseq")
    done = _sweep(tmp_path, *asked, f"--profile={_hasty(tmp_path)}", "--seed=7")
    assert done.code == 0, done.text
    campaigns = sorted(tmp_path.glob("results/2*"))
    assert len(campaigns) == 2
    for campaign, bench in zip(campaigns, ("kv-fillrandom", "kv-read-seq"), strict=True):
        rows = row.read(campaign / "rows.jsonl")
        assert {one["durability"] for one in rows} == {"flush", "off"}
        with (campaign / "sizes.csv").open() as file:
            lines = {(one["workload"], one["durability"]): one for one in csv.DictReader(file)}
        assert len(lines) == 4
        larger = lines[f"{bench}-k16-v400", "flush"]
        if bench == "kv-fillrandom":
            assert float(larger["wal_bytes_per_operation"]) > 400
            assert float(larger["published"]) == pytest.approx(3.09)
            off = lines[f"{bench}-k16-v400", "off"]
            assert float(off["wal_bytes_per_operation"]) == 0
        else:
            assert larger["write_amplification"] == ""
        assert json.loads((campaign / "sizes.json").read_text())["sweeps"][0]["sentences"]
        assert (campaign / "sizes.png").exists()
        again = _sweep(tmp_path, f"--campaign={campaign}")
        assert again.code == 0
        assert again.text.partition("\nIn ")[0] in done.text
    assert "from 116 to 416 B" in done.flowing
