"""The examples for CI: the device holds every sync still, and the gate's script keeps its order,
from a shell, as an action and as a job.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from waltax import devices

EXAMPLES = Path(__file__).parent.parent / "ci-examples"
_STAND_IN = """#!/bin/sh
[ "$1" != compare ] || { echo "| slower |"; exit 3; }
while [ "$1" != --results ]; do shift; done
mkdir -p "$2/campaign"; cp program "$2/campaign"
"""


_SET_UP = """#!/bin/sh
mkdir -p .venv/bin; cp ../stand-in .venv/bin/waltax
"""


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def test_every_sync_of_the_device_takes_the_same_time() -> None:
    device = devices.load(EXAMPLES / "steady.toml")
    assert device.model is not None
    (row,) = device.model.sync
    assert len(set(row.quantiles_us.values())) == 1


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A program of two revisions; the newer one is checked out."""
    folder = tmp_path / "repository"
    folder.mkdir()
    _git(folder, "init", "-q")
    for text in ("old", "new"):
        (folder / "source").write_text(text)
        _git(folder, "add", "source")
        _git(folder, "commit", "-qm", text)
    return folder


def test_each_revision_is_built_and_measured_and_the_gate_s_exit_code_is_the_script_s(
    repository: Path, tmp_path: Path
) -> None:
    waltax = tmp_path / "waltax"
    waltax.write_text(_STAND_IN)
    waltax.chmod(0o755)
    words = ["HEAD~1", "HEAD", "cp source program", "*.wal", "./program"]
    env = {**os.environ, "WALTAX": str(waltax), "WALTAX_OUT": str(tmp_path / "out")}
    done = subprocess.run([EXAMPLES / "gate.sh", *words], cwd=repository, env=env, check=False)
    assert done.returncode == 3
    kept = [(tmp_path / "out" / side / "campaign/program").read_text() for side in ("base", "new")]
    assert kept == ["old", "new"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A clone of waltax whose set-up brings a stand-in."""
    (tmp_path / "stand-in").write_text(_STAND_IN)
    (tmp_path / "stand-in").chmod(0o755)
    folder = tmp_path / "waltax"
    shutil.copytree(EXAMPLES, folder / "ci-examples")
    (folder / "setup.sh").write_text(_SET_UP)
    (folder / "setup.sh").chmod(0o755)
    return folder


def _program(built: Path, side: str) -> str:
    return (built / side / "campaign/program").read_text()


def test_the_action_s_steps_measure_both_revisions_and_leave_the_verdict_in_the_job_s_summary(
    installed: Path, repository: Path, tmp_path: Path
) -> None:
    action: dict[str, Any] = yaml.safe_load((EXAMPLES / "action.yml").read_text())
    typed = {"base": "HEAD~1", "build": "cp source program", "log": "*.wal", "command": "./program"}
    context = {
        "runner.temp": str(tmp_path),
        "github.sha": "HEAD",
        **{f"inputs.{name}": of.get("default", "") for name, of in action["inputs"].items()},
        **{f"inputs.{name}": text for name, text in typed.items()},
    }
    assert {name for name, of in action["inputs"].items() if of.get("required")} == set(typed)

    def filled(text: str) -> str:
        while "${{" in text:  # a default has expressions of its own
            text = re.sub(r"[$][{][{] *(.*?) *[}][}]", lambda found: context[found[1]], text)
        return text

    env = {
        **os.environ,
        "HOME": str(tmp_path),
        "GITHUB_ACTION_PATH": str(installed / "ci-examples"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    codes = []
    for step in action["runs"]["steps"]:
        assert (step["shell"], "${{" in step["run"]) == ("sh", False)
        own = {name: filled(text) for name, text in step.get("env", {}).items()}
        argv = ["sh", "-e", "-c", step["run"]]
        done = subprocess.run(argv, cwd=repository, env={**env, **own}, check=False)
        codes.append(done.returncode)
    assert codes == [0, 3]
    assert (tmp_path / "summary.md").read_text() == "| slower |\n"
    assert [_program(tmp_path / "waltax-gate", side) for side in ("base", "new")] == ["old", "new"]


def test_the_job_s_script_measures_both_revisions(
    installed: Path, repository: Path, tmp_path: Path
) -> None:
    job: dict[str, Any] = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())["gate"]
    places = {"/opt/waltax": str(installed), "$CI_BUILDS_DIR": str(tmp_path)}
    env = {
        **os.environ,
        **job["variables"],
        "BUILD": "cp source program",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD~1",
        "CI_COMMIT_SHA": "HEAD",
    }
    lines = ["cd /opt/waltax && ./setup.sh; cd -", *job["script"]]
    for place, here in places.items():
        env = {name: text.replace(place, here) for name, text in env.items()}
        lines = [line.replace(place, here) for line in lines]
    argv = ["sh", "-e", "-c", "\n".join(lines)]
    done = subprocess.run(argv, cwd=repository, env=env, check=False)
    assert done.returncode == 3
    assert job["allow_failure"] == {"exit_codes": 4}
    assert [_program(tmp_path / "waltax-gate", side) for side in ("base", "new")] == ["old", "new"]
