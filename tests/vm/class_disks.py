"""A disk of each device class, as QEMU's plain emulation makes it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

_MIB = 1 << 20
# Sparse files, by the name that the disk's device takes. XFS wants 300 MiB.
_IMAGES_MIB = {
    "nvme": 512,
    "paths": 64,
    "sata": 512,
    "spin": 64,
    "hdd": 64,
    "sas": 64,
    "scsi": 512,
    "virtio": 512,
    "vscsi": 64,
    "usb": 64,
    "dimm0": 513,
    "dimm1": 65,
}
# Each disk says by its model or serial number which it is: the kernel's names depend on who
# answers first. `rotation_rate=1` says solid state.
_DEVICES = (
    "nvme,drive=nvme,serial=waltax-nvme",
    # One name space behind two controllers: native multipath.
    "nvme-subsys,id=paths,nqn=paths",
    "nvme,subsys=paths,serial=waltax-paths",
    "nvme,subsys=paths,serial=waltax-paths",
    "nvme-ns,drive=paths,nsid=1,shared=on",
    "ide-hd,drive=sata,bus=ide.0,model=WALTAX-SATA,rotation_rate=1",
    "ide-hd,drive=spin,bus=ide.1,model=WALTAX-SPIN,rotation_rate=7200",
    # This controller shows no disk without a world-wide name.
    "mptsas1068,id=sas",
    "scsi-hd,drive=hdd,bus=sas.0,product=WALTAX-HDD,rotation_rate=7200,wwn=0x5000c50000000001",
    "scsi-hd,drive=sas,bus=sas.0,product=WALTAX-SAS,rotation_rate=1,wwn=0x5000c50000000002,"
    "write-cache=off",
    "lsi53c895a,id=scsi",
    "scsi-hd,drive=scsi,bus=scsi.0,product=WALTAX-SCSI,rotation_rate=7200",
    "virtio-scsi-pci,id=vscsi",
    "scsi-hd,drive=vscsi,bus=vscsi.0,product=WALTAX-VSCSI,rotation_rate=7200",
    "virtio-blk-pci,drive=virtio,serial=waltax-virtio",
    "qemu-xhci",
    "usb-storage,drive=usb,serial=waltax-usb",
    "nvdimm,id=nv0,memdev=dimm0,label-size=1M",
    "nvdimm,id=nv1,memdev=dimm1,label-size=1M",
)


@contextlib.contextmanager
def plugged(home: Path) -> Iterator[list[str]]:
    """QEMU's arguments for all of them; their images lie in `home` for as long."""
    images = {name: home / f"{name}.img" for name in _IMAGES_MIB}
    for name, path in images.items():
        with path.open("wb") as file:
            file.truncate(_IMAGES_MIB[name] * _MIB)
    try:
        yield _argv(images)
    finally:
        for path in images.values():
            path.unlink(missing_ok=True)


def _argv(images: dict[str, Path]) -> list[str]:
    argv = []
    for name, path in images.items():
        if name.startswith("dimm"):
            size = f"size={_IMAGES_MIB[name]}M"
            argv += ["-object", f"memory-backend-file,id={name},share=on,mem-path={path},{size}"]
        else:
            # Nothing on these disks outlives the guest: the host need not flush.
            argv += ["-drive", f"if=none,id={name},file={path},format=raw,cache=unsafe"]
    for device in _DEVICES:
        argv += ["-device", device]
    return argv
