"""Lines of `study-sqlops` that are made up."""

from __future__ import annotations

from typing import Any

_ROUNDS = 4


def _slice(
    statement: str, engine: str, way: str, mode: str, number: int, per_s: float, **more: Any
) -> dict[str, Any]:
    return {
        **{"way": way, "engine": engine, "workload": f"sqlops-{statement}", "durability": mode},
        **{"round": number, "throughput": per_s, "latency_us_p50": 1e6 / per_s, **more},
    }


def statement_lines(myrocks: float, statement: str = "insert") -> list[dict[str, Any]]:
    """InnoDB does 1000 a second, within 1 %, and MyRocks so many times as much."""
    lines = []
    for number in range(_ROUNDS):
        wobble = 1 + 0.01 * (number % 2)
        for engine, factor in (("innodb", 1.0), ("myrocks", myrocks * wobble)):
            done = [1000, 1000, 3000]
            lines.append(
                _slice(
                    statement, engine, "arrivals", "sync", number, 1000 * factor, requests_done=done
                )
            )
            modes = {"innodb": ("delayed", "flush", "sync"), "myrocks": ("off", "flush", "sync")}
            for mode, share in zip(modes[engine], (1.0, 0.9, 0.5), strict=True):
                per_s = 2000 * factor * share
                lines.append(_slice(statement, engine, "closed", mode, number, per_s))
    return lines
