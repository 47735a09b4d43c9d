"""Whole disks: their class, their bus, and what the kernel says about their caches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from ..base.kernel import Kernel

UNKNOWN = "unknown"

# Names of block devices whose class the name alone decides.
_CLASS_BY_NAME = {
    "pmem": "pmem",
    "nullb": "ram",
    "zram": "ram",
    "ram": "ram",
    "nbd": "remote",
    "rbd": "remote",
    "drbd": "remote",
    "ublkb": "virtual",
    "xvd": "virtual",
}
# Parts of a sysfs path that name the bus. The first match wins: an iSCSI session may run over a
# virtio network card, so remote buses come before virtual ones.
_CLASS_BY_BUS = (
    ("session", "remote", "iscsi"),
    ("ndbus", "pmem", "nvdimm"),
    ("virtio", "virtual", "virtio"),
    ("vbd-", "virtual", "xen"),
    ("VMBUS", "virtual", "hyper-v"),
    ("pseudo_", "virtual", "scsi_debug"),
    ("usb", UNKNOWN, "usb"),
    ("ata", "sata", "sata"),
    ("end_device-", "sas", "sas"),
)
# Only its identity distinguishes an NVRAM card from other NVMe disks: Microsemi Flashtec NV1604 as
# listed in POWER firmware (skiboot, hw/phb4.c), the Flashtec NV16xx and Radian RMS-2xx by model.
_NVRAM_PCI_IDS = frozenset({"11f8:f117"})
_NVRAM_MODELS = ("NV16", "RMS-2")
_EBS_MODEL = "Amazon Elastic Block Store"


@dataclass(frozen=True)
class Disk:
    """A whole disk. None and "unknown" mean that the kernel does not say.

    `rotational` is None where the kernel's answer is unreliable: virtio reports 1 for every disk,
    and USB bridges report anything.
    """

    name: str
    device_class: str
    bus: str
    model: str = UNKNOWN
    rotational: bool | None = None
    write_cache: str = UNKNOWN
    fua: bool | None = None
    dax: bool | None = None


def read_disk(kernel: Kernel, path: str, name: str) -> Disk:
    """Return what the kernel says about a whole disk at `path` in sysfs."""
    model = kernel.read(f"{path}/device/model") or UNKNOWN
    device_class, bus = _classify(kernel, path, name, model)
    trusted = bus in ("sata", "sas", "nvme pcie")
    rotational = _flag(kernel, f"{path}/queue/rotational") if trusted else None
    return Disk(
        name=name,
        device_class="hdd" if rotational else device_class,
        bus=bus,
        model=model,
        rotational=rotational,
        write_cache=kernel.read(f"{path}/queue/write_cache") or UNKNOWN,
        fua=_flag(kernel, f"{path}/queue/fua"),
        dax=_flag(kernel, f"{path}/queue/dax"),
    )


def _classify(kernel: Kernel, path: str, name: str, model: str) -> tuple[str, str]:
    """Return (class, bus) of a whole disk."""
    if name.startswith("nvme"):
        return _classify_nvme(kernel, path, model)
    for prefix, device_class in _CLASS_BY_NAME.items():
        if name.startswith(prefix):
            return device_class, prefix
    parts = path.split("/")
    for mark, device_class, bus in _CLASS_BY_BUS:
        if any(part.startswith(mark) for part in parts):
            return device_class, bus
    return UNKNOWN, UNKNOWN


def _classify_nvme(kernel: Kernel, path: str, model: str) -> tuple[str, str]:
    """Return (class, bus) of an NVMe disk; the transport is unknown when its controllers disagree.

    With native multipath the disk is below its subsystem, beside the controllers that serve it.
    """
    beside = str(PurePosixPath(path).parent)
    places = [f"{path}/device", *(f"{beside}/{entry}" for entry in kernel.entries(beside))]
    transports = {place: kernel.read(f"{place}/transport") for place in places}
    controllers = {place: transport for place, transport in transports.items() if transport}
    names = set(controllers.values())
    transport = names.pop() if len(names) == 1 else UNKNOWN
    ids = {_pci_id(kernel, controller) for controller in controllers}
    if model.startswith(_EBS_MODEL) or transport not in ("pcie", UNKNOWN):
        device_class = "remote"
    elif transport == UNKNOWN:
        device_class = UNKNOWN
    elif ids & _NVRAM_PCI_IDS or any(mark in model for mark in _NVRAM_MODELS):
        device_class = "nvram"
    else:
        device_class = "nvme"
    return device_class, f"nvme {transport}"


def _pci_id(kernel: Kernel, controller: str) -> str:
    vendor = kernel.read(f"{controller}/device/vendor") or UNKNOWN
    device = kernel.read(f"{controller}/device/device") or UNKNOWN
    return f"{vendor.removeprefix('0x')}:{device.removeprefix('0x')}"


def _flag(kernel: Kernel, path: str) -> bool | None:
    return {"0": False, "1": True}.get(kernel.read(path) or "")
