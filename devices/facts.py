"""What a directory really sits on, as far as the kernel says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ..base.kernel import Kernel
from ..base.printable import one_line
from .block import UNKNOWN, Disk, read_disk
from .filesystem import FilesystemFacts, filesystem_of
from .mounts import MEMORY_TYPES, REMOTE_TYPES
from .stack import Layer, stack_of

_Facts = TypeVar("_Facts", Disk, FilesystemFacts)


@dataclass(frozen=True)
class DirectoryFacts:
    """A directory's file system, the layers below it from the top, and the disks at the bottom.

    A tmpfs or an NFS server counts as the disk of its stack, named by its type or its source.
    `device_class` is nvme, sata, sas, hdd, pmem, nvram, virtual, ram, remote or unknown; several
    disks of different classes make it unknown. `warnings` is filled by `check.check`.
    All texts are printable, on one line; `path` is the directory itself.
    """

    path: Path
    mount_point: str = UNKNOWN
    fs_type: str = UNKNOWN
    source: str = UNKNOWN
    filesystem: FilesystemFacts = field(default_factory=FilesystemFacts)
    layers: tuple[str, ...] = ()
    disks: tuple[Disk, ...] = ()
    device_class: str = UNKNOWN
    warnings: tuple[str, ...] = ()


def read_facts(path: Path, kernel: Kernel | None = None) -> DirectoryFacts:
    """Return what the kernel says about the directory, an absolute path, without writing to it."""
    kernel = kernel or Kernel()
    real = kernel.realpath(str(path))
    stack = stack_of(kernel, real)
    if stack is None or stack.mount is None:
        return DirectoryFacts(Path(real))
    mount, layers = stack.mount, list(stack.walk())
    disks = dict.fromkeys(disk for layer in layers for disk in _disks(kernel, layer))
    classes = {disk.device_class for disk in disks}
    return DirectoryFacts(
        path=Path(real),
        mount_point=one_line(mount.point),
        fs_type=one_line(mount.fs_type),
        source=one_line(mount.source),
        filesystem=_printable(filesystem_of(kernel, stack)),
        layers=tuple(one_line(layer.label) for layer in layers if layer.label),
        disks=tuple(map(_printable, disks)),
        device_class=classes.pop() if len(classes) == 1 else UNKNOWN,
    )


def _disks(kernel: Kernel, layer: Layer) -> Iterator[Disk]:
    """Yield the disk that a layer is, if any: memory and servers count as disks."""
    if layer.below or layer.file:
        return
    if layer.mount is not None and layer.mount.fs_type in MEMORY_TYPES:
        yield Disk(layer.mount.fs_type, "ram", "memory")
    elif layer.mount is not None and layer.mount.fs_type in REMOTE_TYPES:
        yield Disk(layer.mount.source, "remote", layer.mount.fs_type)
    elif layer.name and layer.label:  # it maps onto devices that are out of sight
        yield Disk(layer.name, UNKNOWN, UNKNOWN)
    elif layer.name:
        yield read_disk(kernel, layer.path, layer.name)


def _printable(facts: _Facts) -> _Facts:
    """Return `facts` with printable text: disk names and mount options are foreign, too."""
    texts: dict[str, Any] = {
        name: one_line(text) for name, text in vars(facts).items() if isinstance(text, str)
    }
    return replace(facts, **texts)
