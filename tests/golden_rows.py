"""Rows for `golden`, from the results of a campaign.

    golden_rows.py RESULTS/CAMPAIGN GOLDEN/KIND [ROUNDS [CELLS]]

What no report reads is left out, and where things were on that machine. The campaign should be
small: its figures are worth nothing, only the form of its reports counts. So three sessions do, of
as many ROUNDS, by default two, and of many cells those whose names the expression CELLS finds.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

_SESSIONS, _ROUNDS = 3, 2
_UNREAD = re.compile(
    r"(op|psi|diskstats|conflicts|innodb|generator)_.*|latency_hdr|flags|steal_s|"
    r"perf_(?!write_(wal|memtable)_time$|write_thread_wait_nanos$|iostats_(write|fsync)_nanos$).*|"
    r"machine_(?!rescheduling_ipis$|idle_entries$).*|"
    r"rocksdb_(?!write_(self|other)$).*|cpu_(workers|foreign)_s|(flush|user)_written_bytes|"
    r"latency_us_(?!p50$|p99$).*|tap_(?!opens$|writes$|syncs$|"
    r"bytes_not_kept$|syncs_at_once$|(sync|write|burn|spin|wanted)_ns$|"
    r"sync_us_|write_bytes$).*"
)
_DATA = re.compile(r"[^\"]*/(data/work)/[^/\"]+")
_BUILDS = re.compile(r"/[^\"]*/(build/releases/)")
_TEMPORARY = re.compile(r"(/dev/shm)/[^/\"]+")


def take(campaign: Path, folder: Path, rounds: int, cells: str) -> None:
    """Write rows, recipe and how it ended of a campaign's results into a folder of `golden`."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in (campaign / "rows.jsonl").read_text().splitlines()]
    early = (row for row in rows if row["session"] < _SESSIONS and row["round"] < rounds)
    few = [row for row in early if re.search(cells, row["cell"])]
    text = "".join(json.dumps(_thin(row), separators=(",", ":")) + "\n" for row in few)
    short = f"{campaign.name[:19]}-golden"  # the time that a campaign's name begins with
    (folder / "rows.jsonl").write_text(_placed(text).replace(campaign.name, short))
    if (campaign / "campaign.json").exists():
        recipe = json.loads((campaign / "campaign.json").read_text())
        text = _placed(json.dumps(_recipe(recipe), indent=1)) + "\n"
        (folder / "campaign.json").write_text(text)
    if (campaign / "summary.json").exists():
        summary = json.loads((campaign / "summary.json").read_text())
        ended = {name: summary[name] for name in ("stop_reason", "target_half_width")}
        (folder / "ended.json").write_text(json.dumps(ended, indent=1) + "\n")


def _thin(row: dict[str, Any]) -> dict[str, Any]:
    """What reports read; of the log's files their names alone, since `wal_dir` has the folder."""
    kept = {name: value for name, value in row.items() if not _UNREAD.fullmatch(name)}
    return kept | {"wal_files": [Path(one).name for one in row.get("wal_files", ())]}


def _placed(text: str) -> str:
    """Without the folders of the machine, and of the one campaign, that the log was in."""
    for place in (_DATA, _TEMPORARY, _BUILDS):
        text = place.sub(r"\1", text)
    return text


def _recipe(recipe: dict[str, Any]) -> dict[str, Any]:
    """Without the disk's identity; its profile and devices as files in the folder it is read in."""
    return {name: _beside(value) for name, value in recipe.items() if name != "data_identity"}


def _beside(value: Any) -> Any:
    if isinstance(value, list):
        return [_beside(one) for one in value]
    is_path = isinstance(value, str) and value.startswith("/")
    return Path(value).name if is_path else value


if __name__ == "__main__":
    campaign, kind, *more = sys.argv[1:]
    rounds, cells = [*more, *(str(_ROUNDS), "")[len(more) :]]
    take(Path(campaign), Path(kind), int(rounds), cells)
