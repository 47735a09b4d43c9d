"""Servers for tests: a data set per engine is made once, and each test has a clone of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.engines.server import datadir
from waltax.engines.server.server import Spec, running
from with_server import MEMORY, open_folder, spec_in, sql


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Path]:
    """As everywhere, but in memory: servers wait for a disk longer than they work.

    InnoDB opens files in another way there, so that what its settings say wants `on_disk`.
    """
    with open_folder(None if "on_disk" in request.fixturenames else MEMORY) as folder:
        yield folder


@pytest.fixture
def on_disk() -> None:
    """For those that use it, `place` is on a disk."""


@pytest.fixture(scope="session")
def data_sets() -> Iterator[Callable[[str], Path]]:
    """The data directory of an engine whose server was shut down. Not to be opened again."""
    with open_folder(MEMORY) as folder:
        made: dict[str, Path] = {}

        def data_set(engine: str) -> Path:
            if engine not in made:
                spec = replace(spec_in(folder / engine, engine), wal_dir=None)
                datadir.create(spec)
                with running(spec) as server:
                    sql(
                        server, "CREATE TABLE kept (a INT PRIMARY KEY); INSERT INTO kept VALUES (7)"
                    )
                    server.shutdown()
                made[engine] = spec.datadir
            return made[engine]

        yield data_set


@pytest.fixture(params=["myrocks", "innodb"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clone_of(place: Path, data_sets: Callable[[str], Path]) -> Callable[..., Spec]:
    """Makes a server's places in the test's folder: `clone_of(engine, mode)`."""

    def make(engine: str, mode: str = "flush") -> Spec:
        spec = spec_in(place, engine, mode)
        datadir.clone(data_sets(engine), spec.datadir, engine, spec.wal_dir)
        return spec

    return make
