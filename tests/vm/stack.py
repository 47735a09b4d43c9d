"""One place of the guest: how it is made there, and what waltax must say of it."""

from __future__ import annotations

from dataclasses import dataclass

# A file that is a loop device's disk.
LOOP = "dd if=/dev/zero of={file} bs=1M count=48 2>/dev/null && losetup -f --show {file}"


@dataclass(frozen=True)
class Stack:
    """One directory. `make` is what the guest's shell does, one after another, in this order.

    `layers` are those from the top; `says` and `never` are parts of lines of `waltax devices
    check` that must and must not be there.
    """

    name: str
    what: str
    make: str
    device_class: str
    layers: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    directory: str = ""  # /mnt/NAME when empty
    before: str = ""  # what makes the disk itself

    @property
    def where(self) -> str:
        return self.directory or f"/mnt/{self.name}"


def ext4(disk: str, name: str, options: str = "", mkfs: str = "") -> str:
    """The commands that put a file system on a disk and mount it as /mnt/`name`."""
    mount = f"-o {options} " if options else ""
    return (
        f"mkfs.ext4 -q -F -b 4096 {mkfs} {disk} && mkdir -p /mnt/{name} && "
        f"mount -t ext4 {mount}{disk} /mnt/{name}"
    )
