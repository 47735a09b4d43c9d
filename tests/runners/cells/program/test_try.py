"""Programs of a user's own: what they sync, what devices cost them, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from trying import Try
from waltax.base import proc
from waltax.devices import tap_page
from waltax.devices.tap_preload import tell
from waltax.row import Row

SYNCS = 30


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[Try, str]:
    """A program that was measured with data of its own, and what was printed."""
    attempt = Try(tmp_path_factory.mktemp("try"))
    own = attempt.home / "own"
    (own / "wal").mkdir(parents=True)
    (own / "wal" / "log").write_bytes(b"begun")
    done = attempt.measure(f"--data={own}", "--", attempt.python("writer", SYNCS))
    assert done.returncode == 0, done.stderr
    return attempt, done.stdout


def rows(attempt: Try) -> list[Row]:
    lines = (attempt.folder / "rows.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def syncs(watched: str) -> dict[str, str]:
    """The syncs of each file, as printed."""
    return {line.split()[0]: line.split()[1] for line in watched.splitlines() if line.split()[1:]}


def test_a_watched_run_says_what_it_syncs_and_what_to_type(attempt: Try) -> None:
    done = attempt.run("--", attempt.python("writer", SYNCS))
    assert done.returncode == 0, done.stderr
    assert (syncs(done.stdout)["wal/log"], syncs(done.stdout)["table"]) == (str(SYNCS), "1")
    assert "waltax try --log 'wal/' --data-dir=" in done.stdout
    assert "The tap does not see all" not in done.stdout


def test_each_run_syncs_its_log_and_the_baselines_take_no_time(tried: tuple[Try, str]) -> None:
    by_device: dict[str, list[Row]] = {}
    for row in rows(tried[0]):
        by_device.setdefault(row["device"], []).append(row)
    assert {name: len(mine) for name, mine in by_device.items()} == {"off": 2, "nvme": 2}
    for row in by_device["nvme"]:
        assert (row["tap_syncs"], row["tap_syncs_at_once"]) == (SYNCS, 0)
        assert row["tap_achieved_ns"] >= row["tap_wanted_ns"] > 0
    for row in by_device["off"]:
        assert (row["tap_syncs"], row["tap_syncs_at_once"]) == (SYNCS, SYNCS)
    assert {row["tap_write_bytes"] for row in rows(tried[0])} == {100 * SYNCS}


def test_the_report_says_how_much_longer_a_run_takes(tried: tuple[Try, str]) -> None:
    assert "On nvme (emulated) the command takes " in tried[1]
    said = json.loads((tried[0].folder / "try.json").read_text())["cells"]
    assert [(cell["device"], cell["syncs_per_run"], cell["bytes_per_sync"]) for cell in said] == [
        ("sync-free", SYNCS, 100),
        ("nvme (emulated)", SYNCS, 100),
    ]
    assert said[1]["longer_low"] <= said[1]["longer"] <= said[1]["longer_high"]


def test_the_users_own_data_stay_as_they_were(tried: tuple[Try, str]) -> None:
    own = tried[0].home / "own"
    assert sorted(path.relative_to(own) for path in own.rglob("*")) == [
        Path("wal"),
        Path("wal/log"),
    ]
    assert (own / "wal" / "log").read_bytes() == b"begun"


def test_nothing_is_left_where_it_ran(tried: tuple[Try, str]) -> None:
    attempt = tried[0]
    assert list((attempt.work / "work").iterdir()) == []
    assert list(Path("/dev/shm").glob(f"waltax-{attempt.folder.name}-*")) == []


def test_own_weaker_modes_are_measured_beside_it(attempt: Try) -> None:
    flush = f"--flush={attempt.python('writer', 0)} && {attempt.python('writer', 1)}"
    done = attempt.measure(flush, "--", attempt.python("writer", SYNCS))
    assert done.returncode == 0, done.stderr
    syncs = {(row["device"], row["durability"]): row["tap_syncs"] for row in rows(attempt)}
    assert syncs == {("off", "off"): SYNCS, ("nvme", "sync"): SYNCS, ("nvme", "flush"): 1}
    assert "label not proven" not in done.stdout


def test_what_a_command_prints_is_its_metric(attempt: Try) -> None:
    metric = ("--metric=rows: ([0-9]+)", "--", attempt.python("writer", SYNCS))
    assert attempt.measure(*metric).returncode == 0
    assert {(row["throughput"], row["throughput_unit"]) for row in rows(attempt)} == {
        (float(SYNCS), "metric")
    }


def test_a_server_is_measured_by_a_load_against_it(attempt: Try) -> None:
    done = attempt.measure(
        *("--serve", f"--load={attempt.python('load')}", r"--metric=answers: (\d+)"),
        *("--", attempt.python("server", "sync")),
        log="log",
    )
    assert done.returncode == 0, done.stderr
    assert {row["tap_syncs"] for row in rows(attempt)} == {20}
    assert all(row["cpu_server_user_s"] >= 0 for row in rows(attempt))
    assert (attempt.home / "ended").exists()
    assert not _running(attempt.home / "server.py")


def _running(script: Path) -> list[int]:
    return [
        p.pid for p in psutil.process_iter(["cmdline"]) if str(script) in (p.info["cmdline"] or [])
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--: found no command; type it last"),
        (["--log=/var/lib/x/*.log", "--", "true"], "--log: found '/var/lib/x/*.log', want a path"),
        (["--log=*", "--data=/nowhere", "--", "true"], "--data: /nowhere: there is no such folder"),
        (["--serve", "--", "true"], "--serve: found it without --log"),
        (["--ready=true", "--", "true"], "--serve: found it without --log"),
        (["--serve", "--log=*", "--", "true"], "--device: a server without --load has one log"),
        (["--log=*", "--metric=rows", "--", "true"], "--metric: 'rows' has 0 groups"),
    ],
)
def test_impossible_requests_are_refused(attempt: Try, words: list[str], told: str) -> None:
    done = attempt.run(*words)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_a_run_that_is_only_watched_has_no_plan_and_is_not_made(attempt: Try) -> None:
    done = attempt.run("--plan", "--", f"touch {attempt.home}/ran")
    assert done.returncode == 2
    assert "--plan: found it without --log" in done.stderr
    assert not (attempt.home / "ran").exists()


def test_a_log_that_no_file_matches_is_refused_with_what_was_synced(attempt: Try) -> None:
    done = attempt.measure("--", attempt.python("writer", SYNCS), log="*.journal")
    assert done.returncode == 2
    assert f"wal/log ({SYNCS} syncs), table (1 syncs); type --log 'wal/'" in done.stderr


def test_a_program_that_never_syncs_is_refused(attempt: Try) -> None:
    done = attempt.measure("--", "echo unsynced >log", log="log")
    assert (done.returncode, "the command synced no file" in done.stderr) == (2, True)


@pytest.mark.parametrize("log", [(), ("--log=wal/", "--share-machine")])
def test_data_that_are_too_large_to_copy_are_refused(attempt: Try, log: tuple[str, ...]) -> None:
    own = attempt.home / "own"
    own.mkdir()
    (own / "large").touch()
    os.truncate(own / "large", 1 << 43)  # without any block on the disk
    done = attempt.run(*log, f"--data={own}", "--", "true")
    assert (done.returncode, "MiB free, but the campaign may need" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("echo too bad >&2; exit 3", "the command failed (exit code 3): too bad"),
        ("setsid sleep 50 & sleep 0.3", "left sleep (pid "),
    ],
)
def test_a_failed_run_says_what_was_seen(attempt: Try, line: str, told: str) -> None:
    done = attempt.run("--", line)
    assert (done.returncode, told in done.stderr) == (1, True), done.stderr


def test_a_watched_run_tells_of_syncs_that_cannot_be_measured(attempt: Try) -> None:
    (attempt.home / "mapped.py").write_text(
        "import mmap, os; f = os.open('log', os.O_RDWR | os.O_CREAT); os.ftruncate(f, 4096)\n"
        "m = mmap.mmap(f, 4096); m[0] = 1; m.flush(); os.fsync(f)\n"
    )
    told = "the command has syncs that the tap cannot take the place of, 1 of them"
    done = attempt.run("--", attempt.python("mapped"))
    assert f"It cannot be measured: {told}" in done.stdout
    assert "waltax try --log" not in done.stdout
    assert told in attempt.measure("--", attempt.python("mapped"), log="log").stderr


def test_an_own_mode_without_a_log_is_measured_once(attempt: Try) -> None:
    command = ("--device=ssd", "--off=true", "--", attempt.python("writer", SYNCS))
    done = attempt.measure(*command)
    assert done.returncode == 0, done.stderr + done.stdout
    syncs = {(row["device"], row["durability"]): row["tap_syncs"] for row in rows(attempt)}
    both = {("nvme", "sync"): SYNCS, ("ssd", "sync"): SYNCS}
    assert syncs == {("off", "off"): SYNCS, ("nvme", "off"): 0, **both}


def test_a_number_that_is_not_printed_fails_before_anything_is_measured(attempt: Try) -> None:
    command = ("--metric=tps: ([0-9]+)", "--", attempt.python("writer", SYNCS))
    done = attempt.measure(*command)
    assert (done.returncode, "matches nothing in the command's output" in done.stderr) == (1, True)


def test_a_server_that_goes_into_the_background_is_refused(attempt: Try) -> None:
    daemon = f"setsid {attempt.python('server', 'sync')} & exit 0"
    done = attempt.run("--serve", f"--load={attempt.python('load')}", "--", daemon)
    assert done.returncode == 1
    assert "running: it must stay in the foreground" in done.stderr


def test_a_server_that_ends_at_once_left_nothing_running(attempt: Try) -> None:
    done = attempt.run("--serve", "--load=true", "--", "false")
    assert "--load: the server ended (exit code 1): " in done.stderr


def test_a_program_that_the_tap_does_not_see_is_supervised(attempt: Try) -> None:
    unseen = f"env -i {attempt.python('writer', SYNCS)}"
    watched = attempt.run("--", unseen)
    assert syncs(watched.stdout)["wal/log"] == str(SYNCS)
    assert "The tap does not see all of its syncs" in watched.stdout
    done = attempt.measure("--", unseen)
    assert done.returncode == 0, done.stderr
    counted = {(row["device"], row["tap_syncs"], row["tap_syncs_at_once"]) for row in rows(attempt)}
    assert counted == {("off", SYNCS, SYNCS), ("nvme", SYNCS, 0)}
    assert "a supervisor answers the syncs, in the baseline, too" in done.stdout


def test_a_program_of_which_the_tap_sees_a_part_is_supervised(attempt: Try) -> None:
    """The second writer clears its environment, and with it the tap."""
    writer = attempt.python("writer", SYNCS)
    mixed = f"{writer} && env -i {writer}"
    watched = attempt.run("--", mixed)
    assert syncs(watched.stdout)["wal/log"] == str(2 * SYNCS)
    assert "The tap does not see all of its syncs" in watched.stdout
    done = attempt.measure("--", mixed)
    assert done.returncode == 0, done.stderr
    assert {row["tap_syncs"] for row in rows(attempt)} == {2 * SYNCS}


def test_where_no_supervisor_may_look_that_is_said(attempt: Try) -> None:
    """The kernel lets one supervisor look at a process, and here another one does."""
    page, unlogged = attempt.home / "page", attempt.home / "unlogged"
    tap_page.create(page).close()
    unlogged.mkdir()
    tell(page, unlogged, ["*"])
    unset = ["env", "-u", "WALTAX_TAP_PAGE"]  # of the library, which waltax loads
    line = [str(proc.program("waltax_supervise").absolute()), "--", *unset, *map(str, attempt.argv)]
    words = [f"--data-dir={attempt.work}", "--", str(attempt.python("writer", SYNCS))]
    done = subprocess.run(
        [*line, *words],
        cwd=attempt.home,
        env=os.environ | {"WALTAX_TAP_PAGE": str(page)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert syncs(done.stdout)["wal/log"] == str(SYNCS)
    assert "Whether the tap sees all of its syncs is not known" in done.stdout


READS = "sqlite3 t.db 'pragma integrity_check; select v from t'"


def test_a_power_cut_takes_what_sqlite_does_not_sync(attempt: Try) -> None:
    own = attempt.home / "own"
    own.mkdir()
    table = "pragma journal_mode = wal; create table t (v text)"
    subprocess.run(["sqlite3", own / "t.db", table], check=True, capture_output=True)
    cut = (f"--data={own}", f"--check={READS}", "--cuts=4", "--states=6")
    off = f"--off={attempt.python('acks', 'off')}"
    done = attempt.measure(*cut, off, "--", attempt.python("acks", "full"), log="t.db-wal")
    assert done.returncode == 0, done.stderr + done.stdout
    assert losses(attempt) == {
        **{("sync", "kill"): False, ("sync", "power"): False},
        **{("off", "kill"): False, ("off", "power"): True},
    }


def losses(attempt: Try) -> dict[tuple[str, str], bool]:
    """Whether each mode lost something in each failure; its states were whole."""
    lines = (attempt.folder / "receipts.jsonl").read_text().splitlines()
    receipts = [json.loads(line) for line in lines]
    assert all(one["consistent"] == one["states"] for one in receipts)
    return {(one["mode"], one["failure"]): one["lost"] > 0 for one in receipts}


def test_a_server_of_several_processes_loses_what_none_of_them_synced(attempt: Try) -> None:
    done = attempt.measure(
        *("--serve", f"--load={attempt.python('load')}", "--cuts=4", "--states=6"),
        *("--check=touch log; cat log", f"--flush={attempt.python('server', 'never')}"),
        *("--", attempt.python("server", "sync")),
        log="log",
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert losses(attempt) == {
        **{("sync", "kill"): False, ("sync", "power"): False},
        **{("flush", "kill"): False, ("flush", "power"): True},
    }


def test_a_program_that_acknowledges_nothing_has_no_receipt(attempt: Try) -> None:
    done = attempt.measure("--check=true", "--", attempt.python("writer", SYNCS))
    assert done.returncode == 1
    assert "no receipt: --check: the command acknowledged nothing" in done.stdout


def test_standard_input_is_read_anew_in_each_run(attempt: Try) -> None:
    script = attempt.home / "script"
    script.write_text("create table t (a); insert into t values (1);")
    with script.open("rb") as typed:
        done = attempt.run("--", "sqlite3", "t.db", stdin=typed.fileno())
    assert done.returncode == 0, done.stderr
    assert f"<{script}" in done.stdout
    read, write = os.pipe()
    os.close(write)
    assert "standard input: found a pipe" in attempt.run("--", "cat", stdin=read).stderr


def test_a_program_is_given_a_short_folder_for_sockets(attempt: Try) -> None:
    show = 'test -d "$WALTAX_SOCKETS" && test "$PWD" = "$WALTAX_DATA" && echo "$WALTAX_HERE" >&2'
    done = attempt.run("--", f"{show}; exit 3")
    assert f"exit code 3): {attempt.home}" in done.stderr


@pytest.mark.parametrize("line", ["./ends 3", '"$WALTAX_HERE"/ends'])
def test_a_line_of_the_shell_finds_a_program_where_it_was_typed(attempt: Try, line: str) -> None:
    (attempt.home / "ends").write_text("#!/bin/sh\nexit 3\n")
    (attempt.home / "ends").chmod(0o755)
    assert "exit code 3)" in attempt.run("--", line).stderr


def test_a_run_that_fails_says_where_it_ran(attempt: Try) -> None:
    (attempt.home / "own.py").write_text("print(1)")
    said = attempt.run("--", sys.executable, "own.py").stderr
    assert "it ran in a copy of its data: type a file's whole path" in said


def test_it_is_resumed(tried: tuple[Try, str]) -> None:
    attempt = tried[0]
    argv = ["--resume", str(attempt.folder), "--share-machine"]
    done = subprocess.run(
        [*attempt.argv, *argv], cwd=attempt.home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_device_is_predicted_from_what_others_cost(
    tried: tuple[Try, str], tmp_path: Path
) -> None:
    campaign = shutil.copytree(tried[0].folder, tmp_path / "calm")
    calm = [json.dumps(row | {"disturbed": []}) + "\n" for row in rows(tried[0])]
    (campaign / "rows.jsonl").write_text("".join(calm))
    predict = [sys.executable, "-m", "waltax", "devices", "predict", f"--campaign={campaign}"]
    done = subprocess.run(
        [*predict, "--device=optane-p4800x"], capture_output=True, text=True, check=True
    )
    assert "optane-p4800x, sync " in done.stdout
    assert ": predicted " in done.stdout
    assert "outside the curve" not in done.stdout


def test_db_bench_is_measured_by_its_preset(attempt: Try) -> None:
    """In each of its modes, with its own number, and with a sync for each write of `sync` alone."""
    words = ("--benchmarks=fillrandom", "--num=300", "--threads=1")
    done = attempt.measure("--preset=db_bench", "--rounds=1", "--", *words)
    assert done.returncode == 0, done.stderr
    syncs = {
        row["durability"]: row["tap_syncs"] for row in rows(attempt) if row["device"] == "nvme"
    }
    assert syncs.keys() == {"sync", "flush", "off"}
    assert syncs["sync"] >= 300
    assert syncs["off"] < 5
    assert {row["throughput_unit"] for row in rows(attempt)} == {"metric"}
