"""A whole campaign, from the command line to its files, on a real RocksDB."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from fake_cells import FakeCells
from waltax.cell import BASELINE
from waltax.evidence import judgement
from waltax.runners import doctor

Tiny = Callable[..., Path]
DEVICES = {"off", "nvram", "nvme", "ssd"}


def test_a_campaign_measures_all_devices_and_accepts_only_what_its_evidence_proves(
    measured: Any,
) -> None:
    done = measured.done
    assert done.returncode == 0, done.stderr
    assert "seed 7" in done.stdout
    assert "emulated" in done.stdout
    rows = judgement.read(measured.waltax.folder() / "rows.jsonl")
    assert {row["device"] for row in rows} == DEVICES
    assert {row["status"] for row in rows} == {"ok"}
    for row in rows:
        assert bool(row["wal_bytes"]) == (row["device"] != BASELINE)
        if row["device"] != BASELINE:
            assert row["emulated"]
            assert row["wal_dir"].startswith("/dev/shm/")


def test_every_round_visits_every_cell_once_and_orders_differ(
    waltax: Any, tiny: Tiny, at_once: FakeCells
) -> None:
    named = ("--device", "nvme nvram ssd", "--seed", 7)
    done = waltax.run("--profile", tiny(min_sessions=2, time_budget_s=9.0), *named)
    assert done.returncode == 0, done.stderr
    orders: dict[tuple[int, int], list[str]] = {}
    for row in waltax.rows():
        orders.setdefault((row["session"], row["round"]), []).append(row["cell"])
    assert len(orders) > 3
    assert all(sorted(order) == sorted(set(at_once.brought_up)) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1


def test_all_cells_have_done_as_many_requests_when_a_round_is_measured(measured: Any) -> None:
    rows = measured.waltax.rows()
    ages: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        ages.setdefault((row["session"], row["round"]), []).append(row["age_requests"])
    assert len(ages) > 1
    for of_round in ages.values():
        assert min(of_round) > 0
        # Each of the clients does whole requests.
        assert max(of_round) - min(of_round) <= 2 * max(row["threads"] for row in rows)
    assert all(row["tap_syncs_at_once"] == 0 for row in rows)  # none of it was measured


def test_the_files_of_a_campaign_say_the_same_as_its_table(measured: Any) -> None:
    folder = measured.waltax.folder()
    summary = json.loads((folder / "summary.json").read_text())
    cells = {cell["device"]: cell for cell in summary["cells"]}
    assert set(cells) == DEVICES
    for name, cell in cells.items():
        assert cell["throughput"] > 0
        assert cell["throughput_unit"] == "requests/s"
        assert cell["emulated"] is (name != BASELINE)
        if name != BASELINE:
            assert cell["overhead_low"] <= cell["overhead"] <= cell["overhead_high"]
            # One session has an interval, and a doubt of what that is worth.
            assert "few sessions" in {doubt["kind"] for doubt in cell["doubts"]}
    for name in ("summary.csv", "overhead.png", "overhead.svg"):
        assert (folder / name).stat().st_size > 0


def test_a_campaign_keeps_what_the_machine_was_like_and_says_it_in_a_line(measured: Any) -> None:
    kept = json.loads((measured.waltax.folder() / "campaign.json").read_text())["doctor"]
    of_machine = list(doctor.CHECKS)
    assert [one["check"] for one in kept] == of_machine
    assert all(one["text"] for one in kept)
    assert f" of {len(of_machine)} checks warn" in measured.done.stdout


def test_what_is_no_terminal_gets_plain_lines_and_whole_paths(measured: Any) -> None:
    said = measured.done.stdout
    assert "\x1b" not in said
    assert "\r" not in said
    last = said.rstrip("\n").split("\n")[-1]
    assert last == f"report: {os.path.relpath(measured.waltax.folder())}/report.html"


def test_nothing_is_left_behind(measured: Any, shared_data: Path) -> None:
    name = measured.waltax.folder().name
    assert not list(Path("/dev/shm").glob(f"*{name}*"))
    assert not (shared_data / "work" / name).exists()


def test_a_plan_runs_nothing_and_writes_nothing(waltax: Any, tiny: Tiny) -> None:
    done = waltax.run("--profile", tiny(), "--plan")
    assert done.returncode == 0, done.stderr
    for word in ("min of slices", "disk", "written", "memory", "tiny-nvme-sync"):
        assert word in done.stdout
    assert not waltax.results.exists()


@pytest.mark.parametrize("mode", ["flush", "off"])
def test_one_device_is_measured_beside_off_in_the_mode_that_was_asked_for(
    waltax: Any, tiny: Tiny, mode: str
) -> None:
    done = waltax.run("--profile", tiny(), "--device", "nvme", "--wal", mode)
    assert done.returncode == 0, done.stderr
    rows = judgement.read(waltax.folder() / "rows.jsonl")
    assert {(r["device"], r["durability"]) for r in rows} == {("off", "off"), ("nvme", mode)}


def test_a_real_directory_of_another_class_is_refused_unless_allowed(
    waltax: Any, tiny: Tiny, small_disk: Callable[[int], Path]
) -> None:
    words = ("--profile", tiny(), "--device", "nvme", "--wal-dir", small_disk(256))
    refused = waltax.run(*words)
    assert refused.returncode == 2
    assert "nvme" in refused.stderr
    assert "tmpfs" in refused.stderr
    allowed = waltax.run(*words, "--allow-mismatch")
    assert allowed.returncode == 0, allowed.stderr
    real = [row for row in waltax.rows() if row["device"] == "nvme"]
    assert all(not row["emulated"] and "tmpfs" in " ".join(row["warnings"]) for row in real)


@pytest.mark.parametrize("name", ["../../etc", "floppy", ""])
def test_a_wrong_device_is_answered_with_the_names(waltax: Any, tiny: Tiny, name: str) -> None:
    done = waltax.run("--profile", tiny(), "--device", name)
    assert done.returncode == 2
    assert "nvram" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_missing_wal_directory_is_named(waltax: Any, tiny: Tiny, tmp_path: Path) -> None:
    done = waltax.run("--profile", tiny(), "--device", "nvme", "--wal-dir", tmp_path / "no")
    assert done.returncode == 2
    assert str(tmp_path / "no") in done.stderr


def _precious(parent: Path, name: str) -> list[Path]:
    """An empty folder, one with a file, and a link to it: all somebody's."""
    (parent / f"{name}-empty").mkdir(parents=True)
    (parent / name).mkdir()
    (parent / name / "000001.log").write_text("precious")
    (parent / f"{name}-link").symlink_to(parent / name)
    return [parent / f"{name}-empty", parent / name / "000001.log", parent / f"{name}-link"]


