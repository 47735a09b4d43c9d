"""Whether Delivery walks over what it deleted. `python -m waltax.bench tombstones [MINUTES]`

NEW-ORDER is a queue: what is delivered leaves a tombstone at the low end, and a seek for the
oldest order would walk over all of them. The low-water mark lets it start behind. Printed per
minute: tombstones that the transactions skipped, for each Delivery, which must stay flat; and
Delivery's median latency over the first minute's, which grows with the database.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ...driver.argv import Parameters
from ..homes import tpcc as tpcc_home

_THREADS = 4
_MINUTE_S = 60.0


def main(arguments: list[str]) -> None:
    minutes = int(arguments[0]) if arguments else 10
    with tpcc_home.home("tombstones") as home:
        tpcc_home.fill(home, home / "db", warehouses=4)
        _measure(home, minutes)


def _measure(home: Path, minutes: int) -> None:
    db = home / "db"
    parameters: Parameters = {"durability": "off", "block_cache_mb": 1024}
    driver, _ = tpcc_home.start(home, db, db, threads=_THREADS, seed=1, parameters=parameters)
    first_us = 0.0
    print("minute  deliveries  tombstones skipped for each  p50 over the first minute's  data MB")
    for minute in range(minutes):
        event = driver.ask("slice", within_s=_MINUTE_S, cmd="run", warmup_s=0, measure_s=_MINUTE_S)
        delivery = event["operations"]["DELIVERY"]
        first_us = first_us or delivery["p50_us"]
        skipped = event["perf"].get("internal_delete_skipped_count", 0)
        print(
            f"{minute + 1:6}  {delivery['count']:10,}  {skipped / delivery['count']:27.2f}"
            f"  {delivery['p50_us'] / first_us:27.2f}  {event['data_bytes'] / 1e6:7,.0f}",
            flush=True,
        )
    print("check:", "passed" if driver.ask("check", within_s=600, cmd="check")["ok"] else "FAILED")
    driver.close()


if __name__ == "__main__":
    main(sys.argv[1:])
