"""Collect what the witnesses saw of one slice that its row does not keep."""

from __future__ import annotations

from ..devices.tap_page import TapCounters
from ..engines import ENGINES
from ..row import Row
from . import record
from .cells.live import Live, Measured


def moment(measured: Measured) -> Row:
    """Return what a slice is judged by beyond the columns that its row keeps.

    The tap's figures are since its start; those of directories are what they hold now.
    """
    event, so_far = measured.slice, measured.tap_so_far
    if "told" in event:  # somebody else's server
        return {}
    return {
        **_tap(so_far, others=max(0, len(measured.nodes) - 1)),
        "tap_rung": so_far.rung,
        "tap_read_latency_us": so_far.data_read_latency_ns / 1e3,
        "tap_data_read_bytes": measured.tap.data_read_bytes,
        "tap_data_reads_unasked": measured.tap.data_reads_unasked,
        "stray_wal_files": measured.stray_wal_files,
        # Processes' logs may share a flush, so nodes are judged one by one.
        "shares_flushes": len(measured.nodes) > 1,
        **measured.moment,
    }


def nodes(live: Live, measured: Measured, whole: Row) -> list[Row]:
    """Return what is judged of each node whose log has a tap of its own, as if it were one store:
    the row `whole` with the node's own figures. Nodes in the driver's process share a tap: none.
    """
    engine, event, rows = ENGINES[live.cell.engine], measured.slice, list[Row]()
    for number, node in enumerate(measured.nodes if len(measured.nodes) > 1 else ()):
        own = record.counted(engine, event["node_engines"][number]["counters"])
        own |= record.tap_columns(node.tap) | _tap(node.tap_so_far)
        own |= {"commits": event["nodes"][number]["commits"], "shares_flushes": False}
        rows.append({**whole, **own, "stray_wal_files": node.stray_wal_files})
    return rows


def _tap(so_far: TapCounters, others: int = 0) -> Row:
    """Return what pages of taps say since their start; `others` of them are nodes'."""
    return {
        "tap_attached": so_far.attached - others,
        "tap_emulated": bool(so_far.emulated),
        "tap_bypasses": so_far.bypasses,
    }
