from __future__ import annotations

import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from waltax.errors import WaltaxError
from waltax.runners import lock
from waltax.runners.lock import only_campaign


def test_a_second_campaign_is_refused_and_told_who_holds_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        only_campaign("first", path),
        pytest.raises(WaltaxError, match=r"campaign first \(pid \d+\).*--share-machine"),
        only_campaign("second", path),
    ):
        pass


def test_one_that_shares_the_machine_is_met_by_the_next_when_the_first_has_ended(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lock"
    with ExitStack() as first, ExitStack() as beside:
        first.enter_context(only_campaign("first", path))
        beside.enter_context(only_campaign("beside", path, share=True))
        _refused(path, r"campaign first \(pid \d+\) and campaign beside \(pid \d+\) are measuring")
        first.close()
        _refused(path, "campaign beside")
        beside.close()
        first.enter_context(only_campaign("third", path))


def _refused(path: Path, names: str) -> None:
    with pytest.raises(WaltaxError, match=names), only_campaign("third", path):
        pass


def test_one_that_ended_without_a_word_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    ended = subprocess.Popen(["true"])
    ended.wait()
    with only_campaign("first", path):
        path.write_text(f"campaign killed (pid {ended.pid})\n{path.read_text()}")
        _refused(path, "^campaign first .* is measuring")


def test_one_that_shares_the_machine_begins_beside_others(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        only_campaign("first", path, share=True),
        only_campaign("second", path, share=True),
    ):
        _refused(path, "campaign first .* and campaign second")


def test_the_machine_is_free_again_when_a_campaign_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for name in ("first", "second"):
        with only_campaign(name, path):
            assert name in path.read_text()


def test_a_folder_that_is_just_being_made_is_not_swept(tmp_path: Path) -> None:
    done = threading.Event()

    def sweep() -> None:
        while not done.is_set():
            lock.sweep(tmp_path, "*")

    sweeper = threading.Thread(target=sweep)
    sweeper.start()
    try:
        for number in range(1000):
            with lock.borrowed(tmp_path / f"folder-{number}"):
                assert (tmp_path / f"folder-{number}").is_dir()
    finally:
        done.set()
        sweeper.join()
