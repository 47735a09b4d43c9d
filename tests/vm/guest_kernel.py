"""What the guest boots: Debian's kernel package, unpacked but not installed, and an initramfs."""

from __future__ import annotations

import lzma
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from waltax.base.home import programs

INIT = Path(__file__).parent / "guest" / "init"
BUSYBOX = Path("/bin/busybox")

# The guest's drivers in the order in which it loads them, with their parameters. What they depend
# on comes before them by itself.
DRIVERS = (
    *("virtio_pci", "9pnet_virtio", "9p", "overlay"),
    *("ext4", "xfs", "loop", "dm-mod", "dm-delay"),
    *("nvme", "sd_mod", "ahci", "mptsas", "sym53c8xx", "virtio_blk", "virtio_scsi"),
    *("xhci_pci", "usb-storage"),
    *("nfit", "nd_btt", "nd_pmem", "dax_pmem"),
    *("nvmet-tcp", "nvme-tcp"),
    "null_blk gb=1 memory_backed=1 nr_devices=1",
    "brd rd_nr=3 rd_size=65536",
    "zram",
    "scsi_debug dev_size_mb=64",
)


@dataclass(frozen=True)
class Kernel:
    """An unpacked kernel: its image, and a folder with its drivers and their `order`."""

    image: Path
    modules: Path


def prepare(folder: Path) -> Kernel:
    """Return Debian's kernel, from `folder` where it was unpacked before.

    Errors: CalledProcessError, with the program's words in `stderr`; FileNotFoundError.
    """
    home = folder / "kernel"
    wanted = "\n".join(DRIVERS)
    drivers = home / "drivers"
    if not drivers.is_file() or drivers.read_text() != wanted:
        partial = folder / "partial"
        for old in (home, partial):
            shutil.rmtree(old, ignore_errors=True)
        partial.mkdir(parents=True)
        _unpack(partial)
        (partial / "drivers").write_text(wanted)
        partial.rename(home)
    return Kernel(home / "vmlinuz", home / "modules")


def _unpack(home: Path) -> None:
    """Download the package and keep of it the kernel and the drivers that the guest loads."""
    _run("apt-get", "download", _package(), cwd=home)
    [package] = home.glob("*.deb")
    tree = home / "tree"
    _run("dpkg-deb", "-x", str(package), str(tree))
    # Debian 13 moved /lib/modules below /usr.
    base = tree if (tree / "lib/modules").is_dir() else tree / "usr"
    release = next((base / "lib/modules").iterdir()).name
    _run("depmod", "-b", str(base), release)
    shutil.copy(tree / "boot" / f"vmlinuz-{release}", home / "vmlinuz")
    modules = home / "modules"
    modules.mkdir()
    (modules / "order").write_text("".join(_keep(base, release, modules)))
    shutil.rmtree(tree)
    package.unlink()


def _package() -> str:
    """The newest kernel: the package that linux-image-amd64 stands for."""
    words = _run("apt-cache", "depends", "linux-image-amd64").split()
    found = [word for word in words if word.startswith("linux-image-") and word[12].isdigit()]
    if not found:
        raise FileNotFoundError("linux-image-amd64: unknown to apt; run: apt-get update")
    return found[0]


def _keep(base: Path, release: str, modules: Path) -> list[str]:
    """Copy the drivers with what they depend on; returns lines for the guest to load."""
    lines: dict[str, str] = {}
    # A configuration of the host's (ndctl brings one) must not decide what the guest loads.
    asked = ("modprobe", "-C", "/dev/null", "-S", release, "-d", str(base), "--show-depends")
    for driver in DRIVERS:
        name, _, parameters = driver.partition(" ")
        paths = [Path(line.split()[1]) for line in _run(*asked, name).splitlines()]
        for path in paths:
            kept = modules / path.name.removesuffix(".xz")
            lines.setdefault(kept.name, f"{kept.name}\n")
            packed = path.read_bytes()
            kept.write_bytes(lzma.decompress(packed) if path.suffix == ".xz" else packed)
        if parameters:
            lines[kept.name] = f"{kept.name} {parameters}\n"
    return list(lines.values())


def initramfs(kernel: Kernel, repository: Path, home: Path, session: str) -> Path:
    """Write what the kernel unpacks as its first root, and return it: busybox, drivers, /init.

    `session` is a program of guest/, which /init hands over to.
    """
    tree = home / "initramfs"
    for folder in ("bin", "dev", "proc", "sys", "host", "top", "root"):
        (tree / folder).mkdir(parents=True)
    shutil.copy(BUSYBOX, tree / "bin/busybox")
    shutil.copy(INIT, tree / "init")
    (tree / "init").chmod(0o755)
    shutil.copytree(kernel.modules, tree / "modules")
    (tree / "settings").write_text(f"{repository}\n{programs()}\n{session}\n")
    names = "".join(f"{path.relative_to(tree)}\n" for path in sorted(tree.rglob("*")))
    archive = home / "initramfs.cpio"
    with archive.open("wb") as out:
        cpio = [str(BUSYBOX), "cpio", "-o", "-H", "newc"]
        subprocess.run(
            cpio, cwd=tree, input=names.encode(), stdout=out, stderr=subprocess.PIPE, check=True
        )
    shutil.rmtree(tree)
    return archive


def _run(*argv: str, cwd: Path | None = None) -> str:
    return subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=True).stdout
