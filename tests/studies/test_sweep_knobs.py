"""`waltax sweep knobs`: its plan, where its log goes, and a small sweep.

Cells with knobs are measured in tests/runners, and the report of a recorded sweep is a golden one.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from small_profile import toml
from sweeping import Said, said
from waltax import profiles, row
from waltax.base.errors import UsageError
from waltax.engines.knobs import KNOBS
from waltax.runners import campaign, progress, record
from waltax.runners.campaign import Campaign
from waltax.runners.cells.live import Position
from waltax.studies import frame
from waltax.studies.request import Request
from waltax.studies.sweeps import EACH_KNOB


def _sweep(folder: Path, *words: object) -> Said:
    places = (f"--results={folder}/results", f"--data-dir={folder}/data", "--share-machine")
    return said(frame.command("sweep knobs"), *words, *places)


def _tiny(folder: Path) -> Path:
    """Slices of a tenth of a second."""
    shipped = profiles.load("sweep-knobs")
    quick = {"measure_s": 0.1, "warmup_s": 0.0, "settle_s": 0.1, "min_sessions": 1}
    timing = shipped.timing.model_copy(
        update={**quick, "rounds_per_session": 1, "time_budget_s": 0.1}
    )
    changes = {"name": "tiny-knobs", "timing": timing, "threads": 2}
    small = shipped.model_copy(update=changes)
    path = folder / "tiny.toml"
    path.write_text(toml(small.model_dump(exclude_none=True)))
    return path


def test_the_plan_has_every_knob_the_default_flush_and_off_and_writes_nothing(
    tmp_path: Path,
) -> None:
    done = _sweep(tmp_path, "--plan", "--device=nvme")
    assert done.code == 0, done.text
    stem = "rocksdb-kv-fillrandom-sweep-knobs"
    for name, knob in KNOBS.items():
        is_asked = knob.is_embedded and not (knob.log_mib or knob.bounds_loss or knob.dies)
        assert (f"{stem}-nvme-sync-t4-{name} " in done.text) is is_asked, name
    for cell in ("nvme-sync-t4", "nvme-flush-t4", "off-off-t4"):
        assert f"{stem}-{cell} " in done.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_server_has_settings_to_sweep_without_a_profile_being_named(
    engine: str, tmp_path: Path
) -> None:
    done = _sweep(tmp_path, "--plan", f"--engine={engine}", "--device=nvme")
    assert done.code == 0, done.text
    assert f"{engine}-kv-fillrandom-quick-nvme-sync-t4-log-16 " in done.text


def test_sync_binlog_is_swept_where_there_is_a_binlog(tmp_path: Path) -> None:
    words = ("--plan", "--engine=innodb", "--workload=linkbench", "--device=nvme")
    done = _sweep(tmp_path, *words, "--binlog=same")
    assert done.code == 0, done.text
    for every in (10, 100, 1000):
        assert f"innodb-linkbench-quick-nvme-sync-t4-sync-binlog-{every} " in done.text
    assert "sync-binlog" not in _sweep(tmp_path, *words).text
    alone = _sweep(tmp_path, *words, "--knobs=sync-binlog-10")
    assert "--knobs: found sync-binlog-10 without a binlog; add --binlog same" in alone.flowing


def test_the_log_is_beside_the_data_unless_a_device_is_named(tmp_path: Path) -> None:
    done = _sweep(tmp_path, "--plan", "--knobs=fsync")
    assert done.code == 0, done.text
    assert f"with-data-sync-t4-fsync beside the data in {tmp_path}/data" in done.flowing


def test_a_workload_of_transactions_is_measured_with_every_knob_that_they_allow(
    tmp_path: Path,
) -> None:
    done = _sweep(tmp_path, "--plan", "--device=nvme", "--workload=linkbench")
    assert done.code == 0, done.text
    for name, knob in KNOBS.items():
        planned = f"rocksdb-linkbench-quick-nvme-sync-t4-{name} " in done.text
        unasked = knob.dies or knob.log_mib or knob.bounds_loss
        assert planned is not bool(unasked), name


def test_limits_of_the_log_are_measured_when_they_are_named(tmp_path: Path) -> None:
    told = ("--plan", "--device=nvme", "--workload=tpcc", "--knobs=log-16,log-4")
    done = _sweep(tmp_path, *told)
    assert done.code == 0, done.text
    for knob in ("log-16", "log-4"):
        assert f"rocksdb-tpcc-quick-nvme-sync-t4-{knob} " in done.text


def test_a_server_has_limits_of_its_log_alone(tmp_path: Path) -> None:
    told = ("--plan", "--device=nvme", "--workload=tpcc", "--engine=innodb", "--profile=ci")
    done = _sweep(tmp_path, *told)
    assert done.code == 0, done.text
    for cell in ("delayed-t4", "flush-t4", "sync-t4", "sync-t4-log-4", "sync-t4-log-64"):
        assert f"innodb-tpcc-ci-nvme-{cell} " in done.text
    assert "delayed-t4-log" not in done.text
    refused = _sweep(tmp_path, *told, "--knobs=fsync")
    assert refused.code == 2
    assert "--knobs: found 'fsync'; one or more of log-4,log-16,log-64" in refused.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--knobs=unordered-write"], "--knobs: found 'unordered-write'; one or more of manual"),
        (["--knobs=fsync,turbo"], "--knobs: found 'turbo'; one or more of manual-flush,"),
        (["--knobs=sync-binlog-10"], "--knobs: found 'sync-binlog-10'; one or more of manual"),
        (["--device=nvme", "--device=ssd"], "--device: found nvme, ssd; this command takes one"),
        (["--device=off"], "--device: found off, which writes no log; it is measured in any case"),
        (["--wal-dir=/no/such/place"], "--wal-dir: it is the directory of one device; name that"),
    ],
)
def test_what_is_no_knob_device_or_directory_is_refused(
    tmp_path: Path, words: list[str], message: str
) -> None:
    done = _sweep(tmp_path, "--plan", *words)
    assert done.code == 2
    assert message in done.text


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Said]:
    """A folder with a small sweep, and what its command said."""
    folder = tmp_path_factory.mktemp("knobs")
    asked = ("--knobs=manual-flush,wal-compression,recycled-logs", "--device=nvram", "--seed=7")
    done = _sweep(folder, f"--profile={_tiny(folder)}", *asked)
    assert done.code == 0, done.text
    return folder, done


@pytest.mark.nightly
def test_a_small_sweep_measures_every_setting(swept: tuple[Path, Said]) -> None:
    (campaign,) = swept[0].glob("results/2*")
    with (campaign / "knobs.csv").open() as file:
        lines = {one["setting"]: one for one in csv.DictReader(file)}
    assert set(lines) == {
        *("off", "flush", "default", "manual-flush", "wal-compression", "recycled-logs")
    }
    assert float(lines["flush"]["syncs_per_request"]) == 0
    assert float(lines["default"]["syncs_per_request"]) > 0.1
    reached = {name: float(one["tap_bytes_per_request"]) for name, one in lines.items()}
    assert reached["wal-compression"] < 0.8 * reached["default"]
    assert reached["off"] == 0
    assert lines["manual-flush"]["does_to_durability"].startswith("with sync none")


@pytest.mark.nightly
def test_its_report_can_be_had_again(swept: tuple[Path, Said]) -> None:
    folder, done = swept
    (campaign,) = folder.glob("results/2*")
    assert "recycled-logs, no-fallocate and fsync act on what an emulated device" in done.flowing
    again = _sweep(folder, f"--campaign={campaign}")
    assert again.code == 0, again.text
    assert again.text in done.text


@pytest.mark.nightly
def test_it_is_resumed_with_its_flush_cell(swept: tuple[Path, Said]) -> None:
    folder, _ = swept
    (campaign,) = folder.glob("results/2*")
    rows = row.read(campaign / "rows.jsonl")
    assert "flush" in {one["durability"] for one in rows}
    done = _sweep(folder, f"--resume={campaign}")
    assert done.code == 0, done.text
    assert f"after {len(rows)} rows" in done.flowing


@pytest.fixture
def planned(tmp_path: Path) -> Campaign:
    """A sweep that was broken off before its first row."""
    request = Request(
        results=tmp_path / "results",
        data_dir=tmp_path / "data",
        workloads=("kv-fillrandom",),
        devices=("nvme",),
        seed=7,
        own={"knobs": "fsync"},
    )
    (found,) = EACH_KNOB.campaigns(request)
    found.save()
    return found


@pytest.mark.parametrize("measured", ["nothing", "off", "flush"])
def test_run_goes_on_with_it_and_a_sweep_of_another_kind_names_its_command(
    measured: str, planned: Campaign
) -> None:
    for cell in planned.cells:
        if cell.durability == measured:
            died = record.failed(planned, cell, Position(0, 0, 0), "it died")
            row.append(planned.rows_path, died)
    done = said(frame.command("sweep sizes"), "--resume", planned.folder, "--plan")
    assert done.code == 2
    instead = "is of another command; type: waltax sweep knobs --resume"
    assert f"--resume: {planned.id} {instead}" in done.text
    done = said(frame.command("run"), "--resume", planned.folder, "--plan")
    assert done.code == 0, done.text
    for cell in planned.cells:
        assert f"  {cell.id} " in done.text


def test_rows_of_a_cell_that_is_not_planned_are_not_mixed_with_others(planned: Campaign) -> None:
    (flush,) = (cell for cell in planned.cells if cell.durability == "flush")
    row.append(planned.rows_path, record.failed(planned, flush, Position(0, 0, 0), "died"))
    again = campaign.resume(planned.folder, planned.data_root)
    assert progress.so_far(again, lambda _: None, on_hosts=False).sessions == 1
    without = replace(again, cells=tuple(cell for cell in again.cells if cell.id != flush.id))
    with pytest.raises(UsageError, match=r"rows of .*-flush-t4, a cell that is not planned"):
        progress.so_far(without, lambda _: None, on_hosts=False)


@pytest.mark.parametrize(("kind", "command"), [("sweep sizes", "sweep sizes"), ("run", "run")])
def test_a_campaign_of_another_kind_is_refused_with_its_own_command(
    kind: str, command: str, tmp_path: Path
) -> None:
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), kind=kind)
    other = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    other.save()
    done = _sweep(tmp_path, "--resume", other.folder)
    assert done.code == 2
    assert f"is of another command; type: waltax {command} --resume" in done.text
