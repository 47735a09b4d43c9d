"""What the Makefile makes of its variables; nothing is run."""

from __future__ import annotations

import subprocess

import pytest
from making import OF_WALTAX, run_make, takes


def _recipe(*words: str) -> str:
    done = run_make("-n", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _command(*words: str) -> str:
    """What is run of waltax, as one line with single blanks."""
    lines = _recipe(*words).replace("\\\n", " ").splitlines()
    return " ".join(next(line for line in lines if "bin/waltax" in line).split())


def _refusal(*words: str) -> subprocess.CompletedProcess[str]:
    lines = [line for line in _recipe(*words).splitlines() if "exit 2" in line]
    assert len(lines) == 1, lines
    return subprocess.run(["sh", "-c", lines[0]], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("target", OF_WALTAX)
def test_every_variable_that_a_target_takes_reaches_the_command(target: str) -> None:
    for name in takes(target):
        required = ["DEVICE=nvme"] if target == "run-device" and name != "DEVICE" else []
        if name == "PLAN":
            assert " --plan" in _command(target, "PLAN=1", *required)
        elif "=" in name:
            assert _command(target, name, *required) == _command(target, *required)
        else:
            assert "typed-here" in _command(target, f"{name}=typed-here", *required), name


@pytest.mark.parametrize("target", OF_WALTAX)
def test_a_target_of_which_nothing_is_asked_leaves_the_defaults_to_the_command(target: str) -> None:
    words = {"run-device": ["DEVICE=nvme"], "compare": ["A=nvme", "B=ssd"], "probe": ["DIR=/x"]}
    command = _command(target, *words.get(target, []))
    assert "--" not in command.replace("--device='nvme'", "").replace(" -- ", " ")


def test_what_is_resumed_is_passed_with_all_that_was_typed_beside_it() -> None:
    """The command refuses it; to drop it would be to measure something else in silence."""
    command = _command("run", "RESUME=results/x", "THREADS=9", "PROFILE=ci", "WORKLOAD=tpcc")
    for flag in ("--resume='results/x'", "--threads='9'", "--profile='ci'", "--workload='tpcc'"):
        assert flag in command
    assert "--workload='tpcc'" in _command("sweep-latency", "RESUME=x", "WORKLOAD=tpcc")


def test_a_sweep_of_two_workloads_is_two_campaigns_and_the_first_failure_ends_it() -> None:
    command = _command("sweep-latency", "WORKLOAD=linkbench tpcc")
    assert command.count("waltax sweep-latency") == 2
    assert "--workload='linkbench' && " in command


def test_values_reach_the_shell_whole() -> None:
    assert "--data-dir='/mnt/my disk'" in _command("run", "DATA_DIR=/mnt/my disk")
    assert "--profile='it'\\''s.toml'" in _command("run", "PROFILE=it's.toml")


@pytest.mark.parametrize(
    ("target", "word", "instead"),
    [
        ("run", "DEVICE=nvme", "it goes with make run-device"),
        ("run", "KEYS=-1", "leave it out"),
        ("run", "SIZE=foo", "it takes ARGS BENCH DATA_DIR "),
        ("run-device", "SCALE=2", "leave it out"),
        ("paper", "RESUME=results/x", "type make run RESUME=results/x"),
        ("paper", "ENGINE=innodb", "leave it out"),
        ("sizes", "PLAN=1", "leave it out"),
        ("serve", "PLAN=1", "leave it out"),
        ("serve", "WORKLOAD=tpcc", "type ARGS='--data tpcc'"),
        ("sweep-latency", "WAL_DIR=/mnt/x", "type make probe DIR=/mnt/x and then make sweep-lat"),
        ("sweep-threads", "WAL_DIR=/mnt/x", "type make probe DIR=/mnt/x and then make sweep-thr"),
        ("sweep-latency", "BENCH=fillseq", "leave it out"),
        ("sweep-latency", "KEYS=3", "leave it out"),
        ("sweep-sizes", "ENGINE=myrocks", "leave it out or type make run ENGINE=myrocks"),
        ("sweep-knobs", "ENGINE=innodb", "leave it out or type make run ENGINE=innodb"),
        ("sweep-sizes", "WORKLOAD=tpcc", "it runs db_bench; leave it out"),
        ("sweep-knobs", "WORKLOAD=tpcc", "it runs db_bench; leave it out"),
        ("sweep-latency", "WAL=flush", "its commits are synced; leave it out"),
        ("sweep-threads", "WAL=flush", "its commits are synced; leave it out"),
        ("sweep-knobs", "WAL=flush", "its commits are synced; leave it out"),
        ("predict", "PROFILE=ci", "leave it out"),
        ("plot", "PROFILE=ci", "it takes ARGS; leave it out"),
        ("devices", "DEVICE=nvme", "it takes no variable; leave it out"),
        ("test", "PLAN=1", "it takes no variable; leave it out"),
        ("clean", "PLAN=1", "it takes no variable; leave it out"),
        ("bench-tap", "PLAN=1", "it takes ARGS; leave it out"),
    ],
)
def test_a_target_refuses_a_variable_that_it_would_drop(
    target: str, word: str, instead: str
) -> None:
    done = _refusal(target, word)
    assert done.returncode == 2
    assert done.stderr.startswith(f"make {target}: {word}: ")
    assert instead in done.stderr


def test_it_is_refused_before_anything_is_set_up() -> None:
    done = run_make("devices", "KEYS=3")
    assert done.returncode == 2
    assert done.stderr.startswith("make devices: KEYS=3: ")
    assert done.stdout == ""


def test_of_several_goals_one_must_know_the_variable() -> None:
    assert "exit 2" not in _recipe("plot", "lint", "BASE=HEAD~2")
    assert _refusal("plot", "lint", "KEYS=2").returncode == 2


def test_run_device_without_a_device_says_what_to_type() -> None:
    done = _refusal("run-device")
    assert (done.returncode, done.stderr) == (
        2,
        "make run-device: DEVICE: missing; type make run-device DEVICE=nvme\n",
    )
    assert "exit 2" not in _recipe("run-device", "RESUME=results/x")


def test_what_make_itself_and_the_build_take_goes_with_every_target() -> None:
    for word in ("ROCKSDB_ROOT=/opt/rocksdb", "MARIADBD=/opt/mariadbd", "CXX=clang++"):
        assert "exit 2" not in _recipe("devices", word), word
