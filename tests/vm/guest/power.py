"""What happens in the guest whose disks lose their power: a run on each, killed in the middle.

Runs in the guest, as root, over the host's files; plan.json in the folder it is given says what.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_SECTOR = 512
_RECORDED = Path("/dev/shm/recorded")


def main(out: Path) -> None:
    said = {}
    for run in json.loads((out / "plan.json").read_text()):
        said[run["name"]] = _run(run, out)
        print(f"guest: {time.monotonic():.0f} s: run {run['name']}", flush=True)
    (out / "said.json").write_text(json.dumps(said))


def _run(run: dict[str, Any], out: Path) -> dict[str, str]:
    """Mount, run for so long, kill; what the kernel says of the disk."""
    disk = _disk(f"WALTAX-{run['name']}")
    # One command at a time: the log's order is then the order in which the disk did it all.
    (disk / "device/queue_depth").write_text("1")
    for number, (place, options) in enumerate(run["mounts"].items(), 1):
        offset, length = (str(bytes // _SECTOR) for bytes in run["regions"][number - 1])
        _do("addpart", f"/dev/{disk.name}", str(number), offset, length)
        Path(place).mkdir(parents=True, exist_ok=True)
        _do("mount", "-t", "ext4", "-o", options, f"/dev/{disk.name}{number}", place)
    _do("cp", "--sparse=always", str(out / run["recorded"]), str(_RECORDED))
    _driven(run, out)
    _do("cp", "--sparse=always", str(_RECORDED), str(out / run["recorded"]))
    _RECORDED.unlink()
    return {
        "write cache": (disk / "queue/write_cache").read_text().strip(),
        "commands at a time": (disk / "device/queue_depth").read_text().strip(),
    }


def _disk(model: str) -> Path:
    for disk in Path("/sys/block").iterdir():
        file = disk / "device/model"
        if file.is_file() and file.read_text().strip() == model:
            return disk
    raise FileNotFoundError(f"no disk of the model {model}")


def _driven(run: dict[str, Any], out: Path) -> None:
    pipe = subprocess.PIPE
    env = {**os.environ, **run["env"]}
    with (
        (out / f"{run['name']}.stderr").open("wb") as log,
        subprocess.Popen(run["argv"], env=env, stdin=pipe, stdout=pipe, stderr=log) as driver,
    ):
        assert driver.stdin is not None
        assert driver.stdout is not None
        for line in driver.stdout:
            if json.loads(line)["event"] == "ready":
                driver.stdin.write(b'{"cmd": "run", "warmup_s": 0, "measure_s": 3600}\n')
                driver.stdin.flush()
                time.sleep(run["seconds"])
                break
        driver.kill()


def _do(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(argv)}: exit {done.returncode}: {done.stderr.strip()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
