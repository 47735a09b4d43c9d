"""A machine of files: /proc and /sys as the kernel lays them out, below a folder."""

from __future__ import annotations

from pathlib import Path

from waltax.base.kernel import Kernel


class Recorded:
    """A machine under construction below `root`."""

    def __init__(self, root: Path) -> None:
        self.kernel = Kernel(root)
        self._root = root
        self._mounts: list[str] = []
        self.mount("/", "ext4", "/dev/root", "253:0")

    def file(self, path: str, text: str = "") -> None:
        below = self._root / path.lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        below.write_text(text + "\n", encoding="utf-8")

    def directory(self, path: str) -> Path:
        (self._root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        return Path(path)

    def link(self, path: str, target: str) -> None:
        """Make a relative link, as sysfs has them."""
        below = self._root / path.lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        ups = len(Path(path.lstrip("/")).parts) - 1
        below.symlink_to("../" * ups + target.lstrip("/"))

    def mount(
        self, point: str, fs_type: str, source: str, number: str = "0:50", options: str = "rw"
    ) -> None:
        """Add a line of mountinfo and the directory, both as the kernel names them."""
        self._mounts.append(f"30 1 {number} / {point} rw shared:1 - {fs_type} {source} {options}")
        self.file("/proc/self/mountinfo", "\n".join(self._mounts))
        self.directory(point.replace("\\040", " "))

    def block(self, name: str, number: str, at: str, **attributes: str) -> str:
        """Add a block device below /sys/devices/`at`; "queue__fua" is the file queue/fua.

        It has queues, and counts its requests, unless `attributes` say otherwise.
        """
        path = f"/sys/devices/{at}/{name}"
        self.directory(f"{path}/mq")
        attributes = {"stat": "8 0 64 1 100 0 800 10 0 5 11 0 0 0 0 90 20", **attributes}
        for attribute, text in attributes.items():
            self.file(f"{path}/{attribute.replace('__', '/')}", text)
        self.link(f"/sys/class/block/{name}", path)
        self.link(f"/sys/dev/block/{number}", path)
        return path

    def partition(self, disk: str, name: str, number: str, at: str) -> None:
        self.block(name, number, f"{at}/{disk}", partition="1")

    def stacked(self, name: str, number: str, over: list[str], **attributes: str) -> None:
        """Add a dm or md device over other block devices."""
        path = self.block(name, number, "virtual/block", **attributes)
        for slave in over:
            self.file(f"{path}/slaves/{slave}")