def test_what_others_made_stays_wherever_waltax_works_and_is_named(
    waltax_on: Callable[[Path], Any], tiny: Tiny, small_disk: Callable[[int], Path], tmp_path: Path
) -> None:
    root, data = small_disk(64), tmp_path / "data"
    mine = f"waltax-thesis-{tmp_path.name}-{os.getpid()}"
    in_memory = Path("/dev/shm") / mine
    kept = _precious(data / "work", "thesis") + _precious(data / "sets", "partial-x")
    kept += _precious(root, mine) + _precious(root, "rocksdb-linkbench-tiny-nvme-sync-t2")
    in_memory.mkdir()
    try:
        words = ("--device", "nvme", "--wal-dir", root, "--allow-mismatch")
        waltax = waltax_on(data)
        done = waltax.run("--profile", tiny(), *words)
        assert done.returncode == 0, done.stderr
        for path in (*kept, in_memory):
            assert path.exists(), path
        assert f"{data / 'work' / 'thesis'}: left alone: it has no marker of waltax" in done.stdout
        assert {path.name for path in (data / "work").iterdir()} == {
            "thesis",
            "thesis-empty",
            "thesis-link",
        }
        (wal_dir,) = {row["wal_dir"] for row in waltax.rows() if row["device"] == "nvme"}
        assert wal_dir.startswith(f"{root}/waltax-{waltax.folder().name}-")
        assert not Path(wal_dir).parent.exists()
    finally:
        in_memory.rmdir()


def test_a_data_set_s_place_that_somebody_took_is_refused_and_kept(
    waltax_on: Callable[[Path], Any], tiny: Tiny, tmp_path: Path
) -> None:
    waltax, profile = waltax_on(tmp_path / "data"), tiny()
    assert waltax.run("--profile", profile, "--device", "nvme").returncode == 0
    (loaded,) = (tmp_path / "data" / "sets").iterdir()
    shutil.copytree(loaded, tmp_path / "copy")  # without the record: as if it was cut short
    shutil.rmtree(loaded)
    (tmp_path / "copy" / "dataset.json").unlink()
    (tmp_path / "copy").rename(loaded)
    done = waltax.run("--profile", profile, "--device", "nvme")
    assert done.returncode == 2
    assert f"{loaded}: stands in the way and is a copy" in done.stderr
    assert (loaded / "data" / "CURRENT").exists()


def test_a_wal_device_that_fills_up_fails_its_cell_and_keeps_the_others(
    waltax: Any, tiny: Tiny, small_disk: Callable[..., Path]
) -> None:
    # Some 400 commits fill it: a whole MiB took 5,000, more than a slow machine does in a session.
    disk = small_disk(1, left_kib=64)
    words = ("--device", "nvme", "--wal-dir", disk, "--allow-mismatch")
    done = waltax.run("--profile", tiny(measure_s="0.5"), *words)
    assert done.returncode == 1
    assert "FAILED rocksdb-linkbench-tiny-nvme-sync-t2" in done.stdout
    assert "space" in done.stdout.lower()
    assert all(row["status"] == "ok" for row in waltax.rows() if row["device"] == "off")


