"""Bulk load of LinkBench: 1 M ids, and the paper's 10 M. `python -m waltax.bench load`"""

from __future__ import annotations

import os
import sys

from rich.table import Table

from ... import proc
from ...driver.argv import load_argv
from ...driver.client import Driver, Event
from ...profiles import load, options_file
from ...terminal import Terminal
from ..homes.plain import home

# What the study asks for on two cores, by ids.
_TARGET_S = {1_000_000: 30.0, 10_000_000: 360.0}


def main(arguments: list[str]) -> None:
    console = Terminal()
    scales = [int(word) for word in arguments] or list(_TARGET_S)
    table = Table("ids", "links", "rows/s", "seconds", "of target", "CPU s", "GB", box=None)
    for ids in scales:
        event = _load(ids)
        rows = event["nodes"] + event["links"] + event["index"] + event["counts"]
        target = _TARGET_S.get(ids)
        table.add_row(
            f"{ids:,}",
            f"{event['links']:,}",
            f"{rows / event['seconds']:,.0f}",
            f"{event['seconds']:.1f}",
            f"{event['seconds'] / target:.2f}" if target else "-",
            f"{event['cpu_s']:.1f}",
            f"{event['bytes'] / 1e9:.2f}",
        )
    console.print(table)


def _load(ids: int) -> Event:
    """Load into a folder that is removed at once, and return the driver's own account."""
    with home("load") as folder:
        options = folder / "rocksdb.options"
        options.write_text(options_file(load("paper"), "linkbench"))
        argv = load_argv(
            proc.program("linkbench"),
            folder / "db",
            threads=os.cpu_count() or 1,
            seed=1,
            parameters={"maxid1": ids + 1, "options_file": str(options)},
        )
        loader = Driver(f"load of {ids} ids", argv, log=folder / "stderr")
        event = loader.wait_for("loaded")
        loader.close()
        return event


if __name__ == "__main__":
    main(sys.argv[1:])
