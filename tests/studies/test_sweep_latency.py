"""`waltax sweep latency`: its plan, and what it makes of a recorded sweep, and of one cut off."""

from __future__ import annotations

import json
import math
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax import devices
from waltax.device_names import point_name
from waltax.studies import frame, sweeps

pytestmark = pytest.mark.drawn


def _waltax(*words: object) -> Said:
    return sweeping.said(frame.command("sweep latency"), *words)


def _campaign(folder: Path) -> Path:
    (found,) = folder.glob("results/2*")
    return found


def test_the_plan_has_off_the_grid_and_the_study_and_writes_nothing(tmp_path: Path) -> None:
    folders = (f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data")
    done = _waltax("--plan", *folders, "--threads=3", "--device=pmem-dax", "--device=ssd")
    assert done.code == 0, done.text
    cells = [line.split()[0] for line in done.text.splitlines() if line.startswith("  rocksdb-")]
    names = ["off-off", *(f"{point_name(us)}-sync" for us in sweeps.LATENCIES_US)]
    names += [f"{name}-sync" for name in ("ssd", "nvme", "nvram", "pmem-dax")]
    assert cells == [f"rocksdb-linkbench-sweep-{name}-t3" for name in names]
    assert "grid: syncs of 0, 5, 11, " in done.text
    assert "memory  at most" in done.text
    assert list(tmp_path.iterdir()) == []


def test_myrocks_has_the_clients_of_the_paper() -> None:
    done = _waltax("--plan", "--engine=myrocks")
    assert "myrocks-linkbench-sweep-sync-50us-sync-t10" in done.text


def test_an_engine_without_off_is_not_offered() -> None:
    done = _waltax("--plan", "--engine=innodb")
    assert done.code == 2
    assert "'innodb' is not one of 'rocksdb', 'myrocks'" in done.text
    assert "Use waltax run for innodb" in " ".join(_waltax("--help").text.split())


def test_the_grid_is_log_spaced_from_nothing_to_5000_us_and_takes_more_points() -> None:
    zero, *rest = sweeps.LATENCIES_US
    assert (zero, rest[-1]) == (0, 5000)
    assert 9 <= len(sweeps.LATENCIES_US) <= 12
    steps = [math.log(b / a) for a, b in pairwise(rest)]
    assert max(steps) / min(steps) < 1.1
    done = _waltax("--plan", "--device=sync-7us", "--device=sync-50us")
    assert "grid: syncs of 0, 5, 7, 11, 23, 50, 108, " in done.text
    assert done.text.count("sync-50us-sync") == 1


def test_two_devices_of_one_name_are_refused(tmp_path: Path) -> None:
    text = sweeping.device(7, "mine")
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(text)
    done = _waltax("--plan", *(f"--device={tmp_path}/{name}.toml" for name in ("a", "b")))
    assert done.code == 2
    assert "found the name mine twice" in done.text


@pytest.mark.parametrize("overhead", ["0", "100", "nan", "inf", "-inf", "-5", "fast"])
def test_an_overhead_that_is_none_is_refused_before_anything_is_measured(overhead: str) -> None:
    done = _waltax("--plan", f"--overhead={overhead}")
    assert done.code == 2
    assert "--overhead" in done.text


def test_a_sweep_ends_with_a_curve_a_figure_and_an_answer(swept: tuple[Path, str]) -> None:
    folder, said = swept
    campaign = _campaign(folder)
    content = json.loads((campaign / "curve.json").read_text())
    (curve,) = content["curves"]
    names = {point["device"] for point in curve["points"]}
    assert names == {point_name(us) for us in sweeping.GRID}
    assert curve["range_sync_us"][1] > 0.9 * max(sweeping.GRID)
    assert "or at most 5 % overhead" in said  # an answer, or that there is none
    assert (campaign / "curve.png").stat().st_size > 0
    assert (campaign / "curve.svg").stat().st_size > 0


def test_the_catalog_is_on_the_curve_and_what_was_measured_is_held_against_it(
    swept: tuple[Path, str],
) -> None:
    content = json.loads((_campaign(swept[0]) / "curve.json").read_text())
    found = {one["device"]: one for one in content["curves"][0]["predictions"]}
    assert set(found) == {name for name in devices.names() if name != "off"}
    assert [name for name, one in found.items() if one["measured"]] == list(sweeping.STUDY)


def test_a_curve_is_drawn_again_for_another_overhead(
    swept: tuple[Path, str], tmp_path: Path
) -> None:
    campaign = tmp_path / _campaign(swept[0]).name
    campaign.mkdir()
    for name in ("rows.jsonl", "campaign.json"):
        shutil.copy(_campaign(swept[0]) / name, campaign)
    done = _waltax(f"--campaign={campaign}", "--overhead=20")
    assert done.code == 0, done.text
    assert "or at most 20 % overhead" in done.flowing
    for flag in ("--seed=3", "--device=nvme"):
        done = _waltax(f"--campaign={campaign}", flag)
        assert done.code == 2
        assert f"--campaign: found {flag.partition('=')[0]}" in done.text


def test_a_directory_beside_the_grid_is_marked_where_its_rows_have_it(
    swept: tuple[Path, str], tmp_path: Path
) -> None:
    """What was measured as nvme, as if it were a directory's: it has no times but its rows'."""
    lines = (_campaign(swept[0]) / "rows.jsonl").read_text()
    (tmp_path / "rows.jsonl").write_text(lines.replace('"device":"nvme"', '"device":"mydisk"'))
    done = _waltax(f"--campaign={tmp_path}")
    assert done.code == 0, done.text
    (curve,) = json.loads((tmp_path / "curve.json").read_text())["curves"]
    found = {one["device"]: one for one in curve["predictions"]}
    mine = [json.loads(line) for line in lines.splitlines() if '"device":"nvme"' in line]
    waited_us = sum(one["tap_sync_ns"] for one in mine) / sum(one["tap_syncs"] for one in mine)
    assert found["mydisk"]["waited_us"] == pytest.approx(waited_us / 1000)
    assert found["mydisk"]["measured"] is not None
    assert found["nvme"]["measured"] is None


@pytest.mark.nightly
def test_a_real_sweep_that_was_cut_goes_on_and_draws_its_curve(tmp_path: Path) -> None:
    done = sweeping.sweep(tmp_path, "--profile", sweeping.profile(tmp_path), "--seed", 7)
    assert done.code == 0, done.text
    cut = _campaign(tmp_path)
    lines = (cut / "rows.jsonl").read_text().splitlines(keepends=True)
    first = json.loads(lines[0])["session"]
    kept = [line for line in lines if json.loads(line)["session"] == first]
    (cut / "rows.jsonl").write_text("".join(kept) + '{"sche')
    (cut / "curve.json").unlink()
    done = sweeping.sweep(tmp_path, "--resume", cut)
    assert done.code == 0, done.text
    assert f"after {len(kept)} rows" in done.text
    assert (cut / "curve.json").exists()
    assert len((cut / "rows.jsonl").read_text().splitlines()) >= len(kept)


def test_a_resumed_sweep_takes_no_flag_that_would_change_it(swept: tuple[Path, str]) -> None:
    done = _waltax("--resume", _campaign(swept[0]), "--threads=8")
    assert done.code == 2
    assert "--resume: found --threads" in done.text
