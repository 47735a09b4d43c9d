"""A report's lines as CSV and JSON: the same figures for programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...owned.places import require_own

Line = dict[str, Any]


def write(name: str, lines: Sequence[Line], about: Line, folder: Path) -> list[Path]:
    """<name>.csv (`lines`, one each) and <name>.json (those below `about`); returns their paths.

    `lines` holds one at least, and all have the same keys.
    """
    require_own(folder)
    as_json, as_csv = folder / f"{name}.json", folder / f"{name}.csv"
    content = {"schema": 1, **about, "lines": list(lines)}
    as_json.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")
    with as_csv.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return [as_csv, as_json]
