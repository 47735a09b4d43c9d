"""Folders of ours and of a server's socket, and what the servers' user may put into its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.folders.folder import MARKER
from waltax.engines.server import access, datadir, private
from waltax.engines.server.server import Spec, running
from with_server import spec_in

Clones = Callable[..., Spec]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")


def _servers_user() -> tuple[int, int]:
    return access.owner() or (os.geteuid(), os.getegid())


def _is_closed(file: Path) -> bool:
    """Whether nobody but us and the servers' user reads it."""
    found = file.stat()
    groups = {0o640: _servers_user()[1]}
    return found.st_mode & 0o777 == 0o600 or groups.get(found.st_mode & 0o777) == found.st_gid


def test_a_sockets_folder_is_closed_and_the_servers_users(clone_of: Clones) -> None:
    with running(clone_of("myrocks")) as server:
        folder = server.socket.parent.stat()
        assert folder.st_mode & 0o777 == 0o700
        assert (folder.st_uid, folder.st_gid) == _servers_user()
        for file in (server.spec.config, server.spec.error_log):
            assert _is_closed(file), file


@pytest.mark.parametrize("mode", [0o755, 0o711, 0o770])
def test_an_open_folder_for_the_socket_is_refused(clone_of: Clones, mode: int) -> None:
    spec = clone_of("myrocks")
    spec.home.mkdir()
    (spec.home / "run").mkdir()
    access.give(spec.home / "run")
    (spec.home / "run").chmod(mode)
    with pytest.raises(UsageError, match=rf"run: .*with mode {mode:04o}.*must .*mode 0700"):
        _start(spec)
    assert not spec.error_log.exists()


@needs_root
def test_a_folder_that_another_made_for_the_socket_is_refused(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    theirs = spec.home.parent / "theirs"
    theirs.mkdir(0o700)
    os.chown(theirs, 4321, 4321)
    with pytest.raises(UsageError, match=r"theirs: belongs to user 4321 with mode 0700"):
        _start(replace(spec, socket=theirs / "s"))
    assert theirs.stat().st_uid == 4321


def test_a_link_in_place_of_the_sockets_folder_is_refused(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    elsewhere = spec.home.parent / "elsewhere"
    private.make_for_socket(elsewhere)
    spec.home.mkdir()
    (spec.home / "run").symlink_to(elsewhere)
    with pytest.raises(UsageError, match=r"run: no folder of ours"):
        _start(spec)


@needs_root
def test_a_home_of_another_user_is_refused(clone_of: Clones) -> None:
    spec = clone_of("myrocks")
    spec.home.mkdir()
    os.chown(spec.home, *_servers_user())
    with pytest.raises(UsageError, match=r"test: .*home: belongs to user \d+, and must .* user 0"):
        _start(spec)


@needs_root
def test_the_servers_user_changes_nothing_that_root_reads_or_writes(clone_of: Clones) -> None:
    spec = clone_of("innodb")
    with running(spec):
        for act in ("rm -f my.cnf", "ln -sf /etc/shadow error.log", "touch new", "rmdir no-files"):
            done = subprocess.run(
                ["sh", "-c", act], cwd=spec.home, check=False, **access.as_owner()
            )
            assert done.returncode != 0, act
        for name in ("my.cnf", "error.log"):
            assert (spec.home / name).lstat().st_uid == 0


def test_others_see_nothing_of_a_servers_data(clone_of: Clones, place: Path) -> None:
    spec = clone_of("innodb")
    made = replace(spec_in(place / "new", "innodb"), wal_dir=None)
    datadir.create(made)
    for folder in (spec.datadir, made.datadir, made.home / "tmp"):
        assert folder.stat().st_mode & 0o077 == 0
    for file in (made.config, made.home / "install.log"):
        assert _is_closed(file), file


@needs_root
def test_nothing_is_given_away_through_links(place: Path) -> None:
    folder, secret = place / "folder", place / "secret"
    (folder / "below").mkdir(parents=True)
    (secret).mkdir()
    (secret / "file").touch()
    (folder / "link").symlink_to(secret)
    (folder / "below" / "file").symlink_to(secret / "file")
    access.give(folder)
    assert (folder / "below").stat().st_uid == _servers_user()[0]
    assert {secret.stat().st_uid, (secret / "file").stat().st_uid} == {0}
    with pytest.raises(WaltaxError, match="cannot be given"):
        access.give(folder / "link")


@needs_root
def test_a_file_with_a_second_name_is_not_given_away(place: Path) -> None:
    (place / "folder").mkdir()
    (place / "secret").touch()
    (place / "folder" / "data").hardlink_to(place / "secret")
    with pytest.raises(WaltaxError, match=r"data: has 2 names"):
        access.give(place / "folder")
    assert (place / "secret").stat().st_uid == 0


@needs_root
def test_our_marker_and_other_file_systems_stay_whose_they_are(place: Path) -> None:
    mounted = place / "folder" / "mounted"
    mounted.mkdir(parents=True)
    (place / "folder" / MARKER).touch()
    argv = ["mount", "-t", "tmpfs", "-o", "mode=0755", "none", str(mounted)]
    mount = subprocess.run(argv, capture_output=True, check=False)
    try:
        (mounted / "file").touch()
        access.give(place / "folder")
        kept = {(place / "folder" / MARKER).stat().st_uid}
        if mount.returncode == 0:
            kept |= {mounted.stat().st_uid, (mounted / "file").stat().st_uid}
    finally:
        subprocess.run(["umount", str(mounted)], capture_output=True, check=False)
    assert kept == {0}


def test_what_is_read_in_a_servers_folder_is_not_behind_a_link(place: Path) -> None:
    (place / "deep").mkdir()
    (place / "deep" / "file").write_text("words")
    (place / "way").symlink_to(place / "deep")
    (place / "deep" / "link").symlink_to("file")
    os.mkfifo(place / "deep" / "pipe")
    assert private.read(place, "deep", "file") == "words"
    for names in (("way", "file"), ("deep", "link"), ("deep", "pipe")):
        with pytest.raises(OSError, match=r"symbolic links|Not a directory|is no file"):
            private.read(place, *names)


@pytest.mark.parametrize("name", ["kept.frm", "#rocksdb/000099.sst", "folder"])
def test_a_clone_does_not_follow_a_link_in_the_data(place: Path, name: str) -> None:
    """The servers' user can put one there, and we may read what that user may not."""
    (place / "data" / "#rocksdb").mkdir(parents=True)
    (place / "secret").write_text("secret")
    (place / "data" / name).symlink_to(place / ("secret" if "." in name else "data"))
    with pytest.raises(WaltaxError, match=rf"{name}: neither a file nor a folder"):
        datadir.clone(place / "data", place / "clone", "myrocks", None)
    assert not [path for path in (place / "clone").rglob("*") if path.is_file()]


def _start(spec: Spec) -> None:
    with running(spec):
        pass
