"""What the Makefile makes of its variables; nothing is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _recipe(*words: str) -> str:
    argv = ["make", "--no-print-directory", "-n", *words]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


@pytest.mark.parametrize(
    ("words", "engine"),
    [((), "myrocks"), (("ENGINE=innodb",), "innodb"), (("ENGINE=rocksdb",), "rocksdb")],
)
def test_serve_takes_the_engine_that_was_typed(words: tuple[str, ...], engine: str) -> None:
    assert f"waltax serve --engine {engine} " in _recipe("serve", *words)


def test_serve_names_a_device_only_when_one_was_typed() -> None:
    assert "--device" not in _recipe("serve")
    assert "--device 'nvme'" in _recipe("serve", "DEVICE=nvme")


def test_sweep_sizes_takes_a_directory_benchmarks_and_a_durability() -> None:
    recipe = _recipe("sweep-sizes", "WAL_DIR=/mnt/x", "BENCH=fillseq,readseq", "WAL=sync")
    assert "--wal-dir '/mnt/x' --bench fillseq,readseq --wal sync" in recipe
    assert "exit 2" not in recipe


@pytest.mark.parametrize(
    ("target", "word", "instead"),
    [
        ("sweep-latency", "WAL_DIR=/mnt/x", "type make probe DIR=/mnt/x and then make sweep-lat"),
        ("sweep-threads", "WAL_DIR=/mnt/x", "type make probe DIR=/mnt/x and then make sweep-thr"),
        ("sweep-sizes", "ENGINE=myrocks", "leave it out or type make run ENGINE=myrocks"),
        ("sweep-knobs", "ENGINE=innodb", "leave it out or type make run ENGINE=innodb"),
        ("sweep-sizes", "WORKLOAD=tpcc", "leave it out"),
        ("sweep-knobs", "WORKLOAD=tpcc", "leave it out"),
        ("sweep-latency", "WAL=flush", "leave it out"),
        ("sweep-threads", "WAL=flush", "leave it out"),
        ("sweep-knobs", "WAL=flush", "leave it out"),
    ],
)
def test_a_sweep_refuses_a_variable_that_it_would_drop(
    target: str, word: str, instead: str
) -> None:
    refusal = next(line for line in _recipe(target, word).splitlines() if "exit 2" in line)
    done = subprocess.run(["sh", "-c", refusal], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"make {target}: {word}: ")
    assert instead in done.stderr


@pytest.mark.parametrize("target", ["sweep-latency", "sweep-threads", "sweep-sizes", "sweep-knobs"])
def test_a_sweep_of_which_nothing_else_is_asked_is_not_refused(target: str) -> None:
    assert "exit 2" not in _recipe(target, "DEVICE=nvme", "ENGINE=rocksdb")
