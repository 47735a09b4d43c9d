"""What the runners must know of each workload; its size is in the profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..cell import BENCHES, workload_of
from ..dbbench.argv import READERS
from ..driver.client import Event
from ..workload import Parameter

Table = Mapping[str, Parameter]


@dataclass(frozen=True)
class Workload:
    """Its driver program has its name, and takes the command lines of `driver/argv.py`; db_bench,
    which is several workloads, takes its own.
    """

    throughput_unit: str
    column_families: int  # its tables', and RocksDB's default
    writes: tuple[str, ...]  # its operations that commit something
    empty_handed: tuple[str, ...]  # those of them that commit nothing when they find nothing
    size: str  # the parameter of a load that names the data set
    # Measured with `quick` on two cores, for plans.
    clone_growth: float  # what a session adds to a clone at most, by the size of the data set
    written_mib_per_s: float  # of slices, to the disk of the data; the mean over the devices
    data: Callable[[Table], str]  # what a load with these parameters makes, for people
    progress: Callable[[Event], str]  # a `progress` event of a load, for people
    loaded: Callable[[Event], str]  # its `loaded` event


def _linkbench_data(load: Table) -> str:
    ids = "the program's own number of ids"
    if "maxid1" in load:
        ids = f"{int(load['maxid1']) - int(load.get('startid1', 1)):,} ids"
    cap = int(load.get("degree_cap", 0))
    degrees = f"out-degree capped at {cap:,} links" if cap else "out-degree not capped"
    return f"{ids}; {degrees}{_others(load, 'maxid1', 'startid1', 'degree_cap')}"


def _tpcc_data(load: Table) -> str:
    count = int(load.get("warehouses", 1))
    return f"{count:,} warehouse{'s' if count != 1 else ''}{_others(load, 'warehouses')}"


def _others(load: Table, *said: str) -> str:
    """As the profile spells them, so that nothing which changes the data goes unsaid."""
    return "".join(f"; {name} = {value}" for name, value in load.items() if name not in said)


def _linkbench_progress(event: Event) -> str:
    return f"{event['ids']:,} ids, {event['links']:,} links in {event['seconds']:.0f} s"


def _linkbench_loaded(event: Event) -> str:
    return f"{event['links']:,} links of {event['nodes']:,} ids in {event['seconds']:.1f} s"


def _tpcc_progress(event: Event) -> str:
    done, seconds = f"{event['warehouses']:,} of {event['of']:,}", event["seconds"]
    return f"{done} warehouses, {event['rows']:,} rows in {seconds:.0f} s"


def _tpcc_loaded(event: Event) -> str:
    rows = sum(event["rows"].values())
    return f"{rows:,} rows of {event['warehouses']:,} warehouses in {event['seconds']:.1f} s"


def _dbbench(bench: str) -> Workload:
    """db_bench loads in silence. One run is small beside its data, and starts from them anew."""
    return Workload(
        throughput_unit="ops/s",
        column_families=1,
        writes=() if bench in READERS else ("PUT",),
        empty_handed=(),
        size="num",
        clone_growth=0.0,  # see `runners/dbbench/room.py`
        written_mib_per_s=0.0,
        data=lambda _: "",
        progress=lambda _: "",
        loaded=lambda _: "",
    )


# By the names of `cell.WORKLOADS`, and those of db_bench's benchmarks.
WORKLOADS = {
    "linkbench": Workload(
        throughput_unit="requests/s",
        column_families=5,
        writes=(
            *("ADD_NODE", "UPDATE_NODE", "DELETE_NODE"),
            *("ADD_LINK", "UPDATE_LINK", "DELETE_LINK"),
        ),
        empty_handed=("UPDATE_NODE", "DELETE_NODE", "DELETE_LINK"),
        size="maxid1",
        clone_growth=2.0,
        written_mib_per_s=10,
        data=_linkbench_data,
        progress=_linkbench_progress,
        loaded=_linkbench_loaded,
    ),
    "tpcc": Workload(
        throughput_unit="tpmC",
        column_families=12,
        writes=("NEW_ORDER", "PAYMENT", "DELIVERY"),
        empty_handed=("NEW_ORDER",),  # one in a hundred finds no item and is rolled back
        size="warehouses",
        clone_growth=1.0,
        written_mib_per_s=50,  # with compactions; a third of it in sessions too short for any
        data=_tpcc_data,
        progress=_tpcc_progress,
        loaded=_tpcc_loaded,
    ),
    **{workload_of(bench): _dbbench(bench) for bench in BENCHES},
}
