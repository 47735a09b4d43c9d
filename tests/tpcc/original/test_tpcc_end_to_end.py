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
    assert any(line.startswith("The check passed: ") for line in result.err)
    return folder


def _run(data: Path, *words: str) -> Result:
    short = ("-c", "2", "-r", "0", "-l", "2", "--seed", "5")
    return run_command("run", "-d", str(data), *short, *words)


def _tpmc(result: Result) -> float:
    return float(re.findall(r"([0-9.]+) TpmC", "\n".join(result.out))[0])


def _completed(result: Result) -> list[int]:
    """Of each transaction."""
    found = (re.match(r"[A-Z_]+: ([\d,]+), us: mean ", line) for line in result.out)
    return [int(one[1].replace(",", "")) for one in found if one]


def test_a_run_prints_its_result_and_leaves_consistent_data(data: Path) -> None:
    result = _run(data, "-w", "1")
    assert result.error == ""
    assert len(_completed(result)) == 5
    assert _tpmc(result) > 0
    assert any(line.startswith("The check passed: ") for line in result.err)


def test_another_number_of_warehouses_than_the_data_has_is_refused(data: Path) -> None:
    for command in ("run", "check"):
        result = run_command(command, "-d", str(data), "-w", "2")
        assert result.exit_code == 2
        assert "--warehouses: found 2, want 1" in result.error


def test_data_is_not_loaded_over_other_data(data: Path) -> None:
    result = run_command("load", "-w", "1", "-d", str(data))
    assert result.exit_code == 2
    assert str(data) in result.error


def test_the_driver_does_not_outlive_ctrl_c_and_the_data_survives(data: Path) -> None:
    def heed_ctrl_c() -> None:
        """A shell's background job ignores it, and so would its children, these tests' too."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    words = [sys.executable, "-m", "waltax", "tpcc", "run", "-d", str(data)]
    process = subprocess.Popen(
        [*words, "-c", "2", "-r", "0", "-l", "60"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    assert process.stderr is not None
    assert any(line.startswith("10 s: ") for line in process.stderr)
    driver = psutil.Process(process.pid).children()[0]
    process.send_signal(signal.SIGINT)
    rest = process.communicate()[1]
    assert process.returncode == 130
    assert "waltax: interrupted" in rest
    for _ in range(1000):
        if not driver.is_running() or driver.status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(0.01)
    else:
        raise AssertionError("the driver is still there")
    assert run_command("check", "-d", str(data)).error == ""
