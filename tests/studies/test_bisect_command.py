"""`waltax compare bisect` as it ends: real builds, and no driver, so that nothing is measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rocksdb_roots import debians
from waltax.studies import bisect


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A good and a bad one, as flags."""
    room = tmp_path_factory.mktemp("builds")
    return f"--good={debians(room / 'good')}", f"--bad={debians(room / 'bad')}"


def _bisect(results: Path, *words: str) -> Result:
    return CliRunner().invoke(
        bisect.command, [f"--results={results}", f"--data-dir={results}", *words]
    )


def test_what_is_no_build_is_skipped_in_a_bisection_of_git_s(
    tmp_path: Path, builds: tuple[str, str]
) -> None:
    done = _bisect(tmp_path, *builds, f"--judge={tmp_path}")
    assert done.exit_code == 125, done.output
    assert f"--build next={tmp_path}" in done.output


@pytest.mark.parametrize("flag", ["--good", "--bad"])
def test_a_mistake_in_good_or_bad_is_no_verdict_and_ends_git_s_bisection(
    tmp_path: Path, builds: tuple[str, str], flag: str
) -> None:
    told = [word for word in builds if not word.startswith(flag)]
    done = _bisect(tmp_path, *told, f"{flag}={tmp_path}", f"--judge={tmp_path}")
    assert done.exit_code == 255, done.output
    assert f"--build {flag[2:]}={tmp_path}" in done.output
    assert "no verdict: exit 255, which ends git bisect run" in done.output


def _verdicts(monkeypatch: pytest.MonkeyPatch, *verdicts: str) -> None:
    """What the campaigns of each build in turn come to."""
    left = iter(verdicts)
    monkeypatch.setattr(bisect, "judged", lambda *_: next(left))


@pytest.mark.parametrize(
    ("verdict", "code"),
    [("good", 0), ("bad", 1), ("unknown", 125), ("failed", 125), ("alike", 255)],
)
def test_a_verdict_is_the_exit_code_that_git_reads(
    tmp_path: Path,
    builds: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    verdict: str,
    code: int,
) -> None:
    _verdicts(monkeypatch, verdict)
    good = builds[0].partition("=")[2]
    done = _bisect(tmp_path, *builds, f"--judge={good}")
    assert done.exit_code == code, done.output


def test_a_build_to_judge_must_be_named(tmp_path: Path, builds: tuple[str, str]) -> None:
    done = _bisect(tmp_path, *builds)
    assert done.exit_code == 2
    assert "--judge" in done.output
