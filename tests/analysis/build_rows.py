"""Rows of two builds that are made up."""

from __future__ import annotations

from collections.abc import Callable

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.row import Row

_DRIFT = (1.0, 1.4, 0.7)  # of the machine, by session: in every cell of a round alike


def build_rows(
    new: Callable[[str], float], sd: float = 0.005, bytes_of: tuple[str, str] = ("aa", "bb")
) -> list[Row]:
    """Three sessions of six rounds; `new` has the rates of build new, base's are 1000 and 600."""
    wobble, base = noise(sd, seed=5), {"off": 1000.0, "nvme": 600.0}
    rows = []
    for session, drift in enumerate(_DRIFT):
        for number in range(6):
            for build, sha256 in zip(("new", "base"), bytes_of, strict=True):
                for device, rate in base.items():
                    found = (new(device) if build == "new" else rate) * drift * wobble()
                    one = make_row(device, found, session, number, **EVIDENCE)
                    own = {
                        "build": build,
                        "cell": f"{one['cell']}@{build}",
                        "build_revision": f"of-{build}",
                        "engine_files": {f"/opt/{build}/librocksdb.so": sha256},
                        "versions": {"waltax": "0", "rocksdb": f"10.{len(build)}.0"},
                    }
                    rows.append(one | (NO_WAL if device == "off" else {}) | own)
    return rows
