"""A device as described by its TOML file: what it stands for, and on what evidence.

The models are strict: an unknown key, a wrong type or a negative number is an error, not a guess.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from ..base.printable import shorten
from ..base.tomlfile import Strict, matching
from .tap_model import (
    FLOOR_US,
    MAX_QUANTILES,
    MAX_SLEEPS,
    MAX_SYNC_ROWS,
    DeviceModel,
    SyncLatency,
    sync_us,
)

NAME_PATTERN = r"[a-z0-9]+(-[a-z0-9]+)*"
_NAME = matching(NAME_PATTERN, "lower case, digits and single dashes, as in my-nvme")
_LONGEST_US = 60e6
_ROUNDED = 1.01  # times written with few digits must not look like a contradiction
_QUANTILE = re.compile(r"p(\d{1,3})(?:_(\d{1,3}))?")

# Bounds that no device comes near: a figure beyond them is a typo or has the wrong unit, and values
# computed from it would overflow the tap's 64 bits of nanoseconds.
Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
MicroSeconds = Annotated[float, Field(ge=0, le=_LONGEST_US, allow_inf_nan=False)]
Size = Annotated[int, Field(gt=0, le=1 << 40)]

# From the best evidence to none. A measurement of the very product, by a third party or oneself, is
# "measured"; a figure of a similar product is "class-proxy"; reasoning alone is "estimate".
FigureKind = Literal["measured", "datasheet", "class-proxy", "estimate"]
_RANK = {"measured": 0, "datasheet": 1, "class-proxy": 2, "estimate": 3}


class Figure(Strict):
    """One number, its evidence, and the key under [sources] that says where it comes from."""

    value: Amount
    kind: FigureKind
    source: str


class SyncRow(Strict):
    """How long a sync of `bytes` unsynced bytes takes.

    `quantiles_us` maps p0, p50, p99_9 (99.9 %) and so on to microseconds; p50 is required. `kind`
    and `source` describe the median, `tail_kind` the other quantiles.
    """

    bytes: Size
    quantiles_us: dict[str, MicroSeconds]
    kind: FigureKind
    tail_kind: FigureKind
    source: str

    @field_validator("quantiles_us")
    @classmethod
    def _rising(cls, quantiles: dict[str, float]) -> dict[str, float]:
        pairs = sorted((_percent(key), key, us) for key, us in quantiles.items())
        if "p50" not in quantiles:
            raise ValueError("p50 is missing; give at least the median")
        if len(pairs) > MAX_QUANTILES:
            raise ValueError(f"{len(pairs)} quantiles, want {MAX_QUANTILES} or fewer")
        for (percent, low, low_us), (above, high, high_us) in pairwise(pairs):
            if percent == above:
                raise ValueError(f"{low} and {high} are the same quantile; keep one")
            if low_us > high_us:
                raise ValueError(
                    f"{low} = {low_us:g} is above {high} = {high_us:g}; times must rise with p"
                )
        return quantiles

    def latency(self) -> SyncLatency:
        """Return the row in the form of the tap's model."""
        pairs = sorted((_percent(key), us) for key, us in self.quantiles_us.items())
        return SyncLatency(self.bytes, tuple(pairs))


