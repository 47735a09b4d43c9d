"""Texts of others that must stay texts."""

from __future__ import annotations

from typing import Any

from page_rows import campaign_rows
from waltax.row import Row

MARKUP = '<img src=x onerror="alert(1)">'
SCRIPT = "</script><script>alert(2)</script>"
ESCAPE = "\x1b[2J\x1b]0;owned\x07"
RTL = "\u202eevil\u2066"
LONG = "w" * 200
TEXTS = (MARKUP, SCRIPT, ESCAPE, RTL, LONG, "{{ 7 * 7 }}", "javascript:alert(3)")


def rows() -> list[Row]:
    """Every text of a row that somebody else may have chosen is one of these."""
    names = dict(zip(("nvram", "nvme", "ssd"), (MARKUP, SCRIPT, LONG), strict=True))
    found = []
    for row in campaign_rows():
        name = names.get(row["device"], row["device"])
        no_wal = row["device"] == "off"
        row |= {
            "device": name,
            "cell": f"rocksdb-linkbench-quick-{name}-{row['durability']}-t4",
            "knob": "" if no_wal else f"x={RTL}{ESCAPE}",
            "campaign": f"c {MARKUP}",
            "profile": f"p {SCRIPT}",
            "warnings": list(TEXTS),
            "disturbed": [f"because {SCRIPT}"],
            "cpu_model": MARKUP,
            "kernel": SCRIPT,
            "git_commit": ESCAPE,
            "isolation": MARKUP,
            "wal_dir": f"/mnt/{MARKUP}",
            "versions": {SCRIPT: MARKUP, "waltax": RTL},
            "flags": ["--password=hunter2"],
        }
        found.append(row)
    return found


KEPT: dict[str, Any] = {
    "kind": "run",
    "engine": MARKUP,
    "workloads": [SCRIPT],
    "profile": ESCAPE,
    "devices": [RTL, LONG],
    "doctor": [{"check": MARKUP, "state": SCRIPT, "text": RTL, "advice": ESCAPE}, 7],
    "environment": {"PASSWORD": "hunter2"},
}
