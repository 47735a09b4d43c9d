"""Say what a program that was watched for one run syncs."""

from __future__ import annotations

from ..analysis.numerals import percent
from ..devices.tap_page import TapFile
from ..runners.cells.program.watch import Watched, is_log
from ..runners.recipe import command_line


def watched(seen: Watched, again: str) -> list[str]:
    """Return lines about a run that was watched; `again` ends the line to type next."""
    share = percent(seen.waited_s / seen.seconds)
    lines = [
        f"one run took {seen.seconds:.3g} s; syncs took {seen.waited_s:.3g} s ({share} % of that, "
        "waits of all threads together)",
        "",
        f"{'FILES':40} {'SYNCS':>9} {'WAITED s':>9} {'SHARE %':>8} {'WRITES':>9} {'KiB':>10}",
        *(_line(kind, seen) for kind in seen.counted.files),
    ]
    if seen.counted.dir_syncs:
        waited_s = seen.counted.dir_sync_ns / 1e9
        share = percent(waited_s / seen.seconds)
        lines.append(f"{'(folders)':40} {seen.counted.dir_syncs:9,} {waited_s:9.3f} {share:>8}")
    return [*lines, "", *seen.doubts(), *([] if seen.counted.bypasses else _advice(seen, again))]


def _line(kind: TapFile, seen: Watched) -> str:
    waited_s = kind.sync_ns / 1e9
    share = percent(waited_s / seen.seconds)
    return (
        f"{kind.name:40} {kind.syncs:9,} {waited_s:9.3f} {share:>8} {kind.writes:9,} "
        f"{kind.bytes / 1024:10,.1f}"
    )


def _advice(seen: Watched, again: str) -> list[str]:
    logs, others = seen.logs_and_others()
    if not logs:
        return ["It synced no file below its data, so no device of a log can cost it a wait."]
    typed, more = (" ".join(f"--log '{name}'" for name in names) for names in (logs, others))
    unsynced = [k.name for k in seen.counted.files if is_log(k.name) and k.writes and not k.syncs]
    if unsynced:
        return [
            f"{', '.join(unsynced)}: by name a log, which is written and not synced, so that no "
            "device can make it wait."
        ]
    also = f" Also synced: {', '.join(others)}; add {more} if it is to move, too." if others else ""
    return [
        f"By name and syncs, a log: {', '.join(logs)}.{also} What devices cost it:",
        f"  {command_line.program()} try {typed} {again}",
    ]
