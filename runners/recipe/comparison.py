"""The cells of a comparison: each device, mode, knob and rung beside its baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ... import engines, workloads
from ...base.errors import UsageError
from ...cell import (
    BASELINE,
    BINLOG_FREE,
    BOTH_FREE,
    ENCODE,
    SYNC_FREE,
    WAIT,
    WAL_FREE,
    Cell,
)
from ...engines.knobs import KNOBS


def plan(
    baseline: Cell,
    devices: Sequence[str],
    durability: str | None,
    knobs: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> list[Cell]:
    """Return the cells of one comparison, with each baseline before the cells that need it.

    `baseline` has what they all share, and comes first where its engine can run without a log. Each
    device has one cell, or one per mode where the engine has no `off`; then one per knob, and one
    per mode of `beside` without a knob. `durability` None means sync, or all modes. A device that
    is named twice has two cells with replica marks: an A/A comparison. Errors: UsageError for what
    the engine cannot do.
    """
    _refuse_impossible(baseline, devices, durability)
    baseline = replace(baseline, device=BASELINE, durability="off")
    cells = [baseline] if engines.of(baseline.engine).has_off else []
    seen: dict[str, int] = dict.fromkeys([cell.device for cell in cells], 0)
    for device in devices:
        count = seen[device] = seen.get(device, 0) + 1
        if device == BASELINE and count == 1:
            continue  # the baseline itself
        replica = "" if count == 1 else f"r{count}"
        modes = [
            ((KNOBS[knob].mode if knob else "") or mode, knob)
            for mode in _modes(baseline.engine, device, durability)
            for knob in ("", *_of_mode(mode, knobs))
        ]
        cells += [
            replace(baseline, device=device, durability=mode).at(replica=replica, knob=knob)
            for mode, knob in (*modes, *((mode, "") for mode in beside))
        ]
    return cells


def ladder(baseline: Cell, devices: Mapping[str, bool]) -> list[Cell]:
    """Return the rungs from no log to each device, with `off` and `encode` once for all.

    `devices` says whether each is emulated. A real device has no rung `wait`, since only a model
    can be waited for alone. A server has a rung `delayed`, whose commits reach the kernel later.
    Errors: as `plan`.
    """
    engine = engines.of(baseline.engine)
    _refuse_impossible(baseline, list(devices), "sync")
    off = replace(baseline, device=BASELINE, durability="off")
    buffered = "delayed" if engine.on_server else "flush"
    cells = [off, replace(off, durability=buffered).at(rung=ENCODE)]
    for device, emulated in devices.items():
        synced = replace(off, device=device, durability="sync")
        cells += [replace(synced, durability="delayed")] if engine.on_server else []
        cells += [replace(synced, durability="flush"), synced.at(rung=SYNC_FREE)]
        cells += [synced.at(rung=WAIT)] if emulated else []
        cells += [synced]
    return cells


def _of_mode(mode: str, knobs: Sequence[str]) -> list[str]:
    """Return the knobs that are measured beside a mode; one with a mode of its own is not twice."""
    if mode in ("off", "delayed"):
        return []
    return [name for name in knobs if mode == "sync" or not KNOBS[name].mode]


def second_ladder(baseline: Cell, devices: Sequence[str]) -> list[Cell]:
    """Return the rungs of a server with a binlog: no log's syncs, either's alone, and both.

    Beside them is the baseline of every campaign, which is no rung. Errors: as `plan`.
    """
    cells = plan(baseline, devices, "sync")
    synced = [cell for cell in cells if not cell.is_baseline]
    freed = (BOTH_FREE, WAL_FREE, BINLOG_FREE)
    return cells + [cell.at(rung=rung) for cell in synced for rung in freed]


def _modes(engine: str, device: str, durability: str | None) -> list[str]:
    """Return the modes to measure on a device, the baseline first where it is one of them."""
    if device == BASELINE:
        return ["off"]
    if engines.of(engine).has_off:
        return [durability or "sync"]
    asked = [durability] if durability else ["sync", "flush"]
    return ["delayed", *(mode for mode in asked if mode != "delayed")]


def refuse_foreign_engine(workload: str, engine: str) -> None:
    """Refuse a workload on an engine that it does not run on. Errors: UsageError."""
    record = workloads.of(workload)
    name = workload if record.is_mix else record.sized_by
    if engines.of(engine).node_engine is not None and not record.sharded:
        known = ", ".join(name for name, one in workloads.WORKLOADS.items() if one.sharded)
        raise UsageError(
            f"--workload: found {name} with --engine {engine}, whose nodes only know the keys of "
            f"{known}; type --workload with one of these"
        )
    if record.engines is not None and engine not in record.engines:
        instead = record.engines[0]
        raise UsageError(
            f"--workload: found {name} with --engine {engine}, but "
            f"{record.why_engines}; type --engine {instead}, or "
            "another --workload"
        )


def _refuse_impossible(like: Cell, devices: Sequence[str], durability: str | None) -> None:
    engine = engines.ENGINES[like.engine]
    refuse_foreign_engine(like.workload, like.engine)
    if durability is not None and durability not in engine.modes:
        raise UsageError(
            f"--wal: found {durability} with --engine {engine.name}; {engine.why_not[durability]}; "
            f"type one of {', '.join(f'--wal {mode}' for mode in engine.modes)}"
        )
    if BASELINE in devices and not engine.has_off:
        raise UsageError(
            f"--device: found off with --engine {engine.name}, which always writes its log; leave "
            "it out: each device's mode `delayed` is measured beside the others, as their baseline"
        )
