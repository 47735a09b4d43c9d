"""Campaigns of two builds of RocksDB, each with a driver of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rocksdb_roots import LIBRARY, debians, linked
from waltax.base import proc
from waltax.engines.server import binaries

_PADDING = b"\0"  # behind an ELF file: it changes nothing but the digest


@pytest.fixture(scope="module")
def roots() -> Iterator[tuple[Path, Path]]:
    with linked() as found:
        yield found


def _asked(profile: Path, **named: Path) -> list[object]:
    flags = [f"--build={name}={root}" for name, root in named.items()]
    return ["--profile", profile, "--device", "nvme", "--wal", "flush", "--seed", 7, *flags]


@pytest.mark.nightly
@pytest.mark.drawn
def test_builds_take_turns_and_each_row_says_what_its_process_mapped(
    waltax: Any, tiny: Callable[..., Path], roots: tuple[Path, Path]
) -> None:
    kv = waltax.of("kv-fillrandom")
    profile = tiny(rounds_per_session=2)
    done = kv.run(*_asked(profile, base=roots[0], new=roots[1]))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = kv.rows()
    cells = {f"rocksdb-kv-fillrandom-tiny-{mode}-t2" for mode in ("off-off", "nvme-flush")}
    assert {row["cell"] for row in rows} == {f"{one}@{b}" for one in cells for b in ("base", "new")}
    by_round = {(row["session"], row["round"]) for row in rows}
    assert len(rows) == 4 * len(by_round)
    for row in rows:
        root = roots[0] if row["build"] == "base" else roots[1]
        sha256 = proc.run(["sha256sum", LIBRARY]).split()[0]
        assert row["engine_files"] == {str(root / "lib" / LIBRARY.name): sha256}
        assert (row["engine_linked_in"], row["build_revision"]) == (False, "")
        assert row["driver_compiler"].partition(" ")[0] in ("GNU", "Clang")
        assert "-O3" in row["driver_compiler_flags"]
    assert len({row["driver_digest"] for row in rows}) == 2
    # The same bytes: said before and after, and no warning of a mix of versions.
    assert "warning: builds base and new have the same bytes: this is an A/A" in done.stdout
    assert "build new against base: " in done.stdout
    told = json.loads((kv.folder() / "builds.json").read_text())
    assert [one["device"] for one in told["sweeps"][0]["points"]] == ["off", "nvme"]
    assert "builds base and new have the same bytes: an A/A comparison" in done.stdout
    assert "--build base=" in (kv.folder() / "report.html").read_text()
    # One load for the same bytes.
    assert done.stdout.count("loading mix-") == 1


@pytest.mark.nightly
def test_a_library_that_is_replaced_meanwhile_fails_its_build_by_name_and_not_the_other(
    waltax: Any, tiny: Callable[..., Path], roots: tuple[Path, Path]
) -> None:
    kv = waltax.of("kv-fillrandom")
    profile = tiny(rounds_per_session=4, time_budget_s=4.0)
    library = roots[1] / "lib" / LIBRARY.name
    whole = library.read_bytes()
    begun = kv.start(*_asked(profile, base=roots[0], new=roots[1]))
    try:
        kv.wait_for_rows(begun, 5)
        beside = library.with_name("beside")
        beside.write_bytes(whole + _PADDING)
        os.replace(beside, library)  # noqa: PTH105 - as an install does it
        said, _ = begun.communicate(timeout=120)
    finally:
        begun.kill()
        library.write_bytes(whole)
    assert begun.returncode == 1, said
    rows = kv.rows()
    failed = [row for row in rows if row["status"] == "failed"]
    assert failed
    assert {row["build"] for row in failed} == {"new"}
    words = f"{library} was replaced or removed while it was in use"
    assert all(words in row["failure"] for row in failed)
    assert "FAILED with new: no comparison" in said
    assert rows[-1]["build"] == "base"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--workload=kv-fillrandom", "--receipts"], "--receipts: found --build as well"),
    ],
)
def test_builds_are_refused_where_programs_bring_their_own(
    waltax: Any, tmp_path: Path, words: list[str], says: str
) -> None:
    root = debians(tmp_path / "a")
    done = waltax.of().run("--profile=ci", "--device=nvme", f"--build=a={root}", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert says in done.stderr
    assert not waltax.results.exists() or not any(waltax.results.iterdir())


@pytest.mark.nightly
def test_servers_are_builds_whose_program_and_plugin_are_what_was_mapped(
    served: Any, tiny_of: Callable[..., Path]
) -> None:
    found = binaries.find("myrocks")
    words = ["--engine", "myrocks", "--profile", tiny_of("myrocks"), "--device", "nvme"]
    done = served.run(*words, f"--build=a={found.mariadbd}", f"--build=b={found.mariadbd}")
    assert done.returncode == 0, done.stdout + done.stderr
    plugin = (found.plugin_dir / "ha_rocksdb.so").resolve()
    for row in served.rows():
        assert set(row["engine_files"]) == {str(found.mariadbd.resolve()), str(plugin)}
        assert row["engine_linked_in"] is False
    told = json.loads((served.folder() / "builds.json").read_text())
    assert [one["device"] for one in told["sweeps"][0]["points"]] == ["off", "nvme"]
