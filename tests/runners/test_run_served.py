"""Campaigns of engines on servers: real servers, the real drivers, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax.devices.resolve import SHM
from waltax.evidence import judgement

TinyOf = Callable[..., Path]


@pytest.fixture(autouse=True)
def _no_server_is_left(reachable: Path) -> Iterator[None]:
    yield
    left = [one for one in psutil.process_iter(["cmdline"]) if _is_below(one, reachable)]
    assert not left


def _is_below(process: psutil.Process, folder: Path) -> bool:
    words = process.info["cmdline"] or [""]
    return "mariadbd" in words[0] and str(folder) in " ".join(words)


def _run(waltax: Any, engine: str, profile: Path, *words: object) -> Any:
    return waltax.run("--engine", engine, "--profile", profile, *words)


def test_myrocks_on_two_devices_gives_rows_whose_evidence_was_accepted(
    served: Any, tiny_of: TinyOf
) -> None:
    devices = ("--device", "off", "--device", "nvme", "--device", "nvram")
    done = _run(served, "myrocks", tiny_of("myrocks"), *devices)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {(row["device"], row["durability"]) for row in served.rows()} == {
        ("off", "off"),
        ("nvme", "sync"),
        ("nvram", "sync"),
    }
    for row in served.rows():
        assert row["status"] == "ok"
        assert row["engine"] == "myrocks"
        assert set(row["versions"]) == {"waltax", "mariadb", "rocksdb"}
        assert row["versions"]["rocksdb"].count(".") == 2
        assert row["cpu_server_user_s"] + row["cpu_server_system_s"] > 0
        assert judgement.untrue(row) == []
    names = {path.name for path in served.folder().iterdir()}
    cell = "myrocks-linkbench-tiny-nvme-sync-t2"
    assert {f"{cell}.cnf", f"{cell}.err", "summary.json"} <= names
    assert "rocksdb_flush_log_at_trx_commit = 1" in (served.folder() / f"{cell}.cnf").read_text()
    assert "-myrocks-linkbench-tiny" in served.folder().name


def test_innodb_compares_the_modes_of_each_device_with_its_own_baseline(
    served: Any, tiny_of: TinyOf
) -> None:
    done = _run(served, "innodb", tiny_of("innodb"), "--device", "nvme", "--device", "nvram")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = served.rows()
    assert {(row["device"], row["durability"]) for row in rows} == {
        (device, mode) for device in ("nvme", "nvram") for mode in ("sync", "flush", "delayed")
    }
    for row in rows:
        assert judgement.untrue(row) == []
        assert row["wal_syncs"] is None
        assert row["wal_bytes"] == row["innodb_os_log_written"] > 0
        assert set(row["versions"]) == {"waltax", "mariadb"}


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_tpcc_runs_on_a_server_and_its_check_passes(
    served: Any, tiny_of: TinyOf, engine: str
) -> None:
    tpcc = served.of("tpcc")
    done = _run(tpcc, engine, tiny_of(engine), "--device", "nvram", "--wal", "sync")
    assert done.returncode == 0, done.stdout + done.stderr
    checks = (tpcc.folder() / "checks.jsonl").read_text().splitlines()
    assert {json.loads(line)["cell"] for line in checks} == {row["cell"] for row in tpcc.rows()}


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["flush", "delayed"])
def test_myrocks_in_a_mode_that_waits_for_no_device_is_seen_not_to(
    served: Any, tiny_of: TinyOf, mode: str
) -> None:
    done = _run(served, "myrocks", tiny_of("myrocks"), "--device", "nvme", "--wal", mode)
    assert done.returncode == 0, done.stdout + done.stderr
    for row in served.rows():
        assert row["tap_syncs"] <= row["measure_s"] + row["warmup_s"] + 4 + 6 * row["tap_opens"]
        if row["durability"] == "delayed":
            assert row["tap_writes"] < row["rocksdb_write_self"]


def test_a_server_killed_in_a_slice_fails_its_cell_by_name_and_the_others_go_on(
    served: Any, tiny_of: TinyOf
) -> None:
    profile = tiny_of("myrocks", time_budget_s="4.0", rounds_per_session="6")
    devices = ("--device", "off", "--device", "nvme", "--device", "nvram")
    campaign = served.start("--engine", "myrocks", "--profile", profile, *devices)
    served.wait_for_rows(campaign, 3)
    served.fail(campaign, "nvram", "mariadbd")
    out, err = campaign.communicate(timeout=300)
    assert campaign.returncode == 1, err
    assert "FAILED myrocks-linkbench-tiny-nvram-sync-t2: the server died (killed by SIGKILL" in out
    rows = served.rows()
    assert [row["slice"] for row in rows] == list(range(len(rows)))
    (failed,) = (row["slice"] for row in rows if row["status"] == "failed")
    assert {row["device"] for row in rows if row["slice"] > failed} == {"off", "nvme"}


def test_a_server_s_wal_device_that_fills_up_fails_its_cell_and_keeps_the_others(
    served: Any, tiny_of: TinyOf, small_disk: Callable[..., Path], reachable: Path
) -> None:
    disk = small_disk(1, reachable, left_kib=128)  # a slow server may not log a MiB in a session
    words = ("--device", "nvme", "--wal-dir", disk, "--allow-mismatch")
    profile = tiny_of("myrocks", measure_s="1.0", time_budget_s="30.0", rounds_per_session="20")
    done = _run(served, "myrocks", profile, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED myrocks-linkbench-tiny-nvme-sync-t2" in done.stdout
    assert "space" in done.stdout.lower()
    assert all(row["status"] == "ok" for row in served.rows() if row["device"] == "off")


@pytest.mark.nightly
def test_two_campaigns_at_once_do_not_meet(
    served: Any, tiny_of: TinyOf, waltax_on: Callable[[Path], Any], reachable: Path
) -> None:
    words = ("--engine", "myrocks", "--profile", tiny_of("myrocks"), "--device", "nvram")
    other = waltax_on(reachable / "other")
    other.results = served.results.with_name("others")
    campaign = other.start(*words)
    other.wait_for_rows(campaign, 1)
    done = served.run(*words)
    out, err = campaign.communicate(timeout=300)
    assert (campaign.returncode, done.returncode) == (0, 0), out + err + done.stdout + done.stderr
    assert all(row["status"] == "ok" for row in [*other.rows(), *served.rows()])


def test_data_at_a_path_that_no_server_can_be_told_is_refused_before_anything_is_made(
    waltax: Any, tiny_of: TinyOf, reachable: Path
) -> None:
    place = reachable / "a;b"
    words = ("--engine", "innodb", "--profile", tiny_of("innodb"), "--device", "nvram")
    done = waltax.run(*words, f"--data-dir={place}")
    assert done.returncode == 2, done.stdout
    assert "has a semicolon" in done.stderr
    assert "--data-dir" in done.stderr
    assert not place.exists()


def test_a_killed_campaign_leaves_no_server_and_resumes_without_losing_a_row(
    served: Any, tiny_of: TinyOf
) -> None:
    words = ("--engine", "myrocks", "--device", "off", "--device", "nvram")
    campaign = served.start("--profile", tiny_of("myrocks", measure_s="0.6"), *words)
    served.wait_for_rows(campaign, 1)
    servers = [one for one in psutil.Process(campaign.pid).children() if "mariadbd" in one.name()]
    assert servers
    campaign.kill()
    campaign.communicate()
    psutil.wait_procs(servers, timeout=30)
    before = served.rows()
    done = served.run("--resume", served.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert served.rows()[: len(before)] == before
    assert not list(SHM.glob(f"waltax-{served.folder().name}"))


def test_a_variable_that_the_server_does_not_have_is_named(served: Any, tiny_of: TinyOf) -> None:
    profile = tiny_of("myrocks")
    profile.write_text(profile.read_text().replace("[server]", "[server]\nrocksdb_warp = 9"))
    done = _run(served, "myrocks", profile, "--device", "nvram")
    assert done.returncode == 2, done.stdout + done.stderr
    assert "rocksdb_warp" in done.stderr


@pytest.mark.parametrize(
    ("engine", "words", "message"),
    [
        ("innodb", ("--wal", "off"), "innodb always writes its log"),
        ("innodb", ("--device", "off"), "--device: found off with --engine innodb"),
        ("rocksdb", ("--wal", "delayed"), "flush comes nearest"),
    ],
)
def test_what_an_engine_cannot_do_is_answered_with_what_to_type(
    served: Any, engine: str, words: tuple[str, ...], message: str
) -> None:
    done = served.run("--engine", engine, *words)
    assert done.returncode == 2
    assert message in done.stderr
