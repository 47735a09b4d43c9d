"""`waltax bisect` as it ends: real builds, and none of a driver, so that nothing is measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rocksdb_roots import debians
from waltax.analysis.builds.nearer import Judged
from waltax.analysis.stats import Interval
from waltax.study.bisect import judging
from waltax.study.bisect.command import command


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A good and a bad one, as flags."""
    room = tmp_path_factory.mktemp("builds")
    return f"--good={debians(room / 'good')}", f"--bad={debians(room / 'bad')}"


def _bisect(results: Path, *words: str) -> Result:
    return CliRunner().invoke(command, [f"--results={results}", f"--data-dir={results}", *words])


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
    left, known = iter(verdicts), Interval(1.0, 0.9, 1.1)

    def judged(*_: object) -> Judged:
        return Judged(next(left), known, known, known, known, 3)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "judged", judged)


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


def test_steps_that_build_are_judged_until_the_first_bad_one_is_found(
    tmp_path: Path, builds: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _verdicts(monkeypatch, "good", "bad")
    good = builds[0].partition("=")[2]
    step = f'cp -rT {good} "$DIR"'
    done = _bisect(tmp_path, *builds, f"--step={step}", "--revisions=r1 r2 r3 r4")
    assert done.exit_code == 0, done.output
    assert "the first bad revision is r3" in done.output


def test_a_step_that_fails_is_told_and_its_revision_stays_a_suspect(
    tmp_path: Path, builds: tuple[str, str]
) -> None:
    step = "echo about $REVISION; touch $DIR/was-there; exit 3"
    done = _bisect(tmp_path, *builds, f"--step={step}", "--revisions=r1 r2 r3")
    assert done.exit_code == 1, done.output
    assert done.output.count("--step: the command failed (exit code 3): about r") == 2
    assert "the first bad revision is one of r1, r2, r3: 2 decided" in done.output
    (room,) = tmp_path.glob("*-bisect")
    assert (room / "next" / "was-there").exists()
    assert (room / "r1.out").read_text() == "about r1\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "--step: it takes either --step with --revisions, or --judge DIR"),
        (["--step=make", "--judge=x"], "--step: it takes either --step with"),
        (["--step=make"], "--revisions: missing; type what --step shall build"),
    ],
)
def test_what_drives_nothing_is_refused(
    tmp_path: Path, builds: tuple[str, str], words: list[str], why: str
) -> None:
    done = _bisect(tmp_path, *builds, *words)
    assert why in str(done.exception)
