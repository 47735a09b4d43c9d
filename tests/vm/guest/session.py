"""What happens in the guest: makes every stack, asks waltax about it, and runs two placements.

Runs in the guest, as root, over the host's files. Writes seen.json into the folder it is given.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_VM = Path(__file__).parent.parent
sys.path.insert(0, str(_VM))

from placements import RUNS, Run  # noqa: E402  (of the folder above)
from stacks import STACKS  # noqa: E402

_TMP = Path("/tmp/said")
# How each disk calls itself, by model or serial number.
_DISKS = {
    "waltax-nvme": "nvme",
    "waltax-paths": "paths",
    "waltax-tcp": "tcp",
    "waltax-virtio": "virtio",
    "WALTAX-SATA": "sata",
    "WALTAX-SPIN": "spin",
    "WALTAX-HDD": "hdd",
    "WALTAX-SAS": "sas",
    "WALTAX-SCSI": "scsi",
    "WALTAX-VSCSI": "vscsi",
    "QEMU HARDDISK": "usb",
    "scsi_debug": "debug",
}
# Columns that are about where the WAL went. Rates and times of an emulated guest mean nothing:
# they do not leave it.
_EVIDENCE = (
    *("status", "failure", "device", "device_kind", "emulated", "allowed_mismatch", "durability"),
    *("wal_dir", "wal_files", "wal_bytes", "wal_syncs", "warnings"),
    *("tap_writes", "tap_write_bytes", "tap_syncs", "tap_bypasses"),
    *("diskstats_wal_writes", "diskstats_wal_write_bytes", "diskstats_data_writes"),
)


def main(out: Path) -> None:
    _import_all()
    seen: dict[str, Any] = {"stacks": {}, "runs": {}}
    for stack in STACKS:
        problem = _shell(stack.before) or _shell(stack.make)
        said = _waltax(["devices", "check", stack.where, "--data-dir", "/mnt/virtio"])
        seen["stacks"][stack.name] = {**said, "problem": problem}
        _say(f"stack {stack.name}")
    seen["disks"] = _names()
    for run in RUNS:
        seen["runs"][run.name] = _run(run)
        _say(f"run {run.name}")
    (out / "seen.json").write_text(json.dumps(seen))


def _say(text: str) -> None:
    print(f"guest: {time.monotonic():.0f} s: {text}", flush=True)


def _import_all() -> None:
    """Once, here: on an emulated CPU that takes as long as everything else together."""
    import waltax.analysis
    import waltax.devices.listing
    import waltax.runners.loop
    import waltax.studies.frame  # noqa: F401

    _say("waltax is imported")


def _names() -> dict[str, str]:
    """The kernel's names of the disks, by ours."""
    found = {}
    for disk in Path("/sys/block").iterdir():
        if _word(disk / "hidden") == "1":  # one path of several to a name space
            continue
        for file in ("serial", "device/serial", "device/model"):
            known = _DISKS.get(_word(disk / file))
            if known is not None:
                found[known] = disk.name
    return found


def _word(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _shell(commands: str) -> str | None:
    """What a step of stacks.py complained of, None when it was done."""
    if not commands:
        return None
    script = f". {_VM}/guest/steps.sh; {commands}"
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        env={**os.environ, **_names()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return f"exit {done.returncode}: {done.stdout.strip()}" if done.returncode else None


def _waltax(argv: list[str]) -> dict[str, Any]:
    """The command line, in a fork of this process, which has imported it."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _be_waltax(argv)
    _, status = os.waitpid(child, 0)
    texts = {name: (_TMP / name).read_text() for name in ("stdout", "stderr")}
    return {"exit": os.waitstatus_to_exitcode(status), **texts}


def _be_waltax(argv: list[str]) -> None:
    """Become the command `waltax`, and end."""
    from waltax.__main__ import main as waltax

    code = 1
    try:
        _TMP.mkdir(exist_ok=True)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(_TMP / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = ["waltax", *argv]
        waltax()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(run: Run) -> dict[str, Any]:
    """One `waltax run`, the command that `make run-device` calls; of its rows, the evidence."""
    results = Path("/tmp/results") / run.name
    Path(run.wal_dir).mkdir(parents=True, exist_ok=True)
    argv = ["run", "--device", run.device, "--wal-dir", run.wal_dir, "--workload", "linkbench"]
    argv += ["--profile", str(_VM / "profile.toml"), "--seed", "1"]
    argv += ["--results", str(results), "--data-dir", "/mnt/virtio/data"]
    said = _waltax(argv)
    # The table has rates in it.
    del said["stdout"]
    rows = [
        json.loads(line)
        for path in results.glob("*/rows.jsonl")
        for line in path.read_text().splitlines()
    ]
    kept = [{name: row.get(name) for name in _EVIDENCE} for row in rows]
    return {**said, "rows": kept}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
