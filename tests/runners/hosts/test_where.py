"""What --hosts and `waltax worker` take."""

from __future__ import annotations

import os
import sys

import pytest
from click.testing import CliRunner
from waltax import cli
from waltax.base.errors import UsageError
from waltax.runners import hosts
from waltax.runners.hosts import executor


def test_a_scheduler_is_named_by_its_address() -> None:
    for text in (" tcp://10.0.0.1:8786", "tls://head:8786"):
        assert hosts.address(text, "--hosts") == text.strip()


@pytest.mark.parametrize("text", ["", "10.0.0.1", "local:3", "tcp://a:1 b"])
def test_anything_else_is_refused_with_what_to_type(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--hosts: found .*type .* --hosts tcp://10.0.0.1:8786"):
        hosts.address(text, "--hosts")


def test_without_distributed_it_is_said_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waltax.runners.hosts.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"needs distributed, .*pip install '\.\[hosts\]'"):
        executor.OnHosts("tcp://a:1", share_machine=True)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_REACHED_S", 0.3)
    with (
        pytest.raises(UsageError, match=r"no scheduler answers at tcp://127.0.0.1:1 within"),
        executor.connected("tcp://127.0.0.1:1"),
    ):
        pass


def test_what_is_one_machines_alone_is_refused_beside_hosts() -> None:
    done = CliRunner().invoke(cli.cli, ["run", "--hosts=tcp://a:1", "--wal-dir=/x"])
    assert isinstance(done.exception, UsageError)
    assert "devices.t" in str(done.exception)


def test_a_worker_is_one_of_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, argv: begun.append(argv))
    words = ["worker", "tcp://127.0.0.1:8786", "--name=n1", "--", "--no-nanny"]
    CliRunner().invoke(cli.cli, words, catch_exceptions=False)
    (argv,) = begun
    assert argv[:4] == [
        *(sys.executable, "-m", "distributed.cli.dask_worker", "tcp://127.0.0.1:8786")
    ]
    assert argv[argv.index("--name") + 1] == "n1"
    assert argv[argv.index("--nthreads") + 1] == "1"
    assert argv[argv.index("--host") + 1] == "127.0.0.1"
    assert argv[-1] == "--no-nanny"
