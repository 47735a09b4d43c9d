from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
from other_processes import NOBODY, python
from waltax.base.errors import WaltaxError
from waltax.base.folders import machine
from waltax.base.folders.machine import only_campaign


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


def test_a_lock_that_is_a_link_is_not_followed_and_no_campaign_waits_for_it(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "lock").symlink_to(victim)
    with only_campaign("mine", tmp_path / "lock") as notes:
        assert notes == [
            "cannot tell whether another campaign of yours is measuring: "
            f"{tmp_path / 'lock'}: cannot be used as a lock: it is a link; remove it"
        ]
    assert victim.read_text() == "precious"


def test_a_lock_that_another_user_prepared_is_not_written(place: Path) -> None:
    theirs = place / "lock"
    theirs.write_text("theirs")
    shutil.chown(theirs, NOBODY)
    with only_campaign("mine", theirs) as notes:
        assert "it is no file of user" in notes[0]
    assert theirs.read_text() == "theirs"


def test_nobody_else_can_open_the_lock_and_hold_it(place: Path) -> None:
    path = place / "lock"
    path.touch(mode=0o644)  # as an older waltax left it
    look = """
    try:
        open(sys.argv[1])
    except PermissionError:
        print("closed")
    else:
        print("open")
    """
    assert python(look, path, user=NOBODY, wait=False).communicate()[0] == "open\n"
    with only_campaign("mine", path):
        assert python(look, path, user=NOBODY, wait=False).communicate()[0] == "closed\n"


def test_a_lock_that_has_a_second_name_is_not_touched(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    victim.chmod(0o644)
    os.link(victim, tmp_path / "lock")
    with only_campaign("mine", tmp_path / "lock") as notes:
        assert "cannot be used as a lock" in notes[0]
    assert (victim.read_text(), victim.stat().st_mode & 0o777) == ("precious", 0o644)


def test_where_a_file_system_has_no_locks_a_campaign_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    with only_campaign("mine", tmp_path / "lock") as notes:
        assert notes == []


def test_the_lock_is_a_file_of_its_user_that_nobody_else_opens() -> None:
    path = machine.lock_path()
    assert path.parent == Path("/run" if os.geteuid() == 0 else "/tmp")
    with machine.open_lock(path):
        assert (path.stat().st_mode & 0o777, path.stat().st_uid) == (0o600, os.geteuid())
