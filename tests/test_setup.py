from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOBODY = 65534


def _make(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may read, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_without_root_setup_prints_the_apt_line_and_stops(open_folder: Path) -> None:
    script = (ROOT / "setup.sh").read_text()
    assert "librocksdb-dev" in script
    copy = open_folder / "setup.sh"
    copy.write_text(script.replace(" librocksdb-dev", " no-such-package"))
    done = subprocess.run(
        [*_as_nobody(), "sh", str(copy)],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": _path_without_sudo(open_folder)},
    )
    assert done.returncode == 1
    assert "apt-get install -y --no-install-recommends no-such-package" in done.stderr
    assert not (open_folder / ".venv").exists()


def _as_nobody() -> list[str]:
    setpriv = shutil.which("setpriv")
    assert setpriv
    return [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def _path_without_sudo(folder: Path) -> str:
    tools = folder / "bin"
    tools.mkdir()
    for name in ("sh", "id", "dirname", "dpkg-query", "cat"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    return str(tools)


def test_make_alone_lists_every_target_with_its_time_and_disk() -> None:
    shown = _make().stdout
    for target in ("run", "run-device", "compare", "plot", "devices", "test", "lint", "bench"):
        assert f"make {target}" in shown
    assert "time" in shown
    assert "disk" in shown


def test_the_lock_holds_versions_and_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock
    assert "index-url" not in lock
