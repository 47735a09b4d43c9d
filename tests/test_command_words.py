"""`waltax` as make calls it, what it suggests for a word that it does not know, and its silence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from waltax.__main__ import main
from waltax.commands import GONE

Waltax = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def waltax(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Waltax:
    """Run a command line in this process."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "argv", ["waltax", *words])
        code: int | str | None = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(words, code, *capsys.readouterr())

    return run


def test_what_make_hands_over_is_done(waltax: Waltax) -> None:
    words = ("PROFILE=quick", "ARGS=--workload 'linkbench tpcc'", "PLAN=1")
    assert waltax("--known", "run", *words).returncode == 0
    done = waltax("--make", "run", *words)
    assert done.returncode == 0, done.stderr
    assert "-rocksdb-linkbench-tpcc-quick" in done.stdout


def test_what_make_is_refused_is_said_in_one_line_as_it_was_typed(waltax: Waltax) -> None:
    for word in ("--known", "--make"):
        done = waltax(word, "devices", "SCALE=a\x1b[2J b")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line == "make devices: SCALE='a?[2J b': it takes ARGS; leave it out"


def test_flags_that_a_refusal_names_are_variables_of_make(waltax: Waltax) -> None:
    done = waltax("--make", "run-device", "DEVICE=floppy", "PLAN=1")
    assert done.returncode == 2
    (hint,) = done.stderr.splitlines()[1:]
    assert hint.startswith("With make, flags are variables: --device nvme --plan is DEVICE=nvme")


def test_a_quote_that_is_not_closed_is_refused_in_one_line_that_names_args(waltax: Waltax) -> None:
    done = waltax("--make", "run", "PLAN=1", "ARGS=--seed '3")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "ARGS" in line
    assert "--seed '3" in line
    assert "no closing quotation" in line


def test_what_stands_behind_two_dashes_is_never_a_flag(waltax: Waltax) -> None:
    for text in ("-rf", "--plan", "--help"):
        done = waltax("--make", "devices-probe", "PLAN=1", f"DIR={text}")
        assert (done.returncode, done.stdout) == (2, ""), text
        assert text in done.stderr


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("sweep latencyy", "latency"),
        ("devices prob /x", "probe"),
        ("run --engine myrock", "myrocks"),
        ("run --workload tpc", "tpcc"),
        ("run --device nvmee --plan", "nvme"),
        ("run --profile quik --plan", "quick"),
    ],
)
def test_a_word_that_is_not_known_is_answered_with_the_nearest(
    waltax: Waltax, words: str, near: str
) -> None:
    done = waltax(*words.split())
    assert done.returncode == 2
    assert done.stderr.endswith(f"; did you mean {near}?\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run --faster", "No such option '--faster'; see waltax run --help\n"),
        ("run linkbench", "Got unexpected extra argument (linkbench); see waltax run --help\n"),
        (
            "workload linkbench",
            "workload: linkbench has no file; docs/workloads.md says what it does; ",
        ),
        (
            "report --format png",
            "'png' is not one of 'terminal', 'markdown', 'json', 'csv', ",
        ),
        ("report --format sqlite", "in the campaign's folder: duckdb my.db"),
        ("run --device /dev/sda --plan", "for a drive name its class, and a directory on it as --"),
        ("run --device nvme --plann", "No such option '--plann'; did you mean --plan?"),
        (
            "run --workload dbbench --bench fillsync",
            "db_bench itself is run by: waltax try --preset db_bench -- --benchmarks=fillrandom",
        ),
        ("tpcc run -w 3 -c 8", "tpcc run has moved; type: waltax tpcc -w 10 -c 10 -r 10 -l 60\n"),
        ("ycsb load redis -P w/a", "ycsb has moved; type: waltax run --workload ./w/a\n"),
        ("ycsb load", "ycsb has moved; type: waltax run --workload ./FILE\n"),
        (
            "linkbench -c /opt/My.properties -l",
            "linkbench has moved; type: waltax run --workload /opt/My.properties\n",
        ),
    ],
)
def test_a_word_of_another_program_is_answered_with_what_has_its_meaning(
    waltax: Waltax, words: str, said: str
) -> None:
    done = waltax(*words.split())
    assert done.returncode == 2
    assert said in done.stderr
    assert "secret" not in done.stderr


def test_a_word_that_is_near_to_none_is_answered_without_a_guess(waltax: Waltax) -> None:
    assert waltax("xyz").stderr == "waltax: No such command 'xyz'; see waltax --help\n"


@pytest.mark.parametrize("words", ["devices", "--help", "run --plan"])
def test_when_nobody_reads_any_more_it_ends_in_silence(words: str) -> None:
    """As `yes | head` does: 141 is what a shell says of SIGPIPE."""
    argv = [sys.executable, "-m", "waltax", *words.split()]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == ""
    assert child.wait() == 141


@pytest.mark.parametrize("words", GONE)
def test_a_flag_that_went_is_answered_with_what_to_type(waltax: Waltax, words: str) -> None:
    done = waltax(*words.split(), *(["--", "true"] if words.startswith("try") else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"waltax: No such option '{words.split()[-1]}'; {GONE[words]}\n"


def test_run_device_answers_for_flags_of_run(waltax: Waltax) -> None:
    assert GONE["run --route"] in waltax("run-device", "--device=nvme", "--route=any").stderr
