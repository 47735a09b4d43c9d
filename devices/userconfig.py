"""Which devices are real on this machine: ~/.config/waltax/devices.toml, a table per device.

[nvme]
path = "/mnt/nvme"
"""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ..errors import UsageError
from ..tomlfile import read_toml, validate
from .catalog import names, unknown


class UserDevice(BaseModel):
    """What the user says about one device: the directory it is mounted at."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    path: str


def user_config_path() -> Path:
    """Return where the file is looked for; XDG_CONFIG_HOME moves it."""
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(home).expanduser() / "waltax" / "devices.toml"


def user_paths(config: Path | None = None) -> dict[str, Path]:
    """Return the directory of each device that the file makes real; none without the file.

    Raises UsageError for a device that is not in the catalog, an unknown key, a relative path.
    """
    config = config or user_config_path()
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
