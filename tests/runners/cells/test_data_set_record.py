from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from waltax.runners.cells import data_set


def test_what_a_load_said_is_on_the_disk_before_the_data_set_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync, synced = os.fsync, list[tuple[str, bool]]()

    def note(descriptor: int) -> None:
        is_there = (tmp_path / "sets" / "one").exists()
        synced.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, is_there))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    with data_set.being_made(tmp_path / "sets" / "one") as partial:
        (partial / data_set.DATADIR).mkdir()
        data_set.keep(partial, {"event": "loaded"})
    named = [name for name, is_there in synced if not is_there]
    assert any(name.startswith(f".{data_set.RECORD}.") for name in named)
    assert data_set.is_complete(tmp_path / "sets" / "one")
    kept = (tmp_path / "sets" / "one" / data_set.RECORD).read_text()
    assert json.loads(kept) == {"event": "loaded"}
