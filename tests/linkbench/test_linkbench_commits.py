"""How many of its requests the program `linkbench` says that it committed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from waltax.base import proc
from waltax.evidence import judgement
from waltax.evidence.witnesses import commits

_GOLDEN = Path(__file__).parent.parent / "golden" / "why" / "rows.jsonl"


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
    assert commits("linkbench", done) == done["commits"]
    # What rows of older releases know of it has the deletes of hidden links.
    older = {name: value for name, value in done.items() if name != "commits"}
    assert commits("linkbench", older) > done["commits"]


def test_one_client_whose_every_commit_was_synced_is_not_accused() -> None:
    """Of a row whose deletes found more links than were visible."""
    rows = map(json.loads, _GOLDEN.read_text().splitlines())
    sync = {"workload": "linkbench", "durability": "sync", "rung": ""}
    true = next(one for one in rows if sync.items() <= one.items())
    found = {"op_DELETE_LINK_count": true["tap_syncs"] + 9, "op_DELETE_LINK_not_found": 0}
    alone = true | found | {"threads": 1, "slice_requests": true["requests"]}
    (said,) = judgement.untrue(alone)
    assert f"{true['tap_syncs'] + 9} commits of 1 clients" in said
    assert judgement.untrue(alone | {"commits": true["tap_syncs"]}) == []
