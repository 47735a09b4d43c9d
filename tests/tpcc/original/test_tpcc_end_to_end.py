"""The command line on the real driver and a real RocksDB."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from fake_driver import Result
from tpcc_fake import run_command


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One warehouse, loaded once: every test leaves it consistent."""
    folder = tmp_path_factory.mktemp("tpcc") / "db"
    result = run_command("load", "-w", "1", "-d", str(folder), "--seed", "3")
    assert result.error == ""
    assert "...DATA LOADING COMPLETED SUCCESSFULLY." in result.out
    assert any(line.startswith("  PASS in ") for line in result.out)
    return folder


def _run(data: Path, *words: str) -> Result:
    short = ("-c", "2", "-r", "0", "-l", "2", "-i", "1", "--seed", "5")
    return run_command("run", "-d", str(data), *short, *words)


def _tpmc(result: Result) -> float:
    return float(re.findall(r"([0-9.]+) TpmC", "\n".join(result.out))[0])


def _intervals(result: Result) -> list[str]:
    return [line for line in result.out if re.match(r" +\d+, trx: \d+, 95%: ", line)]


def _raw(result: Result) -> list[str]:
    """The lines of the five transactions."""
    start = result.out.index("<Raw Results>") + 1
    return result.out[start : start + 5]


def _completed(result: Result) -> list[int]:
    """Of each transaction, in time or late."""
    counts = [re.findall(r"(?:sc|lt):(\d+)", line) for line in _raw(result)]
    return [int(in_time) + int(late) for in_time, late in counts]


def test_a_run_prints_its_report_and_leaves_consistent_data(data: Path) -> None:
    result = _run(data, "-w", "1")
    assert result.error == ""
    in_intervals = sum(int(line.split("trx: ")[1].split(",")[0]) for line in _intervals(result))
    assert 0 < in_intervals <= _completed(result)[0]
    assert _tpmc(result) > 0
    assert all(" fl:0 " in line for line in _raw(result))
    assert any(line.startswith("  PASS in ") for line in result.out)


@pytest.mark.nightly
def test_files_of_a_run_agree_with_its_report(data: Path, tmp_path: Path) -> None:
    report, series = tmp_path / "rt", tmp_path / "trx"
    result = _run(data, "-f", str(report), "-t", str(series))
    counted = sum(int(line.split(",")[1]) for line in report.read_text().splitlines()[1:])
    assert counted == _completed(result)[0] > 0
    assert len(series.read_text().splitlines()) == 1 + len(_intervals(result))


def test_acknowledged_orders_are_found_by_a_later_check(data: Path, tmp_path: Path) -> None:
    acks = tmp_path / "acks"
    assert _run(data, "--ack-log", str(acks)).error == ""
    assert run_command("check", "-d", str(data), "--acks", str(acks)).error == ""
    with acks.open("a") as file:
        file.write("1 1 99999999 1\n")
    result = run_command("check", "-d", str(data), "--acks", str(acks))
    assert result.exit_code == 1
    assert "acknowledged" in result.error


def test_another_number_of_warehouses_than_the_data_has_is_refused(data: Path) -> None:
    for command in ("run", "check"):
        result = run_command(command, "-d", str(data), "-w", "2")
        assert result.exit_code == 2
        assert "--warehouses: found 2, want 1" in result.error


def test_data_is_not_loaded_over_other_data(data: Path) -> None:
    result = run_command("load", "-w", "1", "-d", str(data))
    assert result.exit_code == 2
    assert str(data) in result.error


@pytest.mark.nightly
def test_an_open_loop_offers_its_rate(data: Path) -> None:
    result = _run(data, "--rate", "100")
    assert result.error == ""
    # At most what is offered in the interval; a closed loop does many times that.
    assert 0 < sum(_completed(result)) <= 100 * (2 + 1)


@pytest.mark.nightly
def test_a_paced_run_says_how_it_compares_with_its_bounds(data: Path) -> None:
    result = run_command("run", "-d", str(data), *["-w", "1", "--paced", "-r", "0", "-l", "1"])
    assert result.error == ""
    figure = r" TPC-C derived, paced: \d+\.\d\d tpmC per warehouse; at most 12\.86 are possible, "
    assert any(re.match(figure, line) for line in result.out)


@pytest.mark.nightly
def test_a_paced_terminal_completes_no_more_than_its_keying_times_let_it(data: Path) -> None:
    """The shortest is 2 s (clause 5.2.5.2): in 3 s each of ten terminals completes one at most.

    Without pauses they complete thousands.
    """
    result = run_command("run", "-d", str(data), *["-w", "1", "--paced", "-r", "0", "-l", "3"])
    assert result.error == ""
    assert sum(_completed(result)) <= 10 * 3 / 2


@pytest.mark.nightly
@pytest.mark.parametrize("store", ["memory", "null"])
def test_other_stores_need_no_data_set(tmp_path: Path, store: str) -> None:
    result = _run(tmp_path / "none", "--store", store)
    assert result.error == ""
    assert _tpmc(result) > 0


def test_the_driver_does_not_outlive_ctrl_c_and_the_data_survives(data: Path) -> None:
    def heed_ctrl_c() -> None:
        """A shell's background job ignores it, and so would its children, these tests' too."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    words = [sys.executable, "-m", "waltax", "tpcc", "run", "-d", str(data)]
    process = subprocess.Popen(
        [*words, "-c", "2", "-r", "0", "-l", "60", "-i", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    assert process.stdout is not None
    assert any("trx:" in line for line in process.stdout)
    driver = psutil.Process(process.pid).children()[0]
    process.send_signal(signal.SIGINT)
    rest = process.communicate()[0]
    assert process.returncode == 130
    assert re.search(r"^ +[0-9.]+ TpmC$", rest, re.M)
    for _ in range(1000):
        if not driver.is_running() or driver.status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(0.01)
    else:
        raise AssertionError("the driver is still there")
    assert run_command("check", "-d", str(data)).error == ""
