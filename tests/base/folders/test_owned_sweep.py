"""What waltax made is removed when its process is gone, and nothing else ever is."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from other_processes import NOBODY, killed, python
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.folders import folder, places
from waltax.base.folders.folder import MARKER, Folder

_MAKE = """
    from pathlib import Path
    from waltax.base.folders import folder
    made = folder.make(Path(sys.argv[1]), "work")
    (made.path / "deep" / "er").mkdir(parents=True)
    (made.path / "deep" / "er" / "000001.log").write_text("old")
"""


def _leftover(path: Path) -> Path:
    """What a killed process leaves."""
    path.parent.mkdir(exist_ok=True)
    killed(python(_MAKE, path))
    assert path.is_dir()
    return path


def _swept(parent: Path) -> list[str]:
    """The names that were left alone and told."""
    swept = places.sweep(parent, "*", "work")
    return [Path(said.partition(": left alone")[0]).name for said in swept]


def _all(parent: Path) -> set[str]:
    return {str(path.relative_to(parent)) for path in parent.rglob("*")}


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    _leftover(tmp_path / "left")
    assert places.sweep(tmp_path, "*", "work") == []
    assert _all(tmp_path) == set()


def test_what_a_living_process_holds_stays_in_silence(tmp_path: Path) -> None:
    child = python(_MAKE, tmp_path / "live")
    assert places.sweep(tmp_path, "*", "work") == []
    assert (tmp_path / "live" / "deep" / "er" / "000001.log").exists()
    killed(child)


def _foreign(parent: Path) -> None:
    """All that may look like a folder of ours, and is not."""
    (parent / "empty").mkdir()
    (parent / "thesis").mkdir()
    (parent / "thesis" / "chapter1.tex").write_text("precious")
    (parent / "file").write_text("precious")
    (parent / ".waltax-half-mine").mkdir()
    (parent / ".waltax-half-mine" / "chapter2.tex").write_text("precious")
    os.utime(parent / ".waltax-half-mine", (0, 0))  # a new one may get its marker yet
    for name, text in (
        ("no-json", "waltax"),
        ("list", "[]"),
        ("deep", "[" * 3000),
        ("others", '{"made_by": "somebody"}'),
        ("elsewhere", '{"made_by": "waltax", "kind": "work", "inode": 1}'),
        ("nothing", ""),
    ):
        (parent / f"marked-{name}").mkdir()
        (parent / f"marked-{name}" / MARKER).write_text(text)
    made = folder.make(parent / "other-kind", "data set")
    (made.path / "data").write_text("precious")
    made.release()
    (parent / "marker-is-a-folder" / MARKER).mkdir(parents=True)
    (parent / "marker-is-a-pipe").mkdir()
    os.mkfifo(parent / "marker-is-a-pipe" / MARKER)


def test_what_is_not_waltax_s_stays_and_is_named(tmp_path: Path) -> None:
    _foreign(tmp_path)
    before = _all(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert _swept(tmp_path) == names
    assert _all(tmp_path) == before


def test_a_copy_that_somebody_made_of_ours_stays(tmp_path: Path) -> None:
    ours = _leftover(tmp_path / "ours")
    shutil.copytree(ours, tmp_path / "kept")
    assert _swept(tmp_path) == ["kept"]
    assert (tmp_path / "kept" / "deep" / "er" / "000001.log").read_text() == "old"
    assert not ours.exists()


def test_links_are_never_followed(tmp_path: Path) -> None:
    outside, parent = tmp_path / "outside", tmp_path / "parent"
    parent.mkdir()
    outside.mkdir()
    (outside / "thesis").write_text("precious")
    ours_elsewhere = _leftover(tmp_path / "ours-elsewhere")
    (parent / "to-foreign").symlink_to(outside)
    (parent / "to-ours").symlink_to(ours_elsewhere)
    ours = _leftover(parent / "ours")
    (ours / "deep" / "link").symlink_to(outside)
    (ours / "link").symlink_to(outside / "thesis")
    assert _swept(parent) == ["to-foreign", "to-ours"]
    assert not ours.exists()
    assert (outside / "thesis").read_text() == "precious"
    assert (ours_elsewhere / "deep").is_dir()


def test_a_link_in_the_place_of_a_marker_proves_nothing(tmp_path: Path) -> None:
    ours = _leftover(tmp_path / "ours")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / MARKER).symlink_to(ours / MARKER)
    (tmp_path / "hard").mkdir()
    os.link(ours / MARKER, tmp_path / "hard" / MARKER)
    assert _swept(tmp_path) == ["hard", "mine", "ours"]  # a marker of two folders is of none


@pytest.mark.parametrize("bound", [False, True])
def test_nothing_is_removed_of_a_folder_in_which_something_is_mounted(
    bound: bool, tmp_path: Path, mount: Callable[..., Path]
) -> None:
    ours, outside = _leftover(tmp_path / "parent" / "ours"), tmp_path / "outside"
    outside.mkdir()
    mounted = mount(ours / "deep" / "er", outside if bound else None)
    (mounted / "thesis").write_text("precious")
    assert _swept(tmp_path / "parent") == ["ours"]
    assert (mounted / "thesis").read_text() == "precious"
    assert (ours / MARKER).exists()


def test_what_is_mounted_on_a_folder_of_ours_stays(
    tmp_path: Path, mount: Callable[..., Path]
) -> None:
    parent, other = tmp_path / "parent", _leftover(tmp_path / "other")
    ours = _leftover(parent / "ours")
    (mount(parent / "ours") / "thesis").write_text("precious")
    bound = parent / "bound"
    bound.mkdir()
    mount(bound, other)
    assert _swept(parent) == ["bound", "ours"]
    assert (ours / "thesis").read_text() == "precious"
    assert (other / "deep" / "er" / "000001.log").exists()


def test_another_user_s_folder_is_passed_over(place: Path) -> None:
    place.chmod(0o1777)
    theirs = python(_MAKE, place / "theirs", user=NOBODY)
    killed(theirs)
    planted = place / "planted"
    planted.mkdir()
    shutil.chown(planted, NOBODY)
    assert places.sweep(place, "*", "work") == []
    assert (place / "theirs" / "deep").is_dir()


def test_a_marker_of_another_user_s_proves_nothing(tmp_path: Path) -> None:
    ours = _leftover(tmp_path / "ours")
    os.chown(ours / MARKER, NOBODY, NOBODY)
    assert _swept(tmp_path) == ["ours"]
    assert (ours / "deep").is_dir()


# Makes and removes a folder, and kills itself at the n-th call that changes anything.
def _dying(path: Path, number: int) -> None:
    left = number

    def dying(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **named)

        return counted

    for name in ("open", "write", "mkdir", "rename", "unlink", "rmdir", "fchmod"):
        setattr(os, name, dying(getattr(os, name)))
    fcntl.flock = dying(fcntl.flock)
    made = folder.make(path, "work")
    for name in ("a", "b"):
        (made.path / name).mkdir()
        (made.path / name / "file").touch()
    made.remove()


def _died(path: Path, number: int) -> int:
    """How a process ended that did so: a fork of this one, which has imported all already."""
    child = os.fork()
    if not child:
        code = 1
        try:
            _dying(path, number)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_kill_at_any_call_leaves_nothing_that_the_next_one_does_not_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_MOMENT_S", 0.0)
    for number in range(1, 200):
        code = _died(tmp_path / "cell", number)
        assert _swept(tmp_path) == []
        assert _all(tmp_path) == set(), f"killed at call {number}"
        if code == 0:
            break
    assert number > 20, "no kill took place"
    assert code == 0


def test_a_folder_that_is_just_being_made_is_not_swept(tmp_path: Path) -> None:
    sweeper = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys; from pathlib import Path; from waltax.base.folders import places\n"
            "while True: places.sweep(Path(sys.argv[1]), '*', 'work')",
            str(tmp_path),
        ]
    )
    try:
        for _ in range(500):
            with places.borrowed(tmp_path, "folder-", "work") as made:
                assert made.is_dir()
                assert (made / MARKER).exists()
    finally:
        sweeper.kill()
        sweeper.wait()


def test_borrowed_folders_have_names_that_cannot_be_guessed_and_are_closed(tmp_path: Path) -> None:
    with places.borrowed(tmp_path, "x-", "work") as first:
        with places.borrowed(tmp_path, "x-", "work") as second:
            assert first.name != second.name
            assert first.stat().st_mode & 0o777 == 0o700
            assert json.loads((second / MARKER).read_text())["kind"] == "work"
        assert not second.exists()
    assert _all(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_named_with_its_flag(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with (
        pytest.raises(UsageError, match=r"^--wal-dir: .*file: cannot be written: .*--wal-dir$"),
        places.borrowed(tmp_path / "file", "x-", "wal", flag="--wal-dir"),
    ):
        pass


def test_what_stands_in_the_way_is_discarded_only_when_it_is_ours(tmp_path: Path) -> None:
    places.discard(tmp_path / "nothing", "data set", "--data-dir")
    folder.make(tmp_path / "ours", "data set").release()
    places.discard(tmp_path / "ours", "data set", "--data-dir")
    assert not (tmp_path / "ours").exists()
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match=r"mine: stands in the way and has no marker.*--data-dir"):
        places.discard(tmp_path / "mine", "data set", "--data-dir")
    assert (tmp_path / "mine").is_dir()


def test_a_folder_that_is_there_already_is_never_taken_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("mine", "link"):
        with pytest.raises(FileExistsError):
            folder.make(tmp_path / name, "work")
    assert _all(tmp_path) == {"mine", "link"}


def test_moved_it_is_still_ours(tmp_path: Path) -> None:
    made = folder.make(tmp_path / "half", "data set")
    assert made.move(tmp_path / "whole")
    made.release()
    (tmp_path / "other").mkdir()
    taken = Folder.take(tmp_path / "whole", "data set")
    assert not taken.move(tmp_path / "other")
    taken.remove()
    assert _all(tmp_path) == {"other"}


def test_a_half_folder_is_left_for_a_moment_and_then_removed_if_nobody_put_anything_there(
    tmp_path: Path,
) -> None:
    for name in ("empty", "marked"):
        (tmp_path / f".waltax-half-{name}").mkdir()
    (tmp_path / ".waltax-half-marked" / MARKER).touch()
    before = _all(tmp_path)
    assert (_swept(tmp_path), _all(tmp_path)) == ([], before)
    for half in tmp_path.iterdir():
        os.utime(half, (0, 0))
    assert (_swept(tmp_path), _all(tmp_path)) == ([], set())


def test_a_half_folder_with_a_pipe_for_a_marker_holds_nobody_up(tmp_path: Path) -> None:
    half = tmp_path / ".waltax-half-x"
    half.mkdir()
    os.mkfifo(half / MARKER)
    places.sweep(tmp_path, "*", "work")


def test_a_folder_that_cannot_get_its_name_leaves_nothing_behind(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with pytest.raises(OSError, match="File name too long"):
        folder.make(tmp_path / ("x" * 300), "work")
    assert _all(tmp_path) == set()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_results_are_kept_in_no_folder_of_another_user_s(place: Path) -> None:
    theirs = place / "campaign"
    theirs.mkdir()
    shutil.chown(theirs, NOBODY)
    victim = place / "victim"
    victim.write_text("precious")
    (theirs / ".lock").symlink_to(victim)
    with (
        pytest.raises(UsageError, match=f"belongs to user {NOBODY}, and waltax writes into no"),
        places.results(theirs, lambda: True),
    ):
        pass
    assert victim.read_text() == "precious"
    theirs.chmod(0o777)
    shutil.chown(theirs, os.geteuid())
    with pytest.raises(UsageError, match="everybody may write into it"):
        places.require_own(theirs)


@pytest.mark.parametrize(
    ("is_new", "has_begun", "stays"),
    [(True, False, False), (True, True, True), (False, False, True)],
)
def test_only_new_results_of_a_campaign_that_never_began_are_removed(
    tmp_path: Path, is_new: bool, has_begun: bool, stays: bool
) -> None:
    campaign = tmp_path / "campaign"
    if not is_new:
        campaign.mkdir()
    with pytest.raises(WaltaxError), places.results(campaign, lambda: has_begun):
        raise WaltaxError("it cannot")
    assert campaign.exists() is stays
