"""Placing a device's WAL on this machine: in a real directory, an emulation, or nowhere."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..base.errors import UsageError, WaltaxError
from ..base.kernel import Kernel
from ..device_names import WITH_DATA
from .catalog import names, user_config_path, user_paths
from .check import check, mismatch, require_writable
from .device import Device
from .identity import identity
from .mounts import find_mount, read_mounts
from .tap_model import DeviceModel
from .witness import COUNTED, witness

SHM = Path("/dev/shm")
"""The memory file system of emulated devices' WALs."""


@dataclass(frozen=True)
class Placement:
    """A device as it resolves on this machine.

    WAL directories are made below `wal_root`, which is None for off, for WALs beside each cell's
    data, and for places that only their owner knows. `model` sets the cost of system calls in the
    tap, only when emulated. `warnings` go into every row; they include `mismatch`, which says how a
    directory contradicts the device's class when that was allowed. `identity` is that of a real
    directory.
    """

    device: Device
    kind: Literal["real", "emulated", "off", "owner"]
    wal_root: Path | None = None
    model: DeviceModel | None = None
    warnings: tuple[str, ...] = ()
    mismatch: str | None = None
    identity: str | None = None

    @property
    def emulated(self) -> bool:
        """Whether figures measured here must be called emulated."""
        return self.kind == "emulated"

    @property
    def with_data(self) -> bool:
        """Whether each cell's WAL is beside its data, on their file system."""
        return self.kind == "real" and self.wal_root is None

    @property
    def device_kind(self) -> str:
        """The row's device_kind: real, owner, none, or the evidence behind the model."""
        return self.kind if self.kind in ("real", "owner") else self.device.kind

    @property
    def digest(self) -> str:
        """A digest of the device, its directory and its latency model.

        For a real directory, the identity of its disk follows after a dot.
        """
        what = repr((self.device.name, self.kind, self.wal_root, self.model))
        digest = hashlib.sha256(what.encode()).hexdigest()[:12]
        return digest if self.identity is None else f"{digest}.{self.identity}"

    def is_elsewhere(self, kept: str) -> bool:
        """Return whether only the disk differs from when the digest `kept` was made."""
        then, now = kept.partition("."), self.digest.partition(".")
        return then[0] == now[0] and bool(then[2] and now[2]) and then[2] != now[2]


def resolve(
    device: Device,
    *,
    data_dir: Path | None = None,
    allow_mismatch: bool = False,
    kernel: Kernel | None = None,
) -> Placement:
    """Return where the device's WAL goes.

    Its path comes first (from `load(..., wal_dir)` or else its TOML), then the user's devices.toml,
    then its model. A real directory is compared with `data_dir`, which holds the engine's other
    files. Raises UsageError for a directory that is missing, read-only or, unless `allow_mismatch`,
    of another class; WaltaxError when the device cannot be emulated here.
    """
    kernel = kernel or Kernel()
    if device.is_off:
        return Placement(device, "off")
    if device.name == WITH_DATA:
        return _with_data(device, data_dir, kernel)
    path = Path(device.path).expanduser() if device.path else None
    path = path or user_paths().get(device.name)
    if path is not None:
        return _real(device, path, data_dir, allow_mismatch, kernel)
    if device.model is None:
        raise UsageError(
            f"{device.name} has no [model] to emulate it by; give its directory: {_where(device)}"
        )
    return _emulated(device, device.model.tap_model(), kernel)


def _with_data(device: Device, data_dir: Path | None, kernel: Kernel) -> Placement:
    """Return the placement beside the data, whose directory exists."""
    if data_dir is None:
        raise UsageError(f"{device.name} is beside the data, but nothing here has data")
    require_writable(data_dir, "data directory")
    warnings = check(data_dir, None, kernel).warnings
    return replace(_in(data_dir.resolve(), device, warnings, kernel), wal_root=None)


def _real(
    device: Device, path: Path, data_dir: Path | None, allow_mismatch: bool, kernel: Kernel
) -> Placement:
    require_writable(path)
    facts = check(path, data_dir, kernel)
    contradiction = mismatch(device.device_class, facts)
    if contradiction is None:
        return _in(path.resolve(), device, facts.warnings, kernel)
    if not allow_mismatch:
        raise UsageError(
            f"device {device.name}: {contradiction}; name another directory, or type "
            "--allow-mismatch, where the command takes it: this one is then measured, "
            "with the mismatch beside its figures"
        )
    warnings = (f"label not proven: {contradiction}", *facts.warnings)
    return replace(_in(path.resolve(), device, warnings, kernel), mismatch=contradiction)


def _in(root: Path, device: Device, warnings: tuple[str, ...], kernel: Kernel) -> Placement:
    """Return the placement in a real directory, with a warning if no device counts its syncs."""
    below = witness(root, kernel).below
    if not below.startswith(COUNTED):
        warnings = (*warnings, f"no witness below the file system: {below}")
    return Placement(device, "real", root, None, warnings, identity=identity(root, kernel))


def _where(device: Device) -> str:
    """Return where every command looks for a directory; not all take --wal-dir."""
    if device.name in names():
        return f"path under [{device.name}] in {user_config_path()}"
    return "path in its TOML"


def _emulated(device: Device, model: DeviceModel, kernel: Kernel) -> Placement:
    low = device.model.under_floor() if device.model else None
    if low is not None:
        raise UsageError(
            f"device {device.name} cannot be emulated: {low}; where the device itself is at hand, "
            f"give a directory on it: {_where(device)}"
        )
    mount = find_mount(read_mounts(kernel), str(SHM))
    if mount is None or mount.fs_type != "tmpfs":
        state = "not mounted" if mount is None else f"on {mount.fs_type}"
        raise WaltaxError(
            f"device {device.name} cannot be emulated here: {SHM} is {state}, want a tmpfs there"
        )
    warning = (
        f"emulated: latencies of {device.stands_for} ({device.kind}) over memory; "
        "nothing is durable"
    )
    probed = device.probe.warnings if device.probe else ()
    warnings = (warning, *(f"when it was probed: {text}" for text in probed))
    return Placement(device, "emulated", SHM, model, warnings)
