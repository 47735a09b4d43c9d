"""The guest's hardware as QEMU's plain emulation makes it, and one boot of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from guest_kernel import Kernel
from waltax.proc import launch

QEMU = "qemu-system-x86_64"
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


@dataclass(frozen=True)
class Boot:
    """How a boot ended; `seconds` is the host's wall time."""

    finished: bool
    seconds: float
    serial: Path


def boot(kernel: Kernel, initramfs: Path, home: Path, out: Path, within_s: float) -> Boot:
    """Run the guest until it powers off, or kill it after `within_s`; images are removed."""
    serial = home / "serial.log"
    images = {name: home / f"{name}.img" for name in _IMAGES_MIB}
    for name, path in images.items():
        with path.open("wb") as file:
            file.truncate(_IMAGES_MIB[name] * _MIB)
    began = time.monotonic()
    try:
        with _running(_argv(kernel, initramfs, images, serial, out), home) as process:
            finished = _wait(process, within_s)
    finally:
        for path in images.values():
            path.unlink(missing_ok=True)
    return Boot(finished, time.monotonic() - began, serial)


def _argv(
    kernel: Kernel, initramfs: Path, images: dict[str, Path], serial: Path, out: Path
) -> list[str]:
    argv = [QEMU, "-accel", "tcg,thread=multi", "-machine", "q35,nvdimm=on", "-cpu", "max"]
    argv += ["-smp", "2", "-m", "2G,slots=4,maxmem=4G", "-nodefaults", "-no-user-config"]
    argv += ["-display", "none", "-no-reboot", "-serial", f"file:{serial}"]
    argv += ["-kernel", str(kernel.image), "-initrd", str(initramfs)]
    argv += ["-append", "console=ttyS0 panic=-1 quiet mitigations=off"]
    for name, path in images.items():
        if name.startswith("dimm"):
            size = f"size={_IMAGES_MIB[name]}M"
            argv += ["-object", f"memory-backend-file,id={name},share=on,mem-path={path},{size}"]
        else:
            # Nothing on these disks outlives the guest: the host need not flush.
            argv += ["-drive", f"if=none,id={name},file={path},format=raw,cache=unsafe"]
    for device in _DEVICES:
        argv += ["-device", device]
    shared = "security_model=none,multidevs=remap"
    argv += ["-virtfs", f"local,path=/,mount_tag=host,readonly=on,{shared}"]
    return [*argv, "-virtfs", f"local,path={out},mount_tag=out,{shared}"]


@contextlib.contextmanager
def _running(argv: list[str], home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """QEMU, which outlives neither the block nor this process."""
    with (home / "qemu.log").open("wb") as log:
        process = launch(argv, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()


def _wait(process: subprocess.Popen[bytes], within_s: float) -> bool:
    try:
        return process.wait(within_s) == 0
    except subprocess.TimeoutExpired:
        return False