class Latencies(Strict):
    """The [model] table: `tap_model.DeviceModel` with evidence beside every number."""

    sync: Annotated[
        tuple[SyncRow, ...], Field(strict=False, min_length=1, max_length=MAX_SYNC_ROWS)
    ]
    write_us: Figure
    write_us_per_kib: Figure
    bandwidth_mb_per_s: Figure
    cache_mib: Figure
    cpu_caller_us: Figure
    cpu_kernel_us: Figure
    dir_sync_us: Figure
    # How often the caller of a sync sleeps. Absent: not known.
    sync_sleeps: Figure | None = None

    @field_validator("sync")
    @classmethod
    def _sizes_rise(cls, rows: tuple[SyncRow, ...]) -> tuple[SyncRow, ...]:
        for a, b in pairwise(rows):
            if a.bytes >= b.bytes:
                raise ValueError(f"bytes = {b.bytes} follows {a.bytes}; sizes must rise")
        return rows

    @field_validator("sync_sleeps")
    @classmethod
    def _sleeps_can_be_had(cls, sleeps: Figure | None) -> Figure | None:
        if sleeps is not None and sleeps.value > MAX_SLEEPS:
            raise ValueError(f"found {sleeps.value:g}, want {MAX_SLEEPS} or fewer in one sync")
        return sleeps

    @model_validator(mode="after")
    def _cpu_fits(self) -> Self:
        """Check CPU times against medians: rarer, shorter syncs may use less in the tap."""
        used = self.cpu_caller_us.value
        for row in self.sync:
            if used > _ROUNDED * row.quantiles_us["p50"]:
                raise ValueError(
                    f"a sync of {row.bytes} B takes {used:g} us of CPU time in its caller "
                    f"(cpu_caller_us), but its p50 is {row.quantiles_us['p50']:g} us; it cannot "
                    "take more than it lasts"
                )
        return self

    def under_floor(self) -> str | None:
        """Return which time is too short for the tap to emulate, None when none is."""
        for place, row in enumerate(self.sync):
            key, us = min(row.quantiles_us.items(), key=lambda pair: pair[1])
            if us < FLOOR_US:
                where = f"model.sync[{place}].quantiles_us"
                return f"{where}: {key} = {us:g} is under the tap's floor of {FLOOR_US:g} us"
        return None

    def figures(self) -> dict[str, Figure]:
        """Return the single numbers by key."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in values.items() if isinstance(value, Figure)}

    def tap_model(self) -> DeviceModel:
        """Return the model for the tap."""
        return DeviceModel(
            sync=tuple(row.latency() for row in self.sync),
            **{name: figure.value for name, figure in self.figures().items()},
        )


class Spread(Strict):
    """The [spread] table: the same drive in other states, such as worn or freshly trimmed.

    `fastest` and `slowest` say how many times as long a sync took there on average as in the model.
    """

    fastest: Annotated[float, Field(gt=0, le=1)]
    slowest: Annotated[float, Field(ge=1, le=1e6)]
    source: str


class Probe(Strict, extra="ignore"):
    """The [probe] table: what casts doubt on a probe. Older files have more, which is ignored."""

    warnings: Annotated[tuple[str, ...], Field(strict=False)]


class Device(Strict):
    """A named place for the WAL.

    `kind` is never better than the weakest median of the model, and "none" for a device without
    one. `path` is a directory on the real device; with it the model is not used. The tap uses
    neither `probe`, what `waltax devices probe` saw beside the model, nor `spread`.
    """

    name: Annotated[str, _NAME]
    title: str
    stands_for: str
    device_class: Annotated[
        Literal["nvme", "sata", "sas", "hdd", "pmem", "nvram", "virtual", "remote", "ram", "none"],
        Field(alias="class"),
    ]
    kind: FigureKind | Literal["none"]
    power_loss_protection: Literal["yes", "no", "partial", "unknown", "not applicable"]
    notes: str
    path: str | None = None
    sources: dict[str, str] = Field(default_factory=dict)
    model: Latencies | None = None
    spread: Spread | None = None
    probe: Probe | None = None

    @property
    def is_off(self) -> bool:
        """True for the device that stands for no WAL at all."""
        return self.device_class == "none"

    @model_validator(mode="after")
    def _evidence_holds(self) -> Self:
        if self.model is None:
            if self.kind != "none":
                raise ValueError(f'kind is "{self.kind}", but there is no [model]; write "none"')
            return self
        if self.is_off:
            raise ValueError('class "none" writes no WAL, so it has no [model]')
        # A probed time is evidence even if it is too fast to be replayed.
        low = self.model.under_floor() if self.probe is None and self.path is None else None
        if low is not None:
            raise ValueError(f"{low}; write {FLOOR_US:g} or more, or path = the device's directory")
        rows = self.model.sync
        used = {f.source for f in self.model.figures().values()} | {row.source for row in rows}
        used |= {self.spread.source} if self.spread else set()
        if missing := sorted(used - set(self.sources)):
            raise ValueError(f"source {shorten(', '.join(missing))} is not a key of [sources]")
        weakest = max((row.kind for row in rows), key=_RANK.__getitem__)
        if self.kind == "none" or _RANK[self.kind] < _RANK[weakest]:
            raise ValueError(f'kind is "{self.kind}", but a median in [model] is "{weakest}"')
        return self

    def typical_sync_us(self, size: int = 4096) -> float | None:
        """Return the median time of a sync of `size` bytes; None without a model.

        Between and beyond the rows it is computed as in the tap (tap_model.DeviceModel).
        """
        return None if self.model is None else sync_us(self.model.tap_model(), size, 50)


def _percent(key: str) -> float:
    """Return 99.9 for "p99_9"."""
    match = _QUANTILE.fullmatch(key)
    percent = float(f"{match[1]}.{match[2] or 0}") if match else -1.0
    if not 0 <= percent <= 100:
        raise ValueError(
            f"{shorten(key)} is not a quantile; write p50, p99 or p99_9, from p0 to p100"
        )
    return percent
