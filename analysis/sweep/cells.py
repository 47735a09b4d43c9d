"""What a cell of a sweep did per sync and per request: sums over its accepted rows."""

from __future__ import annotations

from dataclasses import dataclass

from ...row import Row


@dataclass(frozen=True)
class Work:
    """Means over a cell's accepted slices, warm-up included. None: not recorded, or no sync."""

    sync_us: float | None  # as its caller waited
    model_sync_us: float | None  # as the device's model had it
    bytes_per_sync: float | None
    write_us_per_sync: float | None  # in the log's write calls
    burnt_us_per_sync: float | None  # CPU that the tap's syncs used, waiting included
    syncs_per_request: float | None
    commits_per_request: float | None
    commits_per_group: float | None
    cpu_us_per_request: float | None  # of client, engine and its background threads
    requests_per_s: float | None  # of all kinds, over the measured part
    cores: int | None
    threads: int
    paced: bool

    @property
    def cpu_share(self) -> float | None:
        """Of all cores' time; None when unknown."""
        if self.cpu_us_per_request is None or not self.cores or self.requests_per_s is None:
            return None
        return self.cpu_us_per_request * self.requests_per_s / 1e6 / self.cores


def work_of(rows: list[Row], cell: str) -> Work:
    mine = [one for one in rows if one["cell"] == cell]
    accepted = [one for one in mine if one["status"] == "ok"]

    def over(top: tuple[str, ...], bottom: str, scale: float = 1.0) -> float | None:
        above, below = _sum(accepted, *top), _sum(accepted, bottom)
        return scale * above / below if above is not None and below else None

    return Work(
        sync_us=over(("tap_sync_ns",), "tap_syncs", 1e-3),
        model_sync_us=over(("tap_wanted_ns",), "tap_syncs", 1e-3),
        bytes_per_sync=over(("tap_write_bytes",), "tap_syncs"),
        write_us_per_sync=over(("tap_write_ns",), "tap_syncs", 1e-3),
        burnt_us_per_sync=over(("tap_spin_ns", "tap_burn_ns"), "tap_syncs", 1e-3),
        syncs_per_request=over(("tap_syncs",), "slice_requests"),
        commits_per_request=over(_COMMITS, "slice_requests"),
        commits_per_group=over(_COMMITS, "rocksdb_write_self"),
        cpu_us_per_request=over(("cpu_engine_s", "cpu_driver_s"), "slice_requests", 1e6),
        requests_per_s=over(("requests",), "measure_s"),
        cores=next((one["cores"] for one in accepted if one.get("cores")), None),
        threads=mine[0]["threads"],
        paced=any(one.get("paced") for one in mine),
    )


_COMMITS = ("rocksdb_write_self", "rocksdb_write_other")


def _sum(rows: list[Row], *columns: str) -> float | None:
    """None when a slice lacks a column: a partial sum would look like a small one."""
    if not rows or any(one.get(column) is None for one in rows for column in columns):
        return None
    return float(sum(one[column] for one in rows for column in columns))
