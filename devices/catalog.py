"""The catalog, with one TOML file a device in this folder, and the user's own files.

~/.config/waltax/devices.toml lists the devices that are real on a machine, a table per device:

[nvme]
path = "/mnt/nvme"
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..base.errors import UsageError, meant
from ..base.tomlfile import Strict, read_toml, validate
from ..device_names import WITH_DATA, is_point
from .device import NAME_PATTERN, Device

CATALOG = Path(__file__).resolve().parent
_WITH_DATA = Device.model_validate(
    {
        "name": WITH_DATA,
        "title": "The data directory's file system",
        "stands_for": "whatever the data are on",
        "class": "virtual",  # no directory can contradict this class
        "kind": "none",
        "power_loss_protection": "unknown",
        "notes": "The log beside the data, as a server or a library places it that is not told "
        "otherwise. Its file is not in the catalog, since it stands for no hardware.",
    }
)
"""Where most installations keep their log: on the file system of the data.

Each cell has its own directory beside its data: see `resolve`.
"""


def names() -> tuple[str, ...]:
    """Return the catalog's device names, sorted."""
    return tuple(sorted(path.stem for path in CATALOG.glob("*.toml")))


def load(name_or_path: str | Path, wal_dir: str | Path | None = None) -> Device:
    """Return a device of the catalog by name, or of the user by the path of its TOML file.

    With `wal_dir` the device is real and its WAL goes below that directory, whatever the TOML says.
    `with-data` needs none: its WAL goes beside the data. Raises UsageError for an unknown name, a
    file that is not a valid device, and `wal_dir` on a device that writes no WAL.
    """
    if str(name_or_path) == WITH_DATA:
        return _WITH_DATA
    return placed(_read(_find(str(name_or_path))), wal_dir)


def placed(device: Device, wal_dir: str | Path | None) -> Device:
    """Return the device with its WAL below `wal_dir` if that is given. Errors: as `load`."""
    if wal_dir is None:
        return device
    if device.is_off:
        raise UsageError(f"{device.name} writes no WAL, so it takes no WAL directory ({wal_dir})")
    return device.model_copy(update={"path": str(Path(wal_dir).expanduser().absolute())})


def unknown(name: str) -> UsageError:
    """Return the error for a name that is not in the catalog."""
    drive = "; for a drive name its class, and a directory on it as --wal-dir"
    return UsageError(
        f'unknown device "{name}"; valid names are {", ".join(names())} (from {CATALOG}), '
        "or the path of an existing file, a .toml or what fio printed"
        f"{drive if '/' in name else meant(name, names())}"
    )


def _find(name_or_path: str) -> Path:
    path = Path(name_or_path).expanduser()
    if path.suffix == ".toml":
        return path
    path = CATALOG / f"{name_or_path}.toml"
    if not re.fullmatch(NAME_PATTERN, name_or_path) or not path.is_file():
        raise unknown(name_or_path)
    return path


def _read(path: Path) -> Device:
    device = validate(path, read_toml(path), Device)
    is_ours = device.name in (*names(), WITH_DATA) or is_point(device.name)
    if path.resolve().parent != CATALOG and is_ours:
        raise UsageError(
            f'{path}: name: "{device.name}" is taken by the catalog in {CATALOG}; '
            "rows of two different models must not share a name"
        )
    if device.path is not None and not Path(device.path).expanduser().is_absolute():
        raise UsageError(f'{path}: path: found "{device.path}", want an absolute directory')
    return device


class UserDevice(Strict):
    """A user's entry for one device: the directory where it is mounted."""

    path: str


def user_config_path() -> Path:
    """Return the path of the user's devices.toml; XDG_CONFIG_HOME moves it."""
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(home).expanduser() / "waltax" / "devices.toml"


def user_paths() -> dict[str, Path]:
    """Return the directory of each device that the user's file makes real; {} without the file.

    Raises UsageError for a device that is not in the catalog, an unknown key, a relative path.
    """
    config = user_config_path()
    if not config.is_file():
        return {}
    devices = validate(config, read_toml(config), dict[str, UserDevice])
    paths = {}
    for name, device in devices.items():
        if name not in names():
            raise UsageError(f"{config}: {unknown(name)}")
        path = Path(device.path).expanduser()
        if not path.is_absolute():
            raise UsageError(f'{config}: {name}.path: found "{path}", want an absolute directory')
        paths[name] = path
    return paths
