"""The table's size on disk, after a bulk load by its files, or filled by statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ... import profiles, workloads
from ...base import proc
from ...engines import ENGINES, SERVED
from ...engines.server.account import DATABASE, FLUSH
from ...row import Row
from ...runners.cells.driver import loading
from ...runners.cells.driver.process_cell import ProcessCell
from ..disk_sizes import measure
from ..study import Say
from .cells import Request, sized, varied
from .shapes import Shape

RATIOS = (0.1, 0.3, 1.0)
"""Shares of each text that do not repeat."""
_OWN = "compressibility = 0.7"
_SAYS = (
    "SELECT table_rows, data_length + index_length FROM information_schema.tables "
    f"WHERE table_schema = '{DATABASE}' AND table_name = 'student'"
)


def loaded(request: Request, shape: Shape, say: Say) -> Iterator[Row]:
    """Yield the sizes of a bulk load after a clean shutdown, for several compression ratios."""
    text = workloads.of(shape.workload).text
    for ratio in RATIOS:
        own = text.replace(_OWN, f"compressibility = {1 - ratio:g}")
        workload = varied(shape, f"{ratio:g}", own)
        for engine in SERVED:
            loaded = profiles.load(request.profile, engine)
            profile = sized(loaded, request, replace(shape, fills=False))
            path = loading.prepare(profile, workload, request.data_root, say)
            size = measure(engine, workload, path)
            yield {
                **{"way": "loaded", "engine": engine, "compression_ratio": ratio},
                **{"students": size.units, "file_bytes": size.data},
            }


def filled(lives: Sequence[ProcessCell]) -> Iterator[Row]:
    """Yield the size that each server reports for a filled table, before and after a rebuild."""
    for live in lives:
        live.thaw()
        # A server with log-structured tables counts only what is in its files.
        for what in ENGINES[live.cell.engine].served.flushes[:1]:
            _sql(live, f"CALL {FLUSH}.{what}()")
        _sql(live, "ANALYZE TABLE student")
        rows, before = _said(live)
        _sql(live, "OPTIMIZE TABLE student")
        _sql(live, "ANALYZE TABLE student")
        _, after = _said(live)
        live.freeze()
        yield {
            **{"way": "filled", "engine": live.cell.engine, "table_rows": rows},
            **{"schema_bytes": before, "schema_bytes_rebuilt": after},
        }


def _said(live: ProcessCell) -> tuple[int, int]:
    rows, size = _sql(live, _SAYS).split()
    return int(rows), int(size)


def _sql(live: ProcessCell, text: str) -> str:
    assert live.server is not None
    user = proc.user_name("a server knows users by their names")
    flags = ["--no-defaults", f"--socket={live.server.socket}", f"--user={user}"]
    return proc.run(["mariadb", *flags, "--batch", "--skip-column-names", "-e", text, DATABASE])