def test_a_driver_killed_in_a_slice_fails_its_cell_by_name_and_the_others_go_on(
    waltax: Any, tiny: Tiny
) -> None:
    profile = tiny(measure_s="0.3", time_budget_s="4.0")
    campaign = waltax.start("--profile", profile, "--device", "nvram nvme")
    waltax.wait_for_rows(campaign, 2)
    waltax.fail(campaign, "nvram", "linkbench")
    out, _ = campaign.communicate(timeout=300)
    assert campaign.returncode == 1
    assert "FAILED rocksdb-linkbench-tiny-nvram-sync-t2" in out
    assert "SIGKILL" in out
    (failed,) = (row["slice"] for row in waltax.rows() if row["status"] == "failed")
    assert {row["device"] for row in waltax.rows() if row["slice"] > failed} == {"off", "nvme"}


def test_ctrl_c_keeps_the_row_prints_the_table_and_exits_130(waltax: Any, tiny: Tiny) -> None:
    campaign = waltax.start("--profile", tiny(time_budget_s="60.0"))
    waltax.wait_for_rows(campaign, 4)
    children = psutil.Process(campaign.pid).children()
    campaign.send_signal(signal.SIGINT)
    out, err = campaign.communicate(timeout=60)
    assert campaign.returncode == 130, err
    assert "nvme" in out
    assert "--resume" in out
    assert not [c for c in children if c.is_running() and c.status() != psutil.STATUS_ZOMBIE]
    assert (waltax.folder() / "summary.json").exists()


def test_a_killed_campaign_resumes_without_losing_or_doubling_a_row(
    waltax: Any, tiny: Tiny
) -> None:
    campaign = waltax.start("--profile", tiny(min_sessions=3))
    waltax.wait_for_rows(campaign, 3)
    os.kill(campaign.pid, signal.SIGKILL)
    campaign.communicate()
    before = waltax.rows()
    with (waltax.folder() / "rows.jsonl").open("a") as file:
        file.write('{"schema": 1, "campaign": "cut he')
    done = waltax.run("--resume", waltax.folder())
    assert done.returncode == 0, done.stderr
    assert "half-written" in done.stdout
    rows = waltax.rows()
    assert rows[: len(before)] == before
    assert {row["session"] for row in rows} == {0, 1, 2}
    places = [(row["session"], row["round"], row["cell"]) for row in rows]
    assert len(places) == len(set(places))
    assert [row["slice"] for row in rows] == list(range(len(rows)))


def test_a_campaign_whose_profile_changed_is_not_resumed(
    waltax: Any, tiny: Tiny, measured: Any
) -> None:
    folder = waltax.results / "copy"
    shutil.copytree(measured.waltax.folder(), folder)
    recipe = (folder / "campaign.json").read_text()
    assert str(measured.profile) in recipe
    changed = recipe.replace(str(measured.profile), str(tiny(threads="3")))
    (folder / "campaign.json").write_text(changed)
    done = waltax.run("--resume", folder)
    assert done.returncode == 2
    assert "has changed since" in done.stderr


def test_a_data_disk_too_small_is_refused_before_anything_is_loaded(
    waltax_on: Callable[[Path], Any], tiny: Tiny, small_disk: Callable[[int], Path]
) -> None:
    waltax = waltax_on(small_disk(4))
    for words in ((), ("--plan",)):
        done = waltax.run("--profile", tiny(), *words)
        assert done.returncode == 2
        assert re.search(r"--data-dir: .*: \d MiB free, but the campaign may need \d+", done.stderr)
    assert not waltax.results.exists()


def test_a_data_disk_that_fills_up_fails_the_cells_it_stops_by_name(
    waltax_on: Callable[[Path], Any], tiny: Tiny, small_disk: Callable[[int], Path]
) -> None:
    disk = small_disk(64)
    waltax = waltax_on(disk)
    campaign = waltax.start("--profile", tiny(time_budget_s="20.0"))
    waltax.wait_for_rows(campaign, 2)
    # What the end of a session gives back, too: it may be all that the next ones need.
    with (disk / "filler").open("wb", buffering=0) as filler:
        while campaign.poll() is None:
            with contextlib.suppress(OSError):
                filler.write(bytes(1 << 20))
            time.sleep(0.01)
    out, err = campaign.communicate(timeout=300)
    assert campaign.returncode == 1, err
    failed = [row for row in waltax.rows() if row["status"] == "failed"]
    assert failed
    for row in failed:
        assert re.search(rf"FAILED {row['cell']}: only \d+ MiB of space left in {disk}", out)


def test_a_folder_that_somebody_put_in_the_place_of_a_campaign_s_gets_no_log(
    waltax_on: Callable[[Path], Any], tiny: Tiny, tmp_path: Path, at_row: Any
) -> None:
    wal, elsewhere = tmp_path / "wal", tmp_path / "elsewhere"
    wal.mkdir()
    elsewhere.mkdir()

    def swap() -> None:
        (folder,) = wal.glob("waltax-*")
        folder.rename(wal / "gone")
        folder.symlink_to(elsewhere)

    at_row(1, swap)
    words = ("--device", "nvme", "--wal-dir", wal, "--allow-mismatch")
    done = waltax_on(tmp_path / "data").run("--profile", tiny(min_sessions=2), *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED rocksdb-linkbench-tiny-nvme-sync-t2" in done.stdout
    assert list(elsewhere.iterdir()) == []
