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
