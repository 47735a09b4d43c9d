from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from probing import command
from rich.console import Console
from waltax.base.errors import UsageError
from waltax.devices.catalog import CATALOG, load
from waltax.devices.device_file import write
from waltax.devices.probe.command import probe


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Device files go to the current folder, and nobody's own devices are asked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def refused(*words: str) -> str:
    """Return what the command says to words that it cannot use."""
    result = CliRunner().invoke(probe, words)
    assert result.exit_code != 0
    if isinstance(result.exception, SystemExit):
        assert result.exit_code == 2
        return result.output
    assert isinstance(result.exception, UsageError), result.exception
    return str(result.exception)


def test_the_plan_is_said_before_anything_is_written(memory: Path) -> None:
    result = CliRunner().invoke(probe, [str(memory), "--plan"])
    assert result.exit_code == 0, result.exception
    assert f"probing {memory}: tmpfs on tmpfs (ram)" in result.output
    assert "writes at most 4.4 GiB" in result.output
    assert list(memory.iterdir()) == []


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    said = refused(str(tmp_path / "absent"))
    assert said.startswith(f"DIR: {tmp_path}/absent does not exist; create it on the device")


def test_a_file_is_not_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(str(tmp_path / "file"))
    assert said == f"DIR: {tmp_path}/file is not a directory; give one on the device to be used"


def test_a_directory_without_room_is_refused_with_both_figures(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(memory)._replace(free=5 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    message = refused(str(memory))
    assert "5 MiB free, want 512 MiB for the probe's files" in message


def test_a_read_only_directory_is_refused(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != memory)
    assert "is not writable for user" in refused(str(memory))


def test_a_directory_that_takes_no_folder_is_refused(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    message = refused(str(memory))
    assert f"{memory}: cannot be written: No space left on device" in message


def test_no_directory_is_not_taken_for_the_current_one() -> None:
    message = refused("", "--plan")
    assert "give a directory: waltax devices probe /mnt/x" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--name", "nvme"), f"--name: nvme is taken by the catalog in {CATALOG}"),
        (("--name", "My Box"), "--name: found 'My Box', want lower case"),
        (("--out", "x.json"), "--out: found x.json, want a name that ends in .toml"),
        (("--out", "no/x.toml"), "is not a directory that can be written"),
    ],
)
def test_words_that_cannot_be_used_are_refused_before_anything_is_written(
    memory: Path, words: tuple[str, ...], message: str
) -> None:
    assert message in refused(str(memory), *words)
    assert message in refused(str(memory), *words, "--plan")
    assert list(memory.iterdir()) == []


def test_a_device_file_is_never_written_over(tmp_path: Path, memory: Path) -> None:
    (tmp_path / "mine.toml").touch()
    for words in ((), ("--plan",)):
        assert "mine.toml exists; remove it" in refused(str(memory), "--name", "mine", *words)


def test_the_file_s_figures_are_printed_and_how_to_replay_it_from_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(Console(), load("nvme"), Path("my box.toml"), "# Mine.\n")
    said = capsys.readouterr().out
    assert "a sync of 4,096 bytes: p50 28.0 us, p99 50.0, mean " in said
    assert "written: my box.toml\n" in said
    assert f"make run-device DEVICE='{tmp_path}/my box.toml'\n" in said


def probing(memory: Path) -> tuple[subprocess.Popen[bytes], psutil.Process]:
    """Start a probe and return it with its fio, once that runs."""
    words = command("probe", str(memory), "--name", "mine")
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(psutil.Error):  # it ended just now
            for one in psutil.Process(child.pid).children():
                if one.name() == "fio" and list(memory.glob("*/*")):
                    return child, one
        time.sleep(0.02)
    child.kill()
    raise AssertionError("no fio came up")


def end_of(child: subprocess.Popen[bytes], worker: psutil.Process) -> str:
    """Return what the probe said at its end, by which its fio is gone."""
    said = child.communicate(timeout=60)[1].decode()
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
    return said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_probe_leaves_nothing(
    tmp_path: Path, memory: Path, number: signal.Signals
) -> None:
    child, worker = probing(memory)
    child.send_signal(number)
    assert "interrupted" in end_of(child, worker)
    assert child.returncode == 130
    assert list(memory.iterdir()) == []
    assert not (tmp_path / "mine.toml").exists()


def test_a_killed_fio_ends_the_probe_and_leaves_nothing(tmp_path: Path, memory: Path) -> None:
    child, worker = probing(memory)
    # One job may just have ended, so whichever fio runs now is killed until one was hit.
    while child.poll() is None:
        with contextlib.suppress(psutil.Error):  # it ended just now
            for one in psutil.Process(child.pid).children():
                one.kill()
        time.sleep(0.05)
    assert "killed by SIGKILL" in end_of(child, worker)
    assert child.returncode == 1
    assert list(memory.iterdir()) == []
    assert not (tmp_path / "mine.toml").exists()
