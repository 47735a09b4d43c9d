"""How many of its requests the program `linkbench` says that it committed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from waltax.base import proc


def _linkbench(*words: str, said: str = "") -> dict[str, Any]:
    """The events by their names."""
    argv = [str(proc.program("linkbench")), *words]
    done = subprocess.run(argv, input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {event["event"]: event for event in map(json.loads, done.stdout.splitlines())}


def test_deletes_of_hidden_links_are_found_and_no_commits(tmp_path: Path) -> None:
    """With one client each commit is a record of the log, and nothing else is."""
    data = [f"--db={tmp_path / 'db'}", "--maxid1=1001", "--degree-cap=50"]
    _linkbench("load", *data)
    said = '{"cmd":"run","requests":20000}\n'
    done = _linkbench("run", *data, "--threads=1", said=said)["slice"]
    assert done["commits"] == done["counters"]["rocksdb.write.wal"]
