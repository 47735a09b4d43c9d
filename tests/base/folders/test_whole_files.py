from __future__ import annotations

import os
from pathlib import Path

import pytest
from waltax.base.folders import atomic_file


def test_what_was_there_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for text in ("long, the first time", "short"):
        atomic_file.write(tmp_path / "file", text)
        assert (tmp_path / "file").read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "file").symlink_to(victim)
    atomic_file.write(tmp_path / "file", "ours")
    assert victim.read_text() == "precious"
    assert not (tmp_path / "file").is_symlink()


def test_a_reader_never_sees_half_of_a_file(tmp_path: Path) -> None:
    """A name that was opened before holds the old text to its end."""
    atomic_file.write(tmp_path / "file", "old")
    with (tmp_path / "file").open() as reader:
        atomic_file.write(tmp_path / "file", "new and longer")
        assert reader.read() == "old"


def test_the_text_is_synced_before_it_has_its_name_and_the_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "file", os.fsync
    synced: list[tuple[bool, bool]] = []

    def sync(descriptor: int) -> None:
        real(descriptor)
        synced.append((Path(f"/proc/self/fd/{descriptor}").resolve() == tmp_path, path.exists()))

    monkeypatch.setattr(os, "fsync", sync)
    atomic_file.write(path, "text")
    assert synced == [(False, False), (True, True)]
