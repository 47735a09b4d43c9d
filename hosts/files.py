"""What a reader looks up of a host's cells, in the campaign's folder."""

from __future__ import annotations

import json
from pathlib import Path

_CHECKS = "checks.jsonl"


def keep(folder: Path, host: str, name: str, text: str) -> None:
    """Keep a file that a host sent: its last of that name; of checks, those of all go together.

    A name that leads elsewhere is no file of ours, and is left out. Errors: OSError.
    """
    if name == _CHECKS:
        with (folder / name).open("a") as file:
            for line in text.splitlines():
                file.write(json.dumps({"host": host, **json.loads(line)}) + "\n")
    elif Path(name).name == name and Path(host).name == host:
        own = folder / "hosts" / host
        own.mkdir(parents=True, exist_ok=True)
        (own / name).write_text(text)
