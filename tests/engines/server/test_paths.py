"""Paths with every kind of letter, told to real servers, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.engines.server import datadir
from waltax.engines.server.server import Spec, running
from waltax.engines.server.settings import contradictions, wanted
from waltax.engines.server.spec import require_plain
from with_server import spec_in, sql

# As many names in a path as a socket's has room for.
_STRANGE = [
    'with a space/a "quoted" one/an apostrophe\'s',
    "a # hash/#/back\\slash\\n\\/-dash, comma & =",
    "ümläut € 漢字/half\"'quoted # and\\ mixed",
    "$HOME `id` $(id) * ? [a]/=[mariadbd]/!include x",
]


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize("name", _STRANGE)
def test_a_server_of_any_path_is_made_runs_and_recovers(
    place: Path, engine: str, name: str
) -> None:
    spec = spec_in(place / name, engine, "sync")
    datadir.create(spec)
    with running(spec) as server:
        rows = sql(server, "SHOW GLOBAL VARIABLES", "--raw").splitlines()
        sql(server, "CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)")
        server.shutdown()
    found = dict(row.split("\t", 1) for row in rows if "\t" in row)
    assert contradictions(wanted(engine, "sync", spec.places), found) == []
    for folder in (place / name, *(place / name).parents[: len(Path(name).parts) - 1]):
        assert [*folder.parent.iterdir()] == [folder]
    assert spec.wal_dir is not None
    assert list(spec.wal_dir.iterdir())


def test_a_clone_at_any_path_recovers_from_a_crash(
    clone_of: Callable[..., Spec], engine: str
) -> None:
    first = clone_of(engine)
    assert first.wal_dir is not None
    where = first.home.parent / _STRANGE[2]
    where.mkdir(parents=True)
    spec = replace(first, home=where / "home", datadir=where / "data", wal_dir=where / "wal")
    datadir.clone(first.datadir, where / "data", engine, where / "wal")
    for log in first.wal_dir.iterdir():
        (where / "wal" / log.name).write_bytes(log.read_bytes())
    with running(spec) as server:
        sql(server, "INSERT INTO kept VALUES (8)")
        server.kill()
    with running(spec) as server:
        assert sql(server, "SELECT COUNT(*) FROM kept") == "2\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a:b", "has a colon, at which"),
        ("a;b", "has a semicolon, at which"),
        ("a --user=b", "has a blank before dashes"),
        ("a\nb", r"has the character '\\n', which"),
        ("a\x1bb", r"has the character '\\x1b', which"),
        ("a\udcffb", r"has the character '\\udcff', which"),
        ("a🙂b", "has the character '🙂', which"),
    ],
)
def test_a_path_that_a_server_cannot_be_told_is_refused_before_anything_is_made(
    place: Path, name: str, words: str
) -> None:
    spec = spec_in(place / name, "myrocks")
    with pytest.raises(UsageError, match=rf"{words}.*with --data-dir"):
        datadir.create(spec)
    with pytest.raises(UsageError, match=words), running(spec):
        pass
    assert not list(place.iterdir())


def test_the_flag_of_the_path_is_named(place: Path) -> None:
    spec = replace(spec_in(place, "innodb"), wal_dir=Path("/a:b"))
    with pytest.raises(UsageError, match=r"'/a:b': has a colon.*with --wal-dir"):
        datadir.create(spec)
    assert not list(place.iterdir())


def test_ordinary_letters_are_taken() -> None:
    for name in _STRANGE:
        require_plain(Path("/data") / name)
