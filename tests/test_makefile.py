"""What `make` hands over: a variable becomes its flag, and what no goal takes is refused."""

from __future__ import annotations

import re

import click
import pytest
from making import OF_WALTAX, ROOT
from waltax import makefile
from waltax.base.errors import UsageError
from waltax.cli import cli

README = (ROOT / "README.md").read_text()


def _line(*words: str) -> list[str]:
    return makefile.command_line(cli, words)


def _refusal(*words: str) -> str:
    with pytest.raises(UsageError) as refused:
        _line(*words)
    return str(refused.value)


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROFILE", "DEVICE", "A", "B", "DIR", "KEYS", "RESUME"):
        monkeypatch.delenv(name, raising=False)


def test_a_variable_is_the_flag_of_its_name_and_its_text_is_whole() -> None:
    assert _line("run-device", "DEVICE=nvme ./x.toml", "WAL_DIR=-x=y", "THREADS=4") == [
        "run-device",
        "--device=nvme ./x.toml",
        "--wal-dir=-x=y",
        "--threads=4",
    ]


def test_every_option_of_a_command_can_be_typed() -> None:
    words = [f"{name}=1" for name in ("ALLOW_MISMATCH", "SHARE_MACHINE", "PLAN", "RESULTS")]
    flags = ["--allow-mismatch", "--share-machine", "--plan", "--results=1"]
    assert _line("run", *words) == ["run", *flags]


@pytest.mark.parametrize("target", OF_WALTAX)
def test_a_target_of_which_nothing_is_asked_leaves_the_defaults_to_the_command(target: str) -> None:
    words = _line(target)
    assert not [word for word in words if word.startswith("--") and word != "--"]


def test_a_switch_is_on_with_1_off_with_0_and_nothing_else() -> None:
    assert _line("run", "PLAN=1") == ["run", "--plan"]
    assert _line("run", "PLAN=0") == ["run"]
    assert _refusal("run", "PLAN=yes") == (
        "make run: PLAN=yes: it is a switch; type PLAN=1, or leave it out"
    )


def test_what_readme_says_has_a_plan_has_one() -> None:
    said = re.findall(r"With ([^.]*), `PLAN=1` only prints", " ".join(README.split()))
    named = set(re.findall(r"`([a-z]+)`", said[0]))
    planned = {target for target in OF_WALTAX if "PLAN" in makefile.parameters(cli, target)}
    sweeps = {target for target in OF_WALTAX if target.startswith("sweep-")}
    assert "each sweep" in said[0]
    assert named == {"run", "why", "paper", "receipts"}
    more = {"run-device", "receipts-recovery", "try", "compare-floor", "report-gallery"}
    assert planned == named | sweeps | more | {"devices-probe"}


def test_an_argument_of_a_command_is_never_a_flag() -> None:
    assert _line("compare", "B=-b", "A=--help") == ["compare", "--", "--help", "-b"]
    assert _line("devices-probe", "DIR=--plan", "NAME=x") == [
        "devices",
        "probe",
        "--name=x",
        "--",
        "--plan",
    ]
    assert _line("plot", "CAMPAIGNS=a 'b c'") == ["report", "--", "a", "b c"]
    assert _line("report", "CAMPAIGN=a b") == ["report", "--campaign=a b"]


def test_what_a_command_lacks_it_says_itself() -> None:
    assert _line("compare", "A=x") == ["compare", "--", "x"]
    assert _line("devices-probe") == ["devices", "probe", "--", ""]


def test_args_are_words_before_the_arguments() -> None:
    assert _line("devices-probe", "DIR=x", "ARGS=--name 'a b'") == [
        "devices",
        "probe",
        "--name",
        "a b",
        "--",
        "x",
    ]
    with pytest.raises(UsageError, match=r"ARGS: found .*no closing quotation"):
        _line("run", "ARGS=--seed '3")


def test_what_is_resumed_gets_all_that_was_typed_beside_it() -> None:
    """The command refuses it; to drop it would be to measure something else in silence."""
    assert _line("run", "RESUME=x", "THREADS=9") == ["run", "--resume=x", "--threads=9"]


@pytest.mark.parametrize(
    ("target", "word", "instead"),
    [
        ("run", "KEYS=-1", "leave it out"),
        ("run", "SIZE=foo", "it takes ALLOW_MISMATCH ARGS BINLOG "),
        ("run", "SEEDS=3", "type SEED=3, or leave it out"),
        ("run", "device=a b", "type 'DEVICE=a b', or leave it out"),
        ("run", "HELP=1", "leave it out"),
        ("run-device", "SCALE=2", "leave it out"),
        ("compare", "PLAN=1", "it takes A AGAINST_FLOOR ALLOW ARGS B "),
        ("sweep-latency", "BENCH=fillseq", "leave it out; kv-fillrandom writes as db_bench does"),
        ("devices-predict", "PROFILE=ci", "leave it out"),
        ("plot", "PROFILE=ci", "it takes ARGS CAMPAIGN CAMPAIGNS FORMAT OUT RESULTS SCHEMA"),
        ("devices", "DEVICE=nvme", "it takes ARGS; leave it out"),
    ],
)
def test_a_target_refuses_a_variable_that_it_would_drop(
    target: str, word: str, instead: str
) -> None:
    said = _refusal(target, word)
    assert said.startswith(f"make {target}: {word.partition('=')[0]}=")
    assert instead in said


@pytest.mark.parametrize("target", ["paper", "sweep-sizes", "sweep-knobs"])
def test_the_only_engine_of_a_command_may_be_named(target: str) -> None:
    engine = "myrocks" if target == "paper" else "rocksdb"
    assert _line(target, f"ENGINE={engine}") == [*target.split("-"), f"--engine={engine}"]


def test_of_several_goals_one_must_take_the_variable() -> None:
    assert _line("plot", "run", "SEED=3", "CAMPAIGNS=x") == ["report", "--", "x"]
    assert _refusal("plot", "run", "KEYS=2").startswith("make plot: KEYS=2: ")


def test_the_environment_is_heard_where_it_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROFILE", "ci")
    monkeypatch.setenv("DEVICE", "nvme")
    monkeypatch.setenv("KEYS", " ")
    assert _line("receipts-recovery") == ["receipts", "recovery", "--profile=ci"]
    assert _line("receipts-recovery", "PROFILE=quick")[-1] == "--profile=quick"


def test_an_option_of_older_releases_is_not_taken_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ENGINE", "innodb")
    assert _line("try", "COMMAND=true") == ["try", "--", "true"]
    said = _refusal("try", "COMMAND=true", "ENGINE=innodb")
    assert "leave it out; waltax starts no server for a command any more" in said


def test_what_is_no_target_is_refused() -> None:
    for words in ([], ["DEVICE=nvme"], ["nope"], ["devices/probe"]):
        with pytest.raises((UsageError, click.ClickException)):
            _line(*words)


def test_a_message_about_flags_is_followed_by_their_variables() -> None:
    (hint,) = makefile.hint(["--device: missing; type --device nvme"])
    assert hint.startswith("With make, flags are variables: ")
    assert makefile.hint(["the disk is full"]) == []
    assert makefile.hint(["ARGS: found --seed '3"]) == []
