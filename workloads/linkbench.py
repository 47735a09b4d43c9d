"""LinkBench as a workload: its names, its size, and its texts."""

from __future__ import annotations

from ..workload import Event, Parameter, Scale, Table, Unit, Workload, others

# The original's largest node has this many links for any number of ids.
_LARGEST_NODE = 961_963
_MIN_IDS = 1_000  # enough for the draws to differ
_LINKS_PER_ID = 4.3  # beside those of that node
WRITES = (
    *("ADD_NODE", "UPDATE_NODE", "DELETE_NODE"),
    *("ADD_LINK", "UPDATE_LINK", "DELETE_LINK"),
)
"""The operations that commit."""


def _links(load: Table) -> float:
    """Return about how many links the graph of a load has."""
    ids = int(load["maxid1"]) - int(load.get("startid1", 1))
    return _LINKS_PER_ID * ids + (int(load.get("degree_cap", 0)) or _LARGEST_NODE)


def _data(load: Table) -> str:
    ids = "the program's own number of ids"
    if "maxid1" in load:
        ids = f"{int(load['maxid1']) - int(load.get('startid1', 1)):,} ids"
    cap = int(load.get("degree_cap", 0))
    degrees = f"out-degree capped at {cap:,} links" if cap else "out-degree not capped"
    return f"{ids}; {degrees}{others(load, 'maxid1', 'startid1', 'degree_cap')}"


def _progress(event: Event) -> str:
    return f"{event['ids']:,} ids, {event['links']:,} links in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['links']:,} links of {event['nodes']:,} ids in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    """Shrink the graph and its largest node, which would be most of it otherwise."""
    ids = max(_MIN_IDS, round((int(load["maxid1"]) - 1) * share))
    cap = min(int(load.get("degree_cap", _LARGEST_NODE)), _LARGEST_NODE)
    return {**load, "maxid1": ids + 1, "degree_cap": max(1, round(cap * share))}, run


WORKLOADS = (
    Workload(
        name="linkbench",
        title="LinkBench",
        unit=Unit("requests/s", 1.0),
        column_families=5,
        writes=WRITES,
        scale=Scale("maxid1", "id", "nodes", _shrink, in_bytes=True, size=_links),
        clone_growth=2.0,
        written_mib_per_s=10,
        data=_data,
        progress=_progress,
        loaded=_loaded,
    ),
)
