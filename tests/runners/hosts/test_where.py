"""What --hosts and `waltax worker` take."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax import cli
from waltax.base.errors import UsageError
from waltax.runners.hosts import executor, link, where


def test_a_scheduler_or_a_number_of_workers_is_named() -> None:
    for text, local in ((" tcp://10.0.0.1:8786", 0), ("tls://head:8786", 0), ("local:3 ", 3)):
        assert where.named(text) == text.strip()
        assert where.local(where.named(text)) == local


@pytest.mark.parametrize("text", ["", "10.0.0.1", "local:0", "local:65", "tcp://a:1 b", "local:"])
def test_anything_else_is_refused_with_what_to_type(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--hosts: found .*type .*(local:1|tcp://10.0.0.1:8786)"):
        where.named(text)


def test_without_distributed_it_is_said_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waltax.runners.hosts.where.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"needs distributed, .*pip install '\.\[hosts\]'"):
        executor.OnHosts("local:1", share_machine=True)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_REACHED_S", 0.3)
    with (
        pytest.raises(UsageError, match=r"no scheduler answers at tcp://127.0.0.1:1 within"),
        link.connected("tcp://127.0.0.1:1"),
    ):
        pass


def test_what_is_one_machines_alone_is_refused_beside_hosts() -> None:
    for flag, why in (("--receipts", "power is cut on one machine"), ("--wal-dir=/x", "devices.t")):
        done = CliRunner().invoke(cli.cli, ["run", "--hosts=local:2", flag])
        assert isinstance(done.exception, UsageError)
        assert why in str(done.exception)


def test_a_worker_is_one_of_dask_with_the_devices_of_this_machine_as_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waltax").mkdir()
    (tmp_path / "log").mkdir()
    config = f'[ssd]\npath = "{tmp_path}/log"\n[nvme]\npath = "{tmp_path}/none"\n'
    (tmp_path / "waltax" / "devices.toml").write_text(config)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("waltax.devices.resolve.mismatch", lambda _class, _facts: None)
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, argv: begun.append(argv))
    words = ["worker", "tcp://127.0.0.1:8786", "--name=n1", "--", "--no-nanny"]
    done = CliRunner().invoke(cli.cli, words, catch_exceptions=False)
    (argv,) = begun
    assert argv[:4] == [
        *(sys.executable, "-m", "distributed.cli.dask_worker", "tcp://127.0.0.1:8786")
    ]
    assert argv[argv.index("--resources") + 1] == "host=1 ssd=1"
    assert argv[argv.index("--host") + 1] == "127.0.0.1"
    assert argv[-1] == "--no-nanny"
    assert "nvme is not offered: " in done.output
    assert "host n1 offers ssd" in done.output
