"""A configuration, checked: every value known, of its type, in its range and at peace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ... import engines
from ...driver.argv import Scalar
from ...driver.original.properties import Property
from ...errors import UsageError, meant
from ...printable import shorten
from . import rules
from .keys import KEYS, LOAD_GENERATORS, RUN_GENERATORS, Key, Phase
from .properties import Config

# What an embedded engine is told, and a server was told when it was started.
_OF_THE_ENGINE = (
    *("write_options_sync", "write_options_disableWAL"),
    *("block_cache_mb", "write_buffer_mb", "compression"),
)
_STOCK_DATA_FILE = "Distribution.dat"


@dataclass(frozen=True)
class Settings:
    """Values by key, the original's defaults included; a key without either is absent.

    `notes` say what is different from what was written, `warnings` what is probably wrong.
    """

    values: Mapping[str, Scalar]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    data_file: Path | None  # None: the built-in out-degrees

    def whole(self, name: str) -> int:
        """Return a value that its kind has made a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def parameters(self, phase: Phase) -> dict[str, Scalar]:
        """Return the driver's flags for one phase, as `driver.argv` takes them."""
        flags = {
            key.flag: self.values[name]
            for name, key in KEYS.items()
            if key.flag and phase in key.phases and name in self.values
        }
        if self.data_file is not None:
            flags["data_file"] = str(self.data_file)
        if self.values["nlinks_func"] != "real":
            flags |= {name: self.values[name] for name in rules.ARITHMETIC}
        flags |= self._uniqueness(LOAD_GENERATORS)
        if phase is Phase.RUN:
            flags |= self._uniqueness(RUN_GENERATORS) | self._multiget()
        return flags

    def _uniqueness(self, generators: Collection[str]) -> dict[str, Scalar]:
        """Return the uniqueness of generators; a uniform one is one of motifs that repeats none."""
        return {
            f"{name}_uniqueness": self.values[f"{name}_uniqueness"]
            if self.values[name] == "motif"
            else 1.0
            for name in generators
            if name in self.values
        }

    def _multiget(self) -> dict[str, Scalar]:
        """Return how many links a multiget asks for: without a distribution it is one."""
        if "link_multiget_dist" not in self.values:
            return {"link_multiget_min": 0, "link_multiget_max": 2}
        return {
            f"link_multiget_{end}": self.values[f"link_multiget_dist_{end}"]
            for end in ("min", "max", "prob")
        }


def check(config: Config, phases: Collection[Phase], engine: str = engines.EMBEDDED) -> Settings:
    """Return the settings of `config`, if they are enough for `phases` on `engine`.

    Errors: UsageError with the key, its file and line, what was found and what is accepted.
    """
    written = {
        name: prop
        for name, prop in config.properties.items()
        if name != "link_multiget_dist" or prop.value.strip()  # blank: none, as in the original
    }
    known = {name: prop for name, prop in written.items() if name in KEYS}
    values = {name: _parse(KEYS[name], prop) for name, prop in known.items()}
    for name, key in KEYS.items():
        if key.default is not None:
            values.setdefault(name, key.default)
    origins = {name: prop.origin for name, prop in known.items()}
    rules.check(rules.Facts(values, origins, str(config.path)), phases)
    data_file, lost = _data_file(config, values)
    servers: list[str] = []
    if engine in engines.SERVED:
        servers = [_left_to_server(prop, name) for name, prop in known.items() if _told(name)]
        values = {name: value for name, value in values.items() if not _told(name)}
    dead = _without_effect(known, dead=True)
    warnings = (*_unknown(written), *dead, *servers, *_trailing(known), *lost)
    notes = (*_store_note(known, engine), *_without_effect(known, dead=False))
    return Settings(values, notes, warnings, data_file)


def _parse(key: Key, prop: Property) -> Scalar:
    text = prop.value.strip() if key.kind.trimmed else prop.value
    try:
        return key.kind.parse(text)
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {key.name}: found {shorten(prop.value)!r}, want {key.kind.accepted}"
        ) from None


def _unknown(written: Mapping[str, Property]) -> list[str]:
    warnings = []
    for name, prop in written.items():
        if name in KEYS:
            continue
        warnings.append(f"{prop.origin}: {name}: unknown key, ignored{meant(name, KEYS)}")
    return warnings


def _without_effect(known: Mapping[str, Property], *, dead: bool) -> list[str]:
    """Return a line for each reason why keys have no effect."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for name in known:
        if KEYS[name].unused and KEYS[name].dead is dead:
            by_reason[KEYS[name].unused].append(name)
    return [f"{', '.join(names)}: no effect: {reason}" for reason, names in by_reason.items()]


def _trailing(known: Mapping[str, Property]) -> list[str]:
    """Warn of blanks that the original cannot read and nobody sees (DEVIATION T20)."""
    return [
        f"{prop.origin}: {name}: blanks after the value, where the original would fail"
        for name, prop in known.items()
        if KEYS[name].kind.trimmed and prop.value != prop.value.rstrip()
    ]


def _told(name: str) -> bool:
    return name in _OF_THE_ENGINE


def _left_to_server(prop: Property, name: str) -> str:
    return (
        f"{prop.origin}: {name}: no effect: it is the server's own setting, from when it was "
        "started (waltax serve --wal MODE --profile NAME)"
    )


def _store_note(known: Mapping[str, Property], engine: str) -> list[str]:
    asked = known["linkstore"].value.strip().rpartition(".")[2]
    if engine in engines.SERVED:
        return [f"{asked}: runs on {engine} here, by SQL"]
    return [f"{asked}: runs on embedded RocksDB here"]


def _data_file(config: Config, values: Mapping[str, Scalar]) -> tuple[Path | None, list[str]]:
    """Return the user's out-degrees, and a warning when only the stock ones are not there."""
    relative = str(values.get("data_file", "")).strip()
    if not relative or values["nlinks_func"] != "real":
        return None, []
    path = config.find(relative)
    if path is not None:
        return path.resolve(), []
    origin = config.properties["data_file"].origin
    tried = shorten(" and no ".join(map(str, config.tried(relative))), 1000)
    if Path(relative).name != _STOCK_DATA_FILE:
        raise UsageError(
            f"{origin}: data_file: found {shorten(relative)!r}, but there is no {tried}"
        )
    return None, [f"{origin}: data_file: there is no {tried}; using the built-in copy of its CDF"]
