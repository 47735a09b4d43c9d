"""The catalog: one TOML a device, in this folder; and the user's own files."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import UsageError, meant
from ..tomlfile import read_toml, validate
from .device import NAME_PATTERN, Device
from .with_data import RECORD as WITH_DATA

CATALOG = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """Return the catalog's device names, sorted."""
    return tuple(sorted(path.stem for path in CATALOG.glob("*.toml")))


def load(name_or_path: str | Path, wal_dir: str | Path | None = None) -> Device:
    """Return a device of the catalog by name, or of the user by the path of its TOML file.

    With `wal_dir` the device is real and its WAL goes below that directory, whatever the TOML says.
    `with-data` needs none: its WAL goes beside the data. Raises UsageError for an unknown name, a
    file that is not a valid device, and `wal_dir` on a device that writes no WAL.
    """
    if str(name_or_path) == WITH_DATA.name:
        return WITH_DATA
    device = _read(_find(str(name_or_path)))
    if wal_dir is None:
        return device
    if device.is_off:
        raise UsageError(f"{device.name} writes no WAL, so it takes no WAL directory ({wal_dir})")
    return device.model_copy(update={"path": str(Path(wal_dir).expanduser().absolute())})


def unknown(name: str) -> UsageError:
    """Return the error for a name that is not in the catalog."""
    return UsageError(
        f'unknown device "{name}"; valid names are {", ".join(names())} (from {CATALOG}), '
        f"or the path of an existing .toml file{meant(name, names())}"
    )


def _find(name_or_path: str) -> Path:
    if re.fullmatch(NAME_PATTERN, name_or_path):
        path = CATALOG / f"{name_or_path}.toml"
    else:
        path = Path(name_or_path).expanduser()
        if path.suffix != ".toml":
            raise unknown(name_or_path)
    if not path.is_file():
        raise unknown(name_or_path)
    return path


def _read(path: Path) -> Device:
    device = validate(path, read_toml(path), Device)
    if path.resolve().parent != CATALOG and device.name in (*names(), WITH_DATA.name):
        raise UsageError(
            f'{path}: name: "{device.name}" is taken by the catalog in {CATALOG}; '
            "rows of two different models must not share a name"
        )
    if device.path is not None and not Path(device.path).expanduser().is_absolute():
        raise UsageError(f'{path}: path: found "{device.path}", want an absolute directory')
    return device
