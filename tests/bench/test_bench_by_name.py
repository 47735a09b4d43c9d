"""`python -m bench NAME`, as make calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from waltax.base.errors import UsageError

from bench.__main__ import main, names

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def bench(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[str, str]]:
    """Run a benchmark by the words of its command line in this process: what it printed."""

    def run(*words: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["bench", *words])
        with suppress(SystemExit):
            main([*words])
        return capsys.readouterr()

    return run


def test_without_a_name_all_are_listed_with_what_they_ask(
    bench: Callable[..., tuple[str, str]],
) -> None:
    out, err = bench()
    lines = out.splitlines()
    assert [line.split()[0].replace("-", "_") for line in lines] == names()
    assert all(len(line.split()) > 4 for line in lines)
    assert not err


@pytest.mark.parametrize(
    "name", ["nope", "server_home", "__main__", ";id", "../kill", "x/kill", ""]
)
def test_an_unknown_benchmark_is_refused_with_the_names_of_all(name: str) -> None:
    with pytest.raises(UsageError, match=", ".join(names())):
        main([name])


def test_a_benchmark_gets_the_words_of_args(bench: Callable[..., tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match="not a number"):
        bench("server-crash", "--args", "'not a number' 3")
    _, err = bench("tap", "--args", "--pairs 1")
    assert "1 is not in the range x>=2" in err
    assert "Usage: python -m bench.emulated.tap" in err


@pytest.mark.parametrize("name", ["coverage", "tap"])
def test_every_benchmark_says_what_it_does(
    name: str, bench: Callable[..., tuple[str, str]]
) -> None:
    out, err = bench(name, "--help")
    assert f"bench {name}" in out or f".{name} [OPTIONS]" in out
    assert not err


def test_words_that_cannot_be_split_are_refused() -> None:
    with pytest.raises(UsageError, match="ARGS"):
        main(["tap", "--args", "--pairs '1"])


def test_a_benchmark_can_be_named_to_python_itself_as_before() -> None:
    argv = [sys.executable, "-m", "bench.emulated.tap", "--pairs", "1"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "1 is not in the range x>=2" in done.stderr
